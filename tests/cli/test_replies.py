"""Words made into answers: which option is meant, and what is refused before it is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.asking import PermissionOption, QuestionItem
from holdfast.cli.replies import answers_of, decision_of, meant
from holdfast.errors import ConfigError


def option(kind, name):
    return PermissionOption(kind=kind, name=name)


COLOUR = QuestionItem(id="colour", text="?", kind="choice", options=[option("r", "Red"), option("b", "Blue")])
LEVEL = QuestionItem(id="level", text="?", kind="choice", options=[option("2", "Two"), option("1", "One")])
TOPPINGS = QuestionItem(id="top", text="?", kind="choice", many=True, options=[option("a", "A, b"), option("c", "C")])
FREE = QuestionItem(id="free", text="?", kind="choice", free_text=True, options=[option("x", "X")])
SURE = QuestionItem(id="sure", text="?", kind="boolean")


@pytest.mark.parametrize(
    ("item", "word", "means"),
    [
        (COLOUR, "1", "r"),
        (COLOUR, "Blue", "Blue"),
        # What an option is called comes before its number.
        (LEVEL, "1", "1"),
        (TOPPINGS, "1,2", ["a", "c"]),
        (TOPPINGS, "A, b", "A, b"),
        (FREE, "9", "9"),
        (FREE, "1", "x"),
    ],
)
def test_a_number_means_the_option_at_that_place_unless_an_option_is_called_so(item, word, means):
    assert meant(item, word) == means


def test_an_item_that_is_named_twice_is_a_choice_of_several():
    assert answers_of([TOPPINGS], ["top=1", "top=C"]) == {"top": ["a", "c"]}


def test_words_without_a_name_answer_the_items_that_are_left_in_their_order():
    assert answers_of([COLOUR, SURE], ["sure=yes", "2"]) == {"colour": "b", "sure": True}


def test_a_text_with_a_sign_of_equality_is_a_text_if_no_item_is_called_so():
    item = QuestionItem(id="text", text="?")
    assert answers_of([item], ["a=b"]) == {"text": "a=b"}


@pytest.mark.parametrize("words", [["0"], ["3"], ["Green"], ["1", "2"]])
def test_what_cannot_be_meant_is_refused(words):
    with pytest.raises(ConfigError):
        answers_of([COLOUR], words)


@given(st.lists(st.sampled_from(["done", " Yes ", "no"]) | st.text(), max_size=3))
def test_a_question_without_items_is_answered_by_the_word_for_it_and_by_no_other(words):
    if " ".join(words).strip().lower() in ("done", "yes"):
        assert answers_of([], words) == {}
    else:
        with pytest.raises(ConfigError):
            answers_of([], words)


@given(st.text())
def test_a_decision_is_one_of_four_or_refused_with_what_was_said(word):
    try:
        decision = decision_of([word])
    except ConfigError as error:
        decision = None
        told = str(error)
    assert decision in ("allow_once", "allow_session", "allow_project", "deny") or repr(word) in told


@given(st.text())
def test_any_text_is_an_answer_to_a_question_for_a_text(word):
    item = QuestionItem(id="the item's id", text="?")
    assert answers_of([item], [word]) == {"the item's id": word}
