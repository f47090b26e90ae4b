"""Answers to questions: each in the form that its item wants, or refused with the item's name."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.asking import Misfit, PermissionOption, QuestionItem, fitted

OPTIONS = [PermissionOption(kind="s", name="Small"), PermissionOption(kind="l", name="Large")]
SIZE = QuestionItem(id="size", text="?", kind="choice", options=OPTIONS, required=True)
SIZES = QuestionItem(id="sizes", text="?", kind="choice", options=OPTIONS, many=True)
OWN_WORDS = QuestionItem(id="own", text="?", kind="choice", options=OPTIONS, free_text=True)
COUNT = QuestionItem(id="count", text="?", kind="number", whole=True)
PRICE = QuestionItem(id="price", text="?", kind="number")
SURE = QuestionItem(id="sure", text="?", kind="boolean")
NOTE = QuestionItem(id="note", text="?")


@pytest.mark.parametrize(
    ("item", "given", "said"),
    [
        (SIZE, "s", "s"),
        (SIZE, "Large", "l"),
        (SIZE, ["Large"], "l"),
        (SIZES, "s", ["s"]),
        (SIZES, ["Large", "s"], ["l", "s"]),
        (SIZES, [], []),
        (OWN_WORDS, "Large", "l"),
        (OWN_WORDS, "as it comes", "as it comes"),
        (OWN_WORDS, 7, "7"),
        (COUNT, "12", 12),
        (COUNT, 12.0, 12),
        (COUNT, "9" * 400, int("9" * 400)),
        (PRICE, "2.5", 2.5),
        (SURE, " Yes", True),
        (NOTE, True, "true"),
    ],
)
def test_an_answer_gets_the_form_that_its_item_wants(item, given, said):
    found = fitted([item], {item.id: given})
    assert found == {item.id: said}
    assert type(found[item.id]) is type(said)


@pytest.mark.parametrize(
    ("item", "given"),
    [
        (SIZE, "medium"),
        (SIZE, ["s", "l"]),
        (SIZE, []),
        (SIZE, {"s": True}),
        (SIZES, ["s", "medium"]),
        (OWN_WORDS, {"in": "my words"}),
        (COUNT, 1.5),
        (COUNT, True),
        (COUNT, "1e999"),
        (PRICE, "nan"),
        (PRICE, "cheap"),
        (PRICE, None),
        (SURE, "perhaps"),
        (SURE, 1),
        (NOTE, {"a": 1}),
        (NOTE, ["a", "b"]),
    ],
)
def test_an_answer_that_its_item_cannot_have_is_refused_by_name(item, given):
    with pytest.raises(Misfit, match=f"'{item.id}'"):
        fitted([msgspec.structs.replace(item, required=True)], {item.id: given})


def test_what_is_not_asked_and_what_is_lacking_are_refused_by_name():
    with pytest.raises(Misfit, match="'colour', 'smell'"):
        fitted([SIZE], {"size": "s", "smell": "sweet", "colour": "red"})
    with pytest.raises(Misfit, match="'size'"):
        fitted([SIZE, COUNT], {"count": 1})


def test_what_need_not_be_answered_is_left_out_and_a_default_stands_for_what_must_be():
    assert fitted([COUNT, NOTE], {"note": None}) == {}
    assert fitted([QuestionItem(id="n", text="?", kind="number", required=True, default=3)], {}) == {"n": 3}
    assert fitted([QuestionItem(id="n", text="?", kind="number", default=3)], {}) == {}


values = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["s", "Large", "yes"])
ITEMS = [SIZES, OWN_WORDS, COUNT, PRICE, SURE, NOTE]
answers = st.fixed_dictionaries({}, optional={item.id: values | st.lists(values, max_size=2) for item in ITEMS})


@settings(deadline=None)
@given(answers)
def test_what_was_made_to_fit_fits(given):
    try:
        found = fitted(ITEMS, given)
    except Misfit:
        return
    assert fitted(ITEMS, found) == found
