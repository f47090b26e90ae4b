"""Permission requests: each is answered once, with an option that the agent offers, by its kind."""

import json

import anyio
import msgspec
import pytest
from acp.schema import RequestPermissionRequest

from holdfast.agents.acp_permissions import DECISIONS, Permissions
from holdfast.events import PermissionRequest, PermissionResolved

pytestmark = pytest.mark.anyio

# As real agents name them: the ids are all different, the kinds are not, and hardly any agent offers all four.
OPTIONS = {
    "allow_once": {"optionId": "proceed_once", "name": "Allow", "kind": "allow_once"},
    "allow_always": {"optionId": "approve-for-session", "name": "Always", "kind": "allow_always"},
    "reject_once": {"optionId": "abort", "name": "No", "kind": "reject_once"},
    "reject_always": {"optionId": "never", "name": "Never", "kind": "reject_always"},
}


class Desk:
    """Permissions with what they emitted and wrote."""

    def __init__(self, ttl_s=60.0):
        self.events = []
        self.written = []
        self.expired = anyio.Event()
        self.permissions = Permissions(
            self.emit, lambda data: self.written.append(json.loads(data)), now_ms=lambda: 1000, ttl_s=ttl_s
        )

    def emit(self, event):
        self.events.append(event)
        if isinstance(event, PermissionResolved) and event.by == "expiry":
            self.expired.set()

    def ask(self, *kinds, rpc_id=0, call=None):
        params = {
            "sessionId": "s-1",
            "toolCall": call or {"toolCallId": "t1", "rawInput": {"command": "ls"}},
            "options": [OPTIONS[kind] for kind in kinds],
        }
        RequestPermissionRequest.model_validate(params)
        self.permissions.ask(rpc_id, self.permissions.parse(msgspec.Raw(json.dumps(params).encode())), "execute")
        return self.events[-1].request_id

    def chosen(self):
        return self.written[-1]["result"]["outcome"].get("optionId")


async def test_a_request_is_told_with_all_that_a_person_needs():
    desk = Desk(ttl_s=90)
    request_id = desk.ask("allow_once", "reject_once")
    assert desk.events == [
        PermissionRequest(
            request_id=request_id,
            tool_name="execute",
            tool_input={"command": "ls"},
            tool_id="t1",
            options=desk.events[0].options,
            expires_at="1970-01-01T00:01:31.000Z",
        )
    ]
    assert [(option.kind, option.name) for option in desk.events[0].options] == [
        ("allow_once", "Allow"),
        ("reject_once", "No"),
    ]
    assert desk.written == []


@pytest.mark.parametrize("decision", sorted(DECISIONS))
async def test_the_option_is_chosen_by_its_kind(decision):
    desk = Desk()
    request_id = desk.ask(*OPTIONS)
    assert desk.permissions.answer(request_id, decision, "somebody")
    assert desk.chosen() == OPTIONS[decision]["optionId"]
    assert desk.events[-1] == PermissionResolved(request_id=request_id, decision=decision, by="somebody")


@pytest.mark.parametrize(
    ("offered", "decision", "taken"),
    [
        ("allow_once", "allow_always", "allow_once"),
        ("allow_always", "allow_once", "allow_always"),
        ("reject_once", "reject_always", "reject_once"),
        ("reject_always", "reject_once", "reject_always"),
    ],
)
async def test_a_kind_that_is_not_offered_falls_back_to_the_other_of_the_same_direction(offered, decision, taken):
    desk = Desk()
    others = [kind for kind in OPTIONS if kind.partition("_")[0] != offered.partition("_")[0]]
    desk.permissions.answer(desk.ask(*others, offered), decision, "somebody")
    assert desk.chosen() == OPTIONS[taken]["optionId"]
    assert desk.events[-1].decision == taken


@pytest.mark.parametrize("decision", ["allow_once", "allow_always", "reject_once", "reject_always"])
async def test_an_answer_never_turns_into_its_opposite(decision):
    desk = Desk()
    others = [kind for kind in OPTIONS if kind.partition("_")[0] != decision.partition("_")[0]]
    assert desk.permissions.answer(desk.ask(*others), decision, "somebody")
    assert desk.written[-1]["result"] == {"outcome": {"outcome": "cancelled"}}
    assert desk.events[-1].decision == "cancelled"


async def test_the_first_answer_wins_and_later_ones_do_nothing():
    desk = Desk()
    request_id = desk.ask(*OPTIONS)
    assert desk.permissions.answer(request_id, "reject_once", "a")
    assert not desk.permissions.answer(request_id, "allow_once", "b")
    assert not desk.permissions.answer("never asked", "allow_once", "b")
    desk.permissions.cancel_all()
    assert len(desk.written) == 1
    assert [type(event) for event in desk.events] == [PermissionRequest, PermissionResolved]


@pytest.mark.parametrize("rpc_id", [0, 12, "0", "6ba7b810-9dad"])
async def test_the_answer_carries_the_agents_id_as_it_was(rpc_id):
    desk = Desk()
    desk.permissions.answer(desk.ask("allow_once", rpc_id=rpc_id), "allow_once", "somebody")
    assert desk.written == [
        {"jsonrpc": "2.0", "id": rpc_id, "result": {"outcome": {"outcome": "selected", "optionId": "proceed_once"}}}
    ]


async def test_an_open_request_is_rejected_when_it_expires_and_an_answered_one_is_not():
    desk = Desk(ttl_s=0.05)
    answered = desk.ask(*OPTIONS)
    expiring = desk.ask(*OPTIONS, rpc_id=1)
    desk.permissions.answer(answered, "allow_once", "somebody")
    with anyio.fail_after(5):
        await desk.expired.wait()  # the other one, which was asked earlier, would have expired before
    assert desk.chosen() == "abort"
    assert desk.events[-1] == PermissionResolved(request_id=expiring, decision="reject_once", by="expiry")
    assert len(desk.written) == 2


async def test_a_cancelled_turn_answers_all_open_requests_so():
    desk = Desk()
    requests = [desk.ask(*OPTIONS, rpc_id=number) for number in range(3)]
    desk.permissions.cancel_all()
    desk.permissions.cancel_all()
    assert [answer["id"] for answer in desk.written] == [0, 1, 2]
    assert all(answer["result"] == {"outcome": {"outcome": "cancelled"}} for answer in desk.written)
    assert [event.request_id for event in desk.events[3:]] == requests


async def test_request_ids_cannot_be_guessed_or_met_again():
    desk = Desk()
    assert len({desk.ask("allow_once", rpc_id=number) for number in range(100)}) == 100
    assert all(len(event.request_id) == 32 for event in desk.events)


@pytest.mark.requirement("R029")
async def test_what_a_person_reads_is_free_of_escapes_and_bounded():
    desk = Desk()
    huge = {"toolCallId": "t1", "rawInput": {"command": "\x1b[31mls\x1b[0m", "file": "x" * 300_000}}
    desk.ask("allow_once", call=huge)
    assert "\x1b" not in str(desk.events[0].tool_input)
    assert len(str(desk.events[0].tool_input)) < 270_000
    small = {"toolCallId": "t1", "rawInput": {"command": "\x1b[31mls\x1b[0m"}}
    desk.ask("allow_once", call=small)
    assert desk.events[1].tool_input == {"command": "ls"}
