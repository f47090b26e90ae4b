"""Events for the tests of the keeper's parts, and what a reader makes of a row of them."""

from hypothesis import strategies as st

from holdfast.events import Message, Recorded, Thinking, ToolStart, UserMessage

recorded = st.builds(
    Recorded,
    type=st.sampled_from(["message", "tool_start", "error"]),
    data=st.binary(max_size=60),
    at_ms=st.integers(0, 2**41),
    partial=st.booleans(),
)
_parents = st.sampled_from([None, "a"])
partials = st.builds(
    lambda kind, text, parent: kind(text=text, is_partial=True, parent_id=parent),
    st.sampled_from([Message, Thinking]),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=8),
    _parents,
)
wholes = st.builds(UserMessage, text=st.text(st.characters(codec="utf-8"), max_size=30)) | st.builds(
    lambda text, parent: Message(text=text, full_text=text, is_partial=False, parent_id=parent),
    st.text(st.characters(codec="utf-8"), max_size=8),
    _parents,
)
events = partials | wholes


def tool(number):
    return ToolStart(tool_name="t", tool_input={"n": number}, tool_id=str(number))


def delta(text):
    return Message(text=text, is_partial=True)


def joined(row):
    """The row with neighbouring partials of the same text joined: what may not differ, however they were cut."""
    found = []
    for event in row:
        before = found[-1] if found else None
        if (
            isinstance(event, (Message, Thinking))
            and event.is_partial
            and type(before) is type(event)
            and before.is_partial
            and before.parent_id == event.parent_id
        ):
            found[-1] = type(event)(text=before.text + event.text, is_partial=True, parent_id=event.parent_id)
        else:
            found.append(event)
    return found


def decoded(row):
    return [entry.decode() for entry in row]
