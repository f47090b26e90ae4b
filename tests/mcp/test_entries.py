"""Events in few words: all of them, in pieces of any size, without a hole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.client.events import Event, event_of
from holdfast.events import TYPES, Recorded, envelope
from holdfast.mcp.entries import Kind, Widths, entry_of
from holdfast.mcp.gathering import Gathering
from tests.event_values import final, partial, recorded

WIDE = Widths(texts=10_000, tasks=10_000, tools=10_000)
KINDS: frozenset[Kind] = frozenset(Kind.__args__)


def event(written: Recorded, sequence: int) -> Event:
    return event_of(envelope(written, sequence), "s", None)


@pytest.mark.parametrize("name", TYPES)
def test_every_event_is_an_entry_with_a_text_or_nothing_at_all(name: str) -> None:
    entry = entry_of(event(recorded(name), 7), WIDE)
    if entry is not None:
        assert entry.sequence == 7
        assert entry.kind in KINDS
    if name in ("user_message", "permission_request", "question", "stalled", "agent_complete", "error", "cancelled"):
        assert entry is not None, "what an agent must know"


@given(st.text(max_size=50), st.integers(1, 20))
def test_a_text_that_is_cut_says_where_the_whole_one_is(text: str, width: int) -> None:
    entry = entry_of(event(final(text), 5), Widths(texts=width, tasks=1, tools=1))
    assert entry is not None
    if len(text) <= width:
        assert entry.text == text
    else:
        more = f"… [{len(text)} characters; read_session(after=4, limit=1, max_chars=100000)]"
        assert entry.text == text[:width] + more


pieces = st.lists(
    st.sampled_from([final("a"), final("b" * 9_000), partial("c"), recorded("usage"), recorded("thinking")]),
    max_size=30,
)


@given(pieces, st.integers(1, 5))
def test_gathered_again_and_again_from_where_it_stood_each_entry_comes_once(log: list[Recorded], most: int) -> None:
    events = [event(one, number) for number, one in enumerate(log, 1)]
    expected = [entry for one in events if (entry := entry_of(one, WIDE)) is not None and entry.kind != "thinking"]
    found = []
    position, is_full = 0, True
    while is_full:
        gathering = Gathering(position, WIDE, KINDS - {"thinking"}, most=most)
        gathering.take(one for one in events if one.sequence > position)
        assert len(gathering.entries) <= most
        assert sum(len(entry.text) for entry in gathering.entries[:-1]) <= 24_000
        found += gathering.entries
        assert gathering.position > position or not gathering.is_full
        position, is_full = gathering.position, gathering.is_full
    assert found == expected
    assert position == len(log)
