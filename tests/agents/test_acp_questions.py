"""An agent's own questions: its form becomes items, answers come back in the form's types, addresses are of the web."""

import pytest
from acp import schema
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from holdfast.agents.acp_questions import Elicitation
from holdfast.agents.interface import Reply
from holdfast.events import PermissionOption, QuestionItem

REQUEST = TypeAdapter(schema.CreateFormSessionElicitationRequest)

NAME = {"type": "string", "title": "Name", "description": "What shall it be called?", "default": "x"}
COLOUR = {"type": "string", "title": "Colour", "enum": ["red", "blue"]}
SIZE = {
    "type": "string",
    "oneOf": [
        {"const": "s", "title": "Small", "description": "fits in a pocket"},
        {"const": "l", "title": "Large"},
    ],
}
COUNT = {"type": "integer", "title": "How many?"}
PRICE = {"type": "number", "default": 1.5}
SURE = {"type": "boolean", "description": "Really?", "default": False}
TOPPINGS = {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "default": ["a"]}
TITLED = {"type": "array", "items": {"anyOf": [{"const": "a", "title": "First"}, {"const": "b", "title": "Second"}]}}


def asked(required=(), **fields):
    form = {"type": "object", "properties": fields, "required": list(required)}
    REQUEST.validate_python({"sessionId": "s-1", "message": "m", "mode": "form", "requestedSchema": form})
    return Elicitation(message="m", requestedSchema=form)


def option(kind, name, description=None):
    return PermissionOption(kind=kind, name=name, description=description)


@pytest.mark.parametrize(
    ("field", "item"),
    [
        (NAME, QuestionItem(id="f", text="What shall it be called?", header="Name", default="x")),
        (
            COLOUR,
            QuestionItem(id="f", text="Colour", kind="choice", options=[option("red", "red"), option("blue", "blue")]),
        ),
        (
            SIZE,
            QuestionItem(
                id="f",
                text="f",
                kind="choice",
                options=[option("s", "Small", "fits in a pocket"), option("l", "Large")],
            ),
        ),
        (COUNT, QuestionItem(id="f", text="How many?", kind="number", whole=True)),
        (PRICE, QuestionItem(id="f", text="f", kind="number", default=1.5)),
        (SURE, QuestionItem(id="f", text="Really?", kind="boolean", default=False)),
        (
            TOPPINGS,
            QuestionItem(
                id="f",
                text="f",
                kind="choice",
                options=[option(letter, letter) for letter in "abc"],
                many=True,
                default=["a"],
            ),
        ),
        (
            TITLED,
            QuestionItem(
                id="f", text="f", kind="choice", options=[option("a", "First"), option("b", "Second")], many=True
            ),
        ),
        ({"type": "_date"}, QuestionItem(id="f", text="f")),
    ],
    ids=["text", "enum", "oneOf", "integer", "number", "boolean", "array", "titled array", "unknown"],
)
def test_every_kind_of_field_becomes_an_item(field, item):
    assert asked(f=field).items == [item]


def test_what_must_be_answered_is_told_and_the_order_is_the_forms():
    items = asked(["b"], a=NAME, b=COUNT, c=SURE).items
    assert [(item.id, item.required) for item in items] == [("a", False), ("b", True), ("c", False)]


@pytest.mark.requirement("R029")
def test_what_a_person_reads_is_free_of_escapes():
    [item] = asked(f={"type": "string", "title": "\x1b[31mred\x1b[0m", "enum": ["\x1b[1mx"]}).items
    assert item.text == "red"
    assert item.options == [option("\x1b[1mx", "x")]


@pytest.mark.parametrize(
    ("field", "said", "content"),
    [
        (NAME, "y", "y"),
        (NAME, "", ""),
        (NAME, 7, "7"),
        (NAME, True, "true"),
        (COLOUR, "blue", "blue"),
        (COLOUR, ["blue"], "blue"),
        (SIZE, "l", "l"),
        (SIZE, "Large", "l"),
        (COUNT, 3, 3),
        (COUNT, "3", 3),
        (COUNT, 3.0, 3),
        (COUNT, "-12", -12),
        (PRICE, "2.5", 2.5),
        (PRICE, 2, 2),
        (SURE, True, True),
        (SURE, "true", True),
        (SURE, "No", False),
        (TOPPINGS, ["a", "c"], ["a", "c"]),
        (TOPPINGS, "b", ["b"]),
        (TOPPINGS, [], []),
        (TITLED, ["Second", "a"], ["b", "a"]),
        ({"type": "_date"}, "1 May", "1 May"),
    ],
)
def test_an_answer_comes_back_in_the_type_of_its_field(field, said, content):
    result = asked(f=field).result(Reply(decision="allow_once", by="p", answers={"f": said}))
    assert result == {"action": "accept", "content": {"f": content}}
    assert type(result["content"]["f"]) is type(content)
    schema.AcceptElicitationResponse.model_validate(result)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        (NAME, {"a": 1}),
        (NAME, ["a", "b"]),
        (COLOUR, "green"),
        (COLOUR, ["red", "blue"]),
        (COUNT, "three"),
        (COUNT, 3.5),
        (COUNT, True),
        (COUNT, "inf"),
        (PRICE, "nan"),
        (PRICE, {}),
        (SURE, "perhaps"),
        (SURE, 1),
        (TOPPINGS, ["a", "z"]),
        (TOPPINGS, [7]),
        ({"type": "_date"}, {"day": 1}),
    ],
)
def test_an_answer_that_its_field_does_not_allow_is_none(field, said):
    reply = Reply(decision="allow_once", by="p", answers={"f": said})
    assert asked(f=field).result(reply) == {"action": "cancel"}


def test_what_was_not_answered_is_left_out_unless_the_form_needs_it():
    form = asked(["b"], a=NAME, b=PRICE)
    assert form.result(Reply(decision="allow_once", by="p")) == {"action": "accept", "content": {"b": 1.5}}
    form = asked(["b"], b=COUNT)
    assert form.result(Reply(decision="allow_once", by="p", answers={"other": 1})) == {"action": "cancel"}


@pytest.mark.parametrize(("decision", "action"), [("deny", "decline"), ("cancelled", "cancel")])
@pytest.mark.parametrize("mode", ["form", "url"])
def test_no_and_no_answer_are_told_apart(mode, decision, action):
    form = Elicitation(message="m", mode=mode, url="https://example.com", requestedSchema={})
    assert form.result(Reply(decision=decision, by="p", answers={"f": 1})) == {"action": action}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
fields = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "integer", "number", "boolean", "array", "object", None, 5])},
    optional=dict.fromkeys(("title", "description", "enum", "oneOf", "anyOf", "items", "default"), json_values),
)


@settings(deadline=None)
@given(json_values | st.fixed_dictionaries({"properties": st.dictionaries(st.text(), fields)}), json_values)
def test_no_form_and_no_answer_can_break_it(form, said):
    question = Elicitation(message="m", requestedSchema=form)
    ids = [item.id for item in question.items]
    result = question.result(Reply(decision="allow_once", by="p", answers=dict.fromkeys(ids, said)))
    assert result["action"] in ("accept", "cancel")
