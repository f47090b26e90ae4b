"""Permission requests: the policy comes first, then a person; each is answered once, with an option of the agent's."""

import json

import pytest
from acp.schema import RequestPermissionRequest, RequestPermissionResponse
from hypothesis import given
from hypothesis import strategies as st

from holdfast.agents.acp_events import Update
from holdfast.agents.acp_permissions import Asked, Option
from holdfast.agents.desk import ALLOWING

# As real agents name them: the ids are all different, the kinds are not, and hardly any agent offers all four.
OPTIONS = {
    "allow_once": {"optionId": "proceed_once", "name": "Allow", "kind": "allow_once"},
    "allow_always": {"optionId": "approve-for-session", "name": "Always", "kind": "allow_always"},
    "reject_once": {"optionId": "abort", "name": "No", "kind": "reject_once"},
    "reject_always": {"optionId": "never", "name": "Never", "kind": "reject_always"},
}
DECISIONS = ["allow_once", "allow_session", "allow_project", "deny", "cancelled"]
CANCELLED = {"outcome": {"outcome": "cancelled"}}


def asked(*kinds):
    return Asked(Update(toolCallId="t"), [Option(**OPTIONS[kind]) for kind in kinds])


# The agent's options


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("order", [list(OPTIONS), list(reversed(OPTIONS))], ids=["in order", "reversed"])
def test_the_option_is_chosen_by_its_kind_never_by_its_place(order, decision):
    wanted = {"deny": "reject_once", "cancelled": None}.get(decision, "allow_once")
    expected = CANCELLED if wanted is None else {"outcome": {"outcome": "selected", **_id(wanted)}}
    assert asked(*order).result(decision) == expected


def _id(kind):
    return {"optionId": OPTIONS[kind]["optionId"]}


@pytest.mark.parametrize(("decision", "offered"), [("allow_session", "allow_always"), ("deny", "reject_always")])
def test_a_kind_that_is_not_offered_falls_back_to_the_other_of_the_same_direction(decision, offered):
    others = [kind for kind in OPTIONS if kind.partition("_")[0] != offered.partition("_")[0]]
    assert asked(*others, offered).result(decision)["outcome"] == {"outcome": "selected", **_id(offered)}


@given(st.sampled_from(DECISIONS), st.lists(st.sampled_from([*OPTIONS, "new_kind"])))
def test_an_answer_never_turns_into_its_opposite(decision, kinds):
    options = [Option(optionId=kind, kind=kind) for kind in kinds]
    result = Asked(Update(), options).result(decision)
    RequestPermissionResponse.model_validate(result)
    chosen = result["outcome"].get("optionId")
    direction = {"deny": "reject", "cancelled": None}.get(decision, "allow")
    assert chosen is None or chosen.partition("_")[0] == direction
    if chosen is None and direction is not None:
        assert not any(kind.startswith(direction) for kind in kinds)


# With a real agent

SHELL = {"toolCallId": "t1", "kind": "execute", "title": "Run it", "rawInput": {"command": "git status"}}
PERSON, POLICY = {"questions": "person"}, {"questions": "policy"}


def play(stage, call=SHELL, policy=None, *, kinds=("reject_once", "allow_once"), after="", **options):
    params = {"sessionId": "s-1", "toolCall": call, "options": [OPTIONS[kind] for kind in kinds]}
    RequestPermissionRequest.model_validate(params)
    script = f"prompt = prompted(); ask(0, {call!r}, {params['options']!r}); read(); {after}\nend(prompt); stay()"
    return stage.play(script, task={"policy": policy or {}}, **options)


def chosen(played):
    return played.answers()[0]["result"]["outcome"].get("optionId")


@pytest.mark.requirement("R181", "R182", "R042")
@pytest.mark.parametrize("questions", [PERSON, POLICY])
def test_what_the_policy_denies_nobody_is_asked_about(stage, questions):
    played = play(stage, policy={"allow": ["Bash"], "deny": ["Bash(git *)"], **questions})
    assert chosen(played) == "abort"
    assert played.data("permission_request") == []
    [denied] = played.data("hook_triggered")
    assert (denied["hook_event"], denied["tool_name"], denied["decision"]) == ("PreToolUse", "execute", "deny")
    assert "Bash(git *)" in denied["message"]


@pytest.mark.requirement("R181", "R182")
def test_what_is_always_refused_is_refused_whatever_is_allowed(stage):
    call = {**SHELL, "rawInput": {"command": "sudo rm -rf /"}}
    played = play(stage, call, {"allow": ["*"], **POLICY})
    assert chosen(played) == "abort"
    assert len(played.data("hook_triggered")) == 1


@pytest.mark.parametrize("policy", [{"allow": ["Bash"], **POLICY}, {"granted": ["Bash(git *)"], **PERSON}])
def test_what_is_allowed_is_allowed_at_once(stage, policy):
    played = play(stage, policy=policy)
    assert chosen(played) == "proceed_once"
    assert played.types == ["agent_start", "tool_start"]


def test_an_agent_that_wants_a_person_gets_one_although_the_rules_allow_it(stage):
    played = play(stage, policy={"allow": ["Bash"], **PERSON}, permission_request="allow_once")
    assert chosen(played) == "proceed_once"
    [request] = played.data("permission_request")
    assert "agent's own settings" in request["reason"]


def test_a_person_is_told_all_that_is_needed(stage):
    played = play(stage, policy={"ask": ["Bash"]}, permission_request="deny")
    [request] = played.data("permission_request")
    assert (request["tool_name"], request["tool_id"], request["title"]) == ("execute", "t1", "Run it")
    assert request["tool_input"] == {"command": "git status"}
    assert "`Bash`" in request["reason"]
    assert request["rule"] == "Bash(git status)"
    assert "editable" not in request


@pytest.mark.requirement("R042", "R182")
def test_a_persons_no_reaches_the_agent_and_the_log(stage):
    played = play(stage, permission_request={"decision": "deny", "message": "not on a Friday"})
    assert chosen(played) == "abort"
    assert played.data("permission_resolved")[0]["message"] == "not on a Friday"
    assert [denied["message"] for denied in played.data("hook_triggered")] == ["not on a Friday"]


@pytest.mark.parametrize("decision", sorted(ALLOWING))
def test_a_persons_yes_is_a_yes_for_once_to_the_agent(stage, decision):
    played = play(stage, kinds=tuple(OPTIONS), permission_request=decision)
    assert chosen(played) == "proceed_once"
    assert played.data("hook_triggered") == []


@pytest.mark.parametrize(("decision", "asked_times"), [("allow_once", 2), ("allow_session", 1)])
def test_what_is_allowed_for_the_session_is_not_asked_again(stage, decision, asked_times):
    again = f"ask(1, {SHELL | {'toolCallId': 't2'}!r}, {[OPTIONS['allow_once'], OPTIONS['reject_once']]!r}); read()"
    played = play(stage, after=again, permission_request=decision, permission_ttl_s=1)
    assert len(played.data("permission_request")) == asked_times
    assert played.answers()[1]["result"]["outcome"]["optionId"] == ("abort" if asked_times == 2 else "proceed_once")


@pytest.mark.parametrize(("fallback", "option"), [("deny", "abort"), ("allow", "proceed_once")])
@pytest.mark.parametrize("unattended", [True, False])
def test_without_an_answer_the_fallback_counts(stage, fallback, option, unattended):
    played = play(stage, policy={"fallback": fallback, "unattended": unattended}, permission_ttl_s=0.2)
    assert chosen(played) == option
    assert len(played.data("permission_request")) == (0 if unattended else 1)
    assert len(played.data("hook_triggered")) == (fallback == "deny")


@pytest.mark.requirement("R183")
def test_another_policy_counts_from_the_moment_it_is_switched_to(stage):
    again = f"ask(1, {SHELL | {'toolCallId': 't2'}!r}, {[OPTIONS['allow_once'], OPTIONS['reject_once']]!r}); read()"
    played = play(
        stage,
        policy={"allow": ["Bash"], **POLICY},
        after=f"elicit('q', requestedSchema={{}}); read(); {again}",
        question={"decision": "allow_once", "switch": {"deny": ["Bash"]}},
    )
    assert chosen(played) == "proceed_once"
    assert played.answers()[1]["result"]["outcome"]["optionId"] == "abort"


# What a request is about

EDIT = {"toolCallId": "t1", "kind": "edit", "title": "Edit"}
DIFF = [{"type": "diff", "path": "/etc/hosts", "oldText": "a", "newText": "b"}]


@pytest.mark.requirement("R181")
@pytest.mark.parametrize(
    "call",
    [
        EDIT | {"rawInput": {"path": "/etc/hosts"}},
        EDIT | {"locations": [{"path": "/etc/hosts"}]},
        EDIT | {"content": DIFF},
        EDIT | {"rawInput": {"path": "a.txt"}, "locations": [{"path": "/etc/hosts"}]},
    ],
    ids=["input", "locations", "diff", "both"],
)
def test_a_path_counts_wherever_the_request_has_it(stage, call):
    played = play(stage, call, {"allow": ["Edit"], "deny": ["Edit(/etc/**)"], **POLICY})
    assert chosen(played) == "abort"
    assert played.data("permission_request") == []


@pytest.mark.requirement("R181")
@pytest.mark.parametrize("told", ["announced", "updated"])
def test_what_was_said_of_the_call_before_counts_if_the_request_does_not_repeat_it(stage, told):
    known = 'update("tool_call", toolCallId="t1", title="t", kind="execute", rawInput={"command": "git push"})'
    if told == "updated":
        known = (
            'update("tool_call", toolCallId="t1", title="t", kind="execute", rawInput={}); '
            'update("tool_call_update", toolCallId="t1", rawInput={"command": "git push"})'
        )
    options = [OPTIONS["allow_once"], OPTIONS["reject_once"]]
    played = stage.play(
        f"prompt = prompted(); {known}; ask(0, {{'toolCallId': 't1'}}, {options!r}); read(); end(prompt); stay()",
        task={"policy": {"deny": ["Bash(git push)"], "allow": ["*"], **POLICY}},
    )
    assert chosen(played) == "abort"
    assert len(played.data("tool_start")) == 1


@pytest.mark.requirement("R181")
def test_a_rule_for_commands_is_about_those_of_an_agent_that_only_tells_the_tools_name(stage):
    told = {"goose": {"toolCall": {"toolName": "shell", "extensionName": "developer"}}}
    options = [OPTIONS["allow_once"], OPTIONS["reject_once"]]
    played = stage.play(
        f"""
        prompt = prompted()
        update("tool_call", toolCallId="t1", title="shell", rawInput={{"command": "git push"}}, _meta={told!r})
        ask(0, {{"toolCallId": "t1", "kind": "other", "title": "shell"}}, {options!r})
        read(); end(prompt); stay()
        """,
        task={"policy": {"deny": ["Bash(git push)"], "allow": ["*"], **POLICY}},
    )
    assert chosen(played) == "abort"
    assert played.data("tool_start")[0]["tool_name"] == "shell"


def test_an_agent_that_says_no_more_of_a_denied_call_has_it_closed_when_it_goes_on(stage):
    played = play(stage, policy={"deny": ["Bash"]}, after="say('Then not.')")
    assert played.types == [
        "agent_start",
        "tool_start",
        "hook_triggered",
        "tool_complete",
        "message",
        "message",
    ]
    [ended] = played.data("tool_complete")
    assert (ended["tool_id"], ended["is_error"]) == ("t1", True)
    assert "denied" in ended["result"]


def test_an_agent_that_ends_with_a_denied_call_has_it_closed_too(stage):
    played = play(stage, policy={"deny": ["Bash"]})
    assert played.types[-1] == "tool_complete"


def test_an_agent_that_tells_of_a_denied_call_itself_is_heard(stage):
    after = (
        "update('tool_call_update', toolCallId='t1', status='failed', rawOutput='The user said no.'); say('Then not.')"
    )
    played = play(stage, policy={"deny": ["Bash"]}, after=after)
    assert [data["result"] for data in played.data("tool_complete")] == ["The user said no."]


def test_a_request_of_another_session_of_the_agent_is_asked_without_a_call_in_ours(stage):
    params = {"sessionId": "child", "toolCall": SHELL, "options": [OPTIONS["allow_once"], OPTIONS["reject_once"]]}
    played = stage.play(
        f"""
        prompt = prompted()
        send(id=0, method="session/request_permission", params={params!r})
        read(); end(prompt); stay()
        """,
        permission_request="allow_once",
    )
    assert chosen(played) == "proceed_once"
    assert played.data("tool_start") == []
    [request] = played.data("permission_request")
    assert (request["tool_name"], request.get("tool_id")) == ("execute", None)


@pytest.mark.requirement("R029")
def test_what_a_person_reads_is_free_of_escapes_and_bounded(stage):
    options = [OPTIONS["allow_once"], OPTIONS["reject_once"]]
    played = stage.play(
        rf"""
        prompt = prompted()
        given = {{"command": "\x1b[31mls\x1b[0m", "file": "x" * 300_000}}
        ask(0, {{"toolCallId": "t1", "title": "\x1b[1mRun\x1b[0m", "rawInput": given}}, {options!r})
        read(); end(prompt); stay()
        """,
        permission_request="allow_once",
    )
    [request] = played.data("permission_request")
    assert request["title"] == "Run"
    assert "u001b" not in json.dumps(request)
    assert len(str(request["tool_input"])) < 270_000


@pytest.mark.parametrize(
    "raw_input",
    [None, 5, "text", [], {"command": None}, {"command": ["ls", 5]}, {"command": "ls", "cwd": "a\0b"}],
)
def test_an_input_that_nobody_understands_is_asked(stage, raw_input):
    call = {**SHELL, "rawInput": raw_input}
    played = play(stage, call, {"allow": ["Bash(ls *)"], **POLICY}, permission_request="allow_once")
    assert chosen(played) == "proceed_once"
    assert len(played.data("permission_request")) == 1
