"""The life cycle: which event may follow which, and what a log's events say of its session."""

import copy
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import events
from holdfast.errors import EventRefused
from holdfast.events import TERMINAL, TYPES, Recorded, StopReason, record
from holdfast.state import ACTIVE, END, OVER, STATUSES, TRANSITIONS, State, Status
from tests.event_values import AT_MS, final, partial, recorded, sample
from tests.lives import BEGIN, fold, histories

PROTOCOL = (Path(__file__).parent.parent / "PROTOCOL.md").read_text()

# A way to each status. Whatever a type's sample needs open (the tool t, the request r) is open where it can be.
WAYS: dict[Status | None, tuple[Recorded, ...]] = {
    None: (),
    "pending": BEGIN[:1],
    "running": BEGIN,
    "waiting": (*BEGIN, recorded("question", request_id="other")),
    "complete": (*BEGIN, recorded("agent_complete")),
    "failed": (*BEGIN, recorded("error")),
    "cancelled": (*BEGIN, recorded("cancelled")),
    "paused": (*BEGIN, recorded("cancelled", stop_reason="paused")),
    "interrupted": (*BEGIN, recorded("error", stop_reason="interrupted")),
}

ENDS: dict[StopReason, Status] = {
    "success": "complete",
    "error_max_turns": "failed",
    "error_max_budget_usd": "failed",
    "error_during_execution": "failed",
    "error_max_structured_output_retries": "failed",
    "cancelled": "cancelled",
    "paused": "paused",
    "refusal": "failed",
    "max_tokens": "failed",
    "timeout": "failed",
    "idle_timeout": "failed",
    "max_output": "failed",
    "max_memory": "failed",
    "process_exit": "failed",
    "start_failed": "failed",
    "auth_failed": "failed",
    "interrupted": "interrupted",
}


def close(state: State) -> list[Recorded]:
    """Everything that must come before an end, as a session writes it."""
    keys = [key.partition(" ") for key in state.open_texts]
    finals = [final("whole", kind, parent_id=parent or None) for kind, _, parent in keys]
    return [*finals, *(record(event, AT_MS + 5) for event in state.closing(AT_MS + 5, session_id="s"))]


@pytest.mark.requirement("R085")
@given(histories)
def test_any_event_advances_the_state_or_is_refused_and_leaves_it_alone(history: list[Recorded]) -> None:
    state = State()
    for entry in history:
        before = copy.deepcopy(state)
        try:
            state.advance(entry)
        except EventRefused:
            assert state == before
        else:
            assert state.head == before.head + 1
            assert state.status in STATUSES
            assert (before.status, entry.type) in TRANSITIONS


@given(histories, st.integers(0, 40))
def test_the_state_is_a_fold_of_the_log_however_often_it_was_stored_on_the_way(
    history: list[Recorded], cut: int
) -> None:
    state, log = State(), []
    for entry in history:
        try:
            state.advance(entry)
        except EventRefused:
            continue
        log.append(entry)
    assert fold(log) == state
    stored = msgspec.json.decode(msgspec.json.encode(fold(log[:cut])), type=State)
    assert fold(log[cut:], stored) == state


@pytest.mark.requirement("R083", "R085")
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("status", WAYS)
def test_an_event_comes_only_where_the_protocol_has_a_place_for_it(status: Status | None, name: str) -> None:
    state = fold(WAYS[status])
    assert state.status == status
    if status in ("running", "waiting"):
        state.advance(recorded("tool_start"))
        if name != "tool_complete":
            state.advance(recorded("tool_complete"))
        if name == "permission_resolved":
            state.advance(recorded("permission_request"))
        if name in TERMINAL:
            fold(close(state), state)
    allowed = {
        None: {"user_message"},
        "pending": {"session_connect", *TERMINAL},
        "running": set(TYPES) - {"user_message", "session_connect", "discarded", "imported"},
        "waiting": set(TYPES) - {"user_message", "session_connect", "discarded", "imported"},
        "paused": {"user_message", "discarded", "imported"},
        "interrupted": {"user_message", "discarded", "imported"},
    }.get(status, {"user_message", "imported"})
    before = copy.deepcopy(state)
    if name in allowed:
        state.advance(recorded(name))
        assert state.head == before.head + 1
    else:
        with pytest.raises(EventRefused, match=name):
            state.advance(recorded(name))
        assert state == before


@pytest.mark.requirement("R085")
@pytest.mark.parametrize("status", sorted(OVER))
def test_a_terminal_status_is_left_only_by_a_new_task(status: Status) -> None:
    leaving = {kind: after for (before, kind), after in TRANSITIONS.items() if before == status}
    # What is paused or interrupted can be given up, and is then cancelled: still over.
    may_be_discarded = status in ("paused", "interrupted")
    assert leaving.pop("imported") == status
    assert leaving == {"user_message": "pending", **({"discarded": "cancelled"} if may_be_discarded else {})}
    state = fold((*WAYS[status], *BEGIN))
    assert (state.status, state.runs) == ("running", 2)
    assert state.stop_reason is state.termination_info is state.resumable is None


def test_every_status_is_either_active_or_over_and_the_protocols_page_names_them_all() -> None:
    assert frozenset(STATUSES) == ACTIVE | OVER == WAYS.keys() - {None}
    assert not ACTIVE & OVER
    named = PROTOCOL.partition("`status` is `pending`")[2].partition("the last five")
    assert set(re.findall(r"`(\w+)`", "`pending`" + named[0])) == set(STATUSES)


@pytest.mark.requirement("R085", "R086", "R103", "R105")
@pytest.mark.parametrize("reason", ENDS)
@pytest.mark.parametrize("name", sorted(TERMINAL))
def test_the_stop_reason_decides_the_status_whatever_the_event(name: str, reason: StopReason) -> None:
    state = fold((*BEGIN, recorded(name, stop_reason=reason)))
    assert state.status == ENDS[reason]
    assert state.stop_reason == reason


@pytest.mark.requirement("R104")
def test_the_stop_reasons_are_those_of_the_protocols_page() -> None:
    named = PROTOCOL.partition("`stop_reason` [R103]")[2].partition("the agent's own word")[0]
    assert set(re.findall(r"`(\w+)`", named)) == set(get_args(StopReason)) == ENDS.keys() == END.keys()


@pytest.mark.requirement("R036")
@given(histories)
def test_closing_leaves_nothing_open_and_then_an_end_may_come(history: list[Recorded]) -> None:
    state = State()
    for entry in history:
        try:
            state.advance(entry)
        except EventRefused:
            continue
    if not state.is_active:
        return
    tools, requests, connected = dict(state.open_tools), list(state.open_requests), state.connected
    closing = [state.advance(entry) for entry in close(state)]
    assert not state.open_tools
    assert not state.open_requests
    assert not state.open_texts
    assert not state.connected
    ended = [event for event in closing if isinstance(event, events.ToolComplete)]
    assert [event.tool_id for event in ended] == list(tools)
    assert all(event.is_error and event.outcome == "unknown" for event in ended)
    assert all(event.tool_name == tools[event.tool_id].name for event in ended)
    assert [event.request_id for event in closing if isinstance(event, events.PermissionResolved)] == requests
    # R044: session_disconnect comes just before the terminal event, if there was a session_connect.
    assert [index for index, event in enumerate(closing) if isinstance(event, events.SessionDisconnect)] == (
        [len(closing) - 1] if connected else []
    )
    state.advance(recorded("error"))
    assert state.status in OVER


@pytest.mark.requirement("R035", "R036")
def test_a_tool_that_was_cut_off_is_closed_with_the_time_it_really_took() -> None:
    state = fold((*BEGIN, record(sample("tool_start"), AT_MS)))
    (closed, _) = state.closing(AT_MS + 1_234, session_id="s")
    assert isinstance(closed, events.ToolComplete)
    assert closed.duration_ms == 1_234


@pytest.mark.requirement("R036", "R083")
@pytest.mark.parametrize(
    "open_", [recorded("tool_start"), recorded("question"), partial("Hel"), partial("Hm", "thinking", parent_id="a")]
)
def test_an_end_is_refused_while_anything_of_its_run_is_open(open_: Recorded) -> None:
    state = fold((*BEGIN, open_))
    for name in TERMINAL:
        with pytest.raises(EventRefused, match="closed before its end"):
            state.advance(recorded(name))


@pytest.mark.requirement("R036")
@pytest.mark.parametrize(
    ("before", "twice"),
    [
        ([], recorded("agent_start")),
        ([], recorded("tool_start")),
        ([recorded("tool_start")], recorded("tool_complete")),
        ([], recorded("permission_request")),
        ([], recorded("question")),
        ([recorded("permission_request")], recorded("permission_resolved")),
    ],
    ids=lambda value: value.type if isinstance(value, Recorded) else "",
)
def test_what_comes_once_is_refused_the_second_time(before: list[Recorded], twice: Recorded) -> None:
    state = fold((*BEGIN, *before, twice))
    with pytest.raises(EventRefused):
        state.advance(twice)


def test_a_session_waits_until_its_last_request_is_answered() -> None:
    ask, answer = ("permission_request", "permission_resolved")
    steps = [(ask, "a"), (ask, "b"), (answer, "a"), (answer, "b")]
    state = fold(BEGIN)
    seen = [(state.advance(recorded(name, request_id=id_)), state.status)[1] for name, id_ in steps]
    assert seen == ["waiting", "waiting", "waiting", "running"]


@pytest.mark.requirement("R069")
def test_settled_is_where_the_first_open_text_began() -> None:
    steps = [
        (partial("Hm", "thinking"), 2),
        (partial("m"), 2),
        (final("Hm", "thinking"), 3),
        (partial("more"), 3),
        (final("mmore"), 7),
        (partial("of a subagent", parent_id="a"), 7),
        (partial("own"), 7),
        (final("own"), 7),
        (final("of a subagent", parent_id="a"), 11),
    ]
    state = fold(BEGIN)
    assert [(state.advance(entry), state.settled)[1] for entry, _ in steps] == [settled for _, settled in steps]


@pytest.mark.requirement("R082", "R093", "R094", "R106", "R113")
@pytest.mark.parametrize("started", [True, False])
@pytest.mark.parametrize(
    ("name", "reason"), [("cancelled", "cancelled"), ("cancelled", "paused"), ("error", "timeout")]
)
def test_the_end_says_what_the_record_shows(name: str, reason: StopReason, started: bool) -> None:
    costs = {"num_turns": 3, "duration_ms": 1200, "total_cost_usd": 0.5, "usage": {"in": 1}}
    end = recorded(name, stop_reason=reason, agent_stop_reason="tired", **costs)
    state = fold((*BEGIN, *([recorded("agent_start")] if started else []), end))
    assert {field: getattr(state, field) for field in costs} == costs
    assert (state.stop_reason, state.agent_stop_reason) == (reason, "tired")
    assert state.termination_info == end.decode().termination_info  # type: ignore[attr-defined]
    assert state.resumable == (started if name == "cancelled" else None)


@pytest.mark.requirement("R016")
def test_the_agents_own_session_is_the_one_it_reported_last() -> None:
    state = fold((*BEGIN, recorded("agent_start", agent_session_id="one", model="small")))
    assert (state.agent_session_id, state.model) == ("one", "small")
    fold((recorded("agent_complete", agent_session_id="two", model="large"), *BEGIN), state)
    assert (state.agent_session_id, state.model) == ("two", "large")
    fold((recorded("agent_start"),), state)
    assert (state.agent_session_id, state.model) == ("two", "large")
