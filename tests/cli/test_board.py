"""The rows of `holdfast top`: folded from records and events they say what the server's own fold says."""

import json

import msgspec
import pytest

from holdfast.cli.dashboard.board import Board, Row, row_of
from holdfast.cli.dashboard.columns import FIXED, GAP, widths
from holdfast.client import Record
from holdfast.client.events import event_of
from holdfast.state import State
from tests.test_recordings import INDEX, recorded, recording


def record(number=1, **more):
    told = {"status": "running", "task": "the task", "head": 0, "updated_at": "2026-01-05T12:00:00.000Z"} | more
    return Record(
        session_id=f"{number:08x}-0000-4000-8000-000000000000",
        agent="demo",
        workspace="/tmp",
        runs=1,
        created_at="2026-01-05T12:00:00.000Z",
        **told,
    )


def event(envelope):
    return event_of(json.dumps(envelope).encode(), record().session_id, None)


def shown(row: Row) -> tuple:
    return row.head, row.status, row.task, row.stop_reason, row.turns, row.cost, set(row.tools), set(row.requests)


def said(state: State) -> tuple:
    return (
        state.head, state.status, state.task, state.stop_reason, state.num_turns, state.total_cost_usd,
        set(state.open_tools), set(state.open_requests),
    )  # fmt: skip


@pytest.mark.requirement("R085")
@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: entry["name"])
def test_after_every_event_a_row_says_what_the_state_says(entry):
    state, row = State(), None
    for envelope in recording(entry["name"]):
        state.advance(recorded(envelope))
        if row is None:
            row = row_of(record(status="pending", head=1, task=state.task))
        row.take(event(envelope))
        # What a run under way has cost is told by the way, before its end says it for good.
        row.cost = None if state.total_cost_usd is None and state.is_active else row.cost
        assert shown(row) == said(state), envelope


def test_an_event_that_the_record_has_already_changes_nothing():
    row = row_of(record(status="complete", head=9))
    before = msgspec.structs.asdict(row)
    again = {"type": "user_message", "data": {"text": "x"}, "timestamp": "2026-01-05T12:00:01.000Z", "sequence": 9}
    assert row.take(event(again)) is False
    assert msgspec.structs.asdict(row) == before


def test_who_needs_somebody_comes_first_then_who_works_and_each_time_the_newest():
    board = Board()
    at = "2026-01-05T12:00:0{}.000Z".format
    board.load([
        record(1, status="complete", updated_at=at(9)),
        record(2, status="waiting", updated_at=at(1)),
        record(3, status="running", updated_at=at(5)),
        record(4, status="waiting", updated_at=at(2)),
        record(5, status="pending", updated_at=at(6)),
    ])  # fmt: skip
    assert [int(row.session_id[:8], 16) for row in board.shown()] == [4, 2, 5, 3, 1]


def test_an_agent_that_only_works_on_does_not_change_places():
    board = Board()
    board.load([record(1, updated_at="2026-01-05T12:00:01.000Z"), record(2, updated_at="2026-01-05T12:00:02.000Z")])
    before = [row.session_id for row in board.shown()]
    data = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_id": "t"}
    tool = {"type": "tool_start", "data": data, "timestamp": "2026-01-05T13:00:00.000Z", "sequence": 1}
    assert board.get(record(1).session_id).take(event(tool)) is True
    assert [row.session_id for row in board.shown()] == before
    assert board.get(record(1).session_id).waits_for == "Bash make"


def test_a_filter_wants_all_its_words_in_whatever_case():
    board = Board()
    board.load([record(1, task="Fix the Parser"), record(2, task="fix", project_id="Parser"), record(3, task="else")])
    board.filter("FIX parser")
    assert {int(row.session_id[:8], 16) for row in board.shown()} == {1, 2}
    board.filter("")
    assert len(board.shown()) == 3


def test_the_columns_fill_the_width_and_no_more():
    for total in range(80, 240):
        found = widths(total)
        assert sum(found.values()) + GAP * (len(found) - 1) == total
        assert found.items() >= FIXED.items()
