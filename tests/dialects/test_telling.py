"""Ids and places: whatever a translation makes of a log, a cut anywhere loses nothing and repeats nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.dialects.telling import Place, Told, ids, place
from holdfast.dialects.texts import Texts
from holdfast.entry import Entry
from holdfast.events import Message, Recorded, Thinking
from tests.dialects.logs import log, told, without_partials
from tests.event_values import final, partial, recorded

counts = st.lists(st.integers(0, 4), max_size=12)
texts = st.text(min_size=1, max_size=6)


def of(number: list[int]) -> tuple[list[Entry], "Translation"]:
    """A log, and a translation that makes so many messages of its entries."""
    return log(*(recorded("usage") for _ in number)), Translation(number)


class Translation:
    def __init__(self, number: list[int]) -> None:
        self.number = number

    def __call__(self, entry: Entry) -> list[Told]:
        return [Told(b"%d of %d" % (part, entry.sequence)) for part in range(self.number[entry.sequence - 1])]


@given(counts, st.data())
def test_what_is_told_before_a_cut_and_after_it_is_the_whole(number: list[int], data: st.DataObject) -> None:
    entries, translate = of(number)
    whole = told(translate, entries)
    cut = data.draw(st.integers(0, len(whole)))
    before = whole[:cut]
    received = place(before[-1][0]) if before else Place()
    assert before + told(translate, entries, received) == whole


@given(counts)
def test_no_two_messages_have_the_same_id_and_the_last_of_an_event_has_its_sequence(number: list[int]) -> None:
    entries, translate = of(number)
    found = [id_ for id_, _ in told(translate, entries)]
    assert len(set(found)) == len(found)
    for sequence, count in enumerate(number, start=1):
        assert (str(sequence) in found) == (count > 0)


@given(st.integers(1, 10**17), st.integers(1, 9))
def test_a_place_is_read_back_from_each_id(sequence: int, count: int) -> None:
    places = [place(id_) for id_ in ids(sequence, count)]
    assert places == [Place(sequence, left) for left in range(count - 1, -1, -1)]


@pytest.mark.parametrize("text", [None, "", "x", "-1", "1.x", "1.", ".1", "٣", "1" * 19, "1.2.3", " 1", "~a"])
def test_what_is_no_id_of_ours_means_the_beginning(text: str | None) -> None:
    assert place(text) == Place()


def test_a_mark_stands_behind_the_position() -> None:
    assert place("42.1~1-message-1:5:0:1") == Place(42, 1, "1-message-1:5:0:1")


# Texts


class Said:
    """Tells the texts of a log as what a client appends: for each text and part, what it is to add."""

    def __init__(self, received: Place) -> None:
        self.texts = Texts(received)

    def __call__(self, entry: Entry) -> list[Told]:
        self.texts.reach(entry.sequence)
        match entry.data:
            case Message() | Thinking() as event:
                return [
                    Told(f"{piece.name}|{piece.text}".encode(), mark=self.texts.mark)
                    for piece in self.texts.take(event)
                    if piece.text
                ]
            case _:
                self.texts.begin()
                return []


def appended(messages: list[tuple[str, Told]]) -> dict[str, str]:
    whole: dict[str, str] = {}
    for _, message in messages:
        name, _, text = message.data.decode().partition("|")
        whole[name] = whole.get(name, "") + text
    return whole


@st.composite
def conversations(draw: st.DrawFn) -> list[Recorded]:
    """Texts of several authors and kinds, in pieces that come in any order, each with its final."""
    lanes: dict[tuple[str, str | None], list[list[str]]] = {
        lane: draw(st.lists(st.lists(texts, max_size=3), max_size=3))
        for lane in (("message", None), ("thinking", None), ("message", "a-1"), ("message", "b,~:é"))
    }
    waiting = {
        lane: [
            entry
            for pieces in found
            for entry in (
                *(partial(piece, lane[0], parent_id=lane[1]) for piece in pieces),
                final("".join(pieces) + draw(st.sampled_from(["", "!"])), lane[0], parent_id=lane[1]),
            )
        ]
        for lane, found in lanes.items()
    }
    come = [recorded("user_message")]
    while any(waiting.values()):
        lane = draw(st.sampled_from([lane for lane, left in waiting.items() if left]))
        come.append(waiting[lane].pop(0))
    return come


@given(conversations(), st.data())
def test_texts_are_told_once_and_whole_also_to_who_comes_back_when_their_pieces_are_gone(
    come: list[Recorded], data: st.DataObject
) -> None:
    entries = log(*come)
    whole = told(Said(Place()), entries)
    finals: dict[str, list[str]] = {}
    for entry in without_partials(entries)[1:]:
        assert isinstance(entry.data, (Message, Thinking))
        lane = f"{entry.type}-{entry.data.parent_id}" if entry.data.parent_id else entry.type
        finals.setdefault(lane, []).append(entry.data.text)
    expected = {
        f"1-{lane}-{number}": text
        for lane, found in finals.items()
        for number, text in enumerate(found, start=1)
        if text
    }
    assert appended(whole) == expected
    assert appended(told(Said(Place()), without_partials(entries))) == expected

    cut = data.draw(st.integers(0, len(whole)))
    before = whole[:cut]
    received = place(before[-1][0]) if before else Place()
    for log_then in (entries, without_partials(entries)):
        assert appended(before + told(Said(received), log_then, received)) == expected


def test_what_was_told_of_a_text_that_was_taken_back_does_not_count() -> None:
    texts = Texts(Place())
    texts.begin()
    for entry in log(partial("Half of"), final("All of it.")):
        assert isinstance(entry.data, Message)
        pieces = texts.take(entry.data)
    assert [(piece.part, piece.text, piece.begins, piece.ends) for piece in pieces] == [
        (1, "", False, True),
        (2, "All of it.", True, True),
    ]


def test_who_was_told_a_text_that_was_then_taken_back_is_told_the_other_one_when_the_pieces_are_gone() -> None:
    entries = log(recorded("user_message"), partial("Half of"), final("All of it."))
    before = told(Said(Place()), entries[:2])
    received = place(before[-1][0])
    assert appended(told(Said(received), without_partials(entries), received)) == {"1-message-1": "All of it."}


@given(st.text(max_size=80))
def test_a_mark_that_is_none_does_no_harm(mark: str) -> None:
    entries = log(recorded("user_message"), final("Hello"))
    received = Place(1, 0, mark)
    if not mark.startswith("1-message-1:"):
        assert appended(told(Said(received), entries, received)) == {"1-message-1": "Hello"}
