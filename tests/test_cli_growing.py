"""How a text that comes in pieces is put on the screen: nothing of it missing, nothing twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.cli.growing import Growing, settled_blocks, settled_lines

PIECES = [
    "# Head\n",
    "a **word** ",
    "\n",
    "\n\n",
    "- item\n",
    "1. one\n",
    "```\n",
    "code\n",
    "    deep\n",
    "> q\n",
    "\r\n",
    "\r",
]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=8)).map("".join)


@given(texts, st.lists(st.integers(min_value=1, max_value=9)))
def test_what_is_printed_for_good_and_what_the_final_adds_are_the_whole_text(text, sizes):
    growing, printed, at = Growing(), "", 0
    for size in sizes:
        growing.add(text[at : at + size])
        at += size
        printed += growing.take(settled_blocks(growing.pending))
    rest, goes_on = growing.lacks(text)
    assert goes_on
    assert printed + rest == text


@given(texts, st.integers(min_value=0))
def test_one_who_joins_in_the_middle_gets_the_rest_once(text, begin):
    seen = text[begin % (len(text) + 1) :]
    growing = Growing()
    growing.add(seen)
    printed = growing.take(settled_lines(seen))
    rest, goes_on = growing.lacks(text)
    assert goes_on
    assert printed + rest in (seen, text)


def test_pieces_that_were_dropped_on_the_way_are_made_good_by_the_final():
    growing = Growing()
    growing.add("Hel")
    assert growing.take(3) == "Hel"
    assert growing.lacks("Hello world") == ("lo world", True)


def test_a_final_that_does_not_fit_what_was_shown_is_said_whole():
    growing = Growing()
    growing.add("abc")
    growing.take(3)
    assert growing.lacks("xyz") == ("xyz", False)


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("", ""),
        ("one", ""),
        ("one\n\n", ""),
        ("one\n\ntw", ""),
        ("one\n\ntwo\n", "one\n\n"),
        ("- a\n\n- b\n", ""),
        ("- a\n\ntext\n", "- a\n\n"),
        ("```\na\n\nb\n", ""),
        ("```\na\n\nb\n```\nthen\n", "```\na\n\nb\n```\n"),
        ("# Head\ntext\n", "# Head\n"),
    ],
)
def test_a_block_is_settled_once_the_next_has_begun_with_a_whole_line(text, settled):
    assert text[: settled_blocks(text)] == settled
