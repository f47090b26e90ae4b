"""An agent's own questions put to a person: asked, answered once, expired, cancelled, taken back."""

import pytest

FORM = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
ASK_FORM = f"elicit('q', requestedSchema={FORM!r}, toolCallId='t1')"
ASK_URL = "elicit('q', mode='url', url='https://example.com/login', elicitationId='e-1')"


def play(stage, ask, **options):
    return stage.play(f"prompt = prompted(); {ask}; read(); end(prompt); stay()", **options)


def test_a_form_is_put_to_a_person_and_answered_under_the_agents_id(stage):
    played = play(stage, ASK_FORM, question={"decision": "allow_once", "answers": {"n": "5"}})
    assert played.answers()["q"]["result"] == {"action": "accept", "content": {"n": 5}}
    assert played.types == ["agent_start", "question", "permission_resolved"]
    [question], [resolved] = played.data("question"), played.data("permission_resolved")
    assert (question["text"], question["tool_id"]) == ("Tell me", "t1")
    assert question["questions"] == [{"id": "n", "text": "n", "kind": "number", "whole": True, "required": True}]
    assert resolved == {
        "request_id": question["request_id"],
        "decision": "allow_once",
        "by": "somebody",
        "answers": {"n": "5"},
    }


def test_an_address_is_shown_to_a_person(stage):
    played = play(stage, ASK_URL, question="allow_once")
    assert played.answers()["q"]["result"] == {"action": "accept"}
    [question] = played.data("question")
    assert (question["url"], question["questions"]) == ("https://example.com/login", [])


def test_an_address_that_was_visited_needs_no_other_answer(stage):
    complete = "send(method='elicitation/complete', params={'elicitationId': 'e-1'})"
    played = play(stage, f"{ASK_URL}; {complete}")
    assert played.answers()["q"]["result"] == {"action": "accept"}
    assert [data["by"] for data in played.data("permission_resolved")] == ["agent"]
    assert played.data("agent_update") == []


def test_a_completion_that_nobody_waits_for_is_kept(stage):
    played = stage.play(
        f"""
        prompt = prompted()
        send(method='elicitation/complete', params={{'elicitationId': 'e-1'}})
        {ASK_URL}; read()
        send(method='elicitation/complete', params={{'elicitationId': 'e-1'}})
        send(method='elicitation/complete', params=[5])
        end(prompt); stay()
        """,
        question="deny",
    )
    assert played.answers()["q"]["result"] == {"action": "decline"}
    assert [data["kind"] for data in played.data("agent_update")] == ["elicitation/complete"] * 3


@pytest.mark.requirement("R049")
@pytest.mark.parametrize(
    "params",
    [
        {"mode": "url", "url": "javascript:alert(1)", "elicitationId": "e"},
        {"mode": "url", "url": "file:///etc/passwd", "elicitationId": "e"},
        {"mode": "url"},
        {"mode": "_hologram"},
        {"mode": 5},
        {"message": None},
    ],
)
def test_a_question_that_nobody_could_answer_gets_an_error(stage, params):
    played = play(stage, f"send(id='q', method='elicitation/create', params={params!r})")
    assert played.answers()["q"]["error"]["code"] == -32602
    assert played.data("question") == []
    assert len(played.data("agent_unparsed")) == 1
    assert played.outcome["stop_reason"] == "success"


def test_where_nobody_is_a_question_is_declined_at_once(stage):
    played = play(stage, ASK_FORM, task={"policy": {"unattended": True}})
    assert played.answers()["q"]["result"] == {"action": "decline"}
    assert played.data("question") == []


def test_a_question_that_nobody_answers_is_declined_when_it_expires(stage):
    played = play(stage, ASK_FORM, permission_ttl_s=0.2)
    assert played.answers()["q"]["result"] == {"action": "decline"}


def test_a_cancelled_turn_cancels_its_questions_and_those_that_still_come(stage):
    played = stage.play(
        f"""
        prompt = prompted()
        {ASK_FORM}; read(); read()
        elicit('late', requestedSchema={{}}); read()
        end(prompt, "cancelled"); stay()
        """,
        question="cancel",
    )
    assert [played.answers()[id_]["result"] for id_ in ("q", "late")] == [{"action": "cancel"}] * 2
    assert len(played.data("question")) == 1


@pytest.mark.parametrize("id_", [0, "q-7"])
def test_an_agent_may_take_its_question_back(stage, id_):
    played = stage.play(
        f"""
        prompt = prompted()
        elicit({id_!r}, requestedSchema={{}})
        send(method="$/cancel_request", params={{"requestId": {id_!r}}})
        read(); end(prompt); stay()
        """
    )
    assert played.answers()[id_]["result"] == {"action": "cancel"}
    assert [data["by"] for data in played.data("permission_resolved")] == ["agent"]
    assert played.data("agent_update") == []


def test_a_start_in_which_a_person_must_act_takes_as_long_as_the_person_does(stage):
    played = stage.play(
        """
        initialized()
        new = expect("session/new")
        elicit("q", requestedSchema={"type": "object"}); read()
        reply(new, {"sessionId": SESSION})
        end(expect("session/prompt")); stay()
        """,
        start_timeout_s=5,
        permission_ttl_s=5.5,
    )
    assert played.answers()["q"]["result"] == {"action": "decline"}
    assert played.outcome["stop_reason"] == "success"
    assert played.took_s >= 5.5
    assert played.types[:3] == ["question", "permission_resolved", "agent_start"]


def test_after_a_person_has_acted_the_start_has_its_time_again(stage):
    played = stage.play("initialized(); elicit('q', requestedSchema={}); stay()", start_timeout_s=5, permission_ttl_s=1)
    assert played.outcome["message"] == "the agent did not answer session/new within 5 s"
    assert played.took_s >= 1 + 5
