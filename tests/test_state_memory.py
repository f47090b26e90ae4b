"""What a session's state remembers beyond its status: what it waits for, what was allowed, where it comes from."""

import msgspec
import pytest

from holdfast.events import Recorded, record
from holdfast.state import OVER, Status
from holdfast.times import timestamp
from holdfast.waiting import detail_of
from tests.event_values import AT_MS, recorded, sample
from tests.lives import BEGIN, fold
from tests.test_state import WAYS


@pytest.mark.parametrize("status", ["paused", "interrupted"])
def test_what_was_discarded_cannot_be_taken_up_again(status: Status) -> None:
    way = WAYS[status]
    begun = (
        recorded("agent_start", agent_session_id="one"),
        recorded("todo_update", todos=[{"content": "a", "status": "pending"}]),
    )
    state = fold((*BEGIN, *begun, way[-1]))
    assert (state.resumable, state.agent_session_id) == (True, "one")
    fold((recorded("discarded"),), state)
    assert (state.status, state.resumable) == ("cancelled", False)
    assert state.agent_session_id is state.todos is None
    # Why the run ended is still what it was.
    assert state.stop_reason == status
    assert state.is_discarded
    again = fold((*BEGIN, recorded("cancelled")), state)
    assert (again.status, again.is_discarded) == ("cancelled", False)


def test_what_waits_for_a_person_is_kept_as_it_was_asked() -> None:
    asked = recorded("permission_request", request_id="a", tool_input={"command": "make"})
    question = recorded("question", request_id="b")
    state = fold((*BEGIN, asked, question))
    assert {
        id_: (request.type, bytes(request.data), request.at_ms) for id_, request in state.open_requests.items()
    } == {
        "a": ("permission_request", asked.data, AT_MS),
        "b": ("question", question.data, AT_MS),
    }
    fold((recorded("permission_resolved", request_id="a"),), state)
    assert list(state.open_requests) == ["b"]


def test_what_a_person_allowed_for_the_session_outlives_the_run() -> None:
    def answered(id_: str, **fields: object) -> tuple[Recorded, Recorded]:
        return recorded("permission_request", request_id=id_), recorded("permission_resolved", request_id=id_, **fields)

    once = answered("a")
    session = answered("b", decision="allow_session", rule="Bash(make)")
    again = answered("c", decision="allow_project", rule="Bash(make)")
    state = fold((*BEGIN, *once, *session, *again, recorded("agent_complete"), *BEGIN))
    assert state.granted == ["Bash(make)"]


def test_a_session_knows_what_it_was_forked_from() -> None:
    state = fold((*BEGIN, recorded("forked", from_session_id="p", from_run=2), recorded("agent_complete"), *BEGIN))
    assert state.forked_from is not None
    assert (state.forked_from.session_id, state.forked_from.run) == ("p", 2)


def test_going_on_is_no_task_of_its_own() -> None:
    state = fold((*BEGIN, WAYS["paused"][-1], recorded("user_message", text="Continue", resume="continue")))
    assert (state.task, state.runs) == ("Add a test", 2)
    fold((recorded("cancelled"), recorded("user_message", text="Add another")), state)
    assert state.task == "Add another"


@pytest.mark.requirement("R187")
def test_the_limit_that_was_reached_is_named_until_the_next_run() -> None:
    state = fold((*BEGIN, recorded("error", stop_reason="timeout", limit="timeout_s")))
    assert state.limit == "timeout_s"
    assert fold(BEGIN, state).limit is None


def waits_for(*entries: Recorded) -> dict[str, object]:
    waiting = fold(entries).waiting_on
    assert waiting is not None
    return msgspec.to_builtins(waiting)


def at(ms: int, name: str, **fields: object) -> Recorded:
    return record(sample(name, **fields), AT_MS + ms)


def test_a_run_tells_what_it_waits_for_and_since_when() -> None:
    began, later, last = (timestamp(AT_MS + ms) for ms in (0, 1_000, 2_000))
    bash = at(1_000, "tool_start", tool_id="one", tool_name="Bash", tool_input={"command": "make"})
    read = at(2_000, "tool_start", tool_id="two", tool_name="Read", tool_input={"file_path": "a.py"})
    assert waits_for(BEGIN[0]) == {"kind": "start", "since": began}
    assert waits_for(*BEGIN) == {"kind": "start", "since": began}
    started = (*BEGIN, at(1_000, "agent_start"))
    assert waits_for(*started) == {"kind": "model", "since": later}
    assert waits_for(*started, bash) == {
        "kind": "tool", "since": later, "tool_name": "Bash", "tool_id": "one", "detail": "make"
    }  # fmt: skip
    # Of several the one that began last.
    assert waits_for(*started, bash, read)["tool_id"] == "two"
    asked = (at(1_000, "question", request_id="a"), at(2_000, "permission_request", request_id="b"))
    # A person comes before all else, since only a person can do something about it.
    assert waits_for(*started, bash, *asked) == {"kind": "person", "since": later}
    assert waits_for(*started, bash, *asked, at(3_000, "permission_resolved", request_id="a"))["since"] == last


@pytest.mark.parametrize("status", [None, *sorted(OVER)])
def test_a_session_without_a_run_under_way_waits_for_nothing(status: Status | None) -> None:
    assert fold(WAYS[status]).waiting_on is None


def test_a_stalled_run_says_so_until_something_happens_and_waits_since_before() -> None:
    silent = (*BEGIN, at(1_000, "agent_start"), at(9_000, "stalled"))
    assert waits_for(*silent) == {"kind": "model", "since": timestamp(AT_MS + 1_000), "stalled": True}
    assert "stalled" not in waits_for(*silent, at(9_500, "message"))
    state = fold((*silent, recorded("agent_complete"), *BEGIN))
    assert not state.stalled


@pytest.mark.parametrize(
    ("tool_input", "detail"),
    [
        ({"command": "make", "description": "Builds"}, "make"),
        ({"file_path": "a.py", "old_string": "a"}, "a.py"),
        ({"path": "src"}, "src"),
        ({"url": "http://example.com"}, "http://example.com"),
        ({"pattern": "TODO"}, "TODO"),
        ({"command": ["make", "all"], "path": "src"}, "src"),
        ({"command": "x" * 1_000}, "x" * 199 + "…"),
        ({"number": 1}, None),
        ({"command": ""}, None),
        ("make", None),
        (None, None),
    ],
)
def test_what_a_tool_call_is_about_is_told_in_a_line(tool_input: object, detail: str | None) -> None:
    assert detail_of(tool_input) == detail
