"""Events for the tests of a run's meter, and a meter that has seen some."""

from holdfast.events import (
    AgentStart,
    Message,
    PermissionRequest,
    PermissionResolved,
    Question,
    ToolComplete,
    ToolStart,
)
from holdfast.keeper.limits import Meter
from holdfast.limits import Limits

START = AgentStart(session_id="s", agent="a", task="t", tools=[], skills=[])
ASKED = PermissionRequest(request_id="r", tool_name="t", tool_input={}, options=[], expires_at="")
QUESTION = Question(request_id="r", text="?", questions=[], expires_at="")
ANSWERED = PermissionResolved(request_id="r", decision="allow_once", by="p")


def piece(text, parent=None, kind=Message):
    return kind(text=text, is_partial=True, parent_id=parent)


def whole(text, parent=None, kind=Message):
    return kind(text=text, full_text=text, is_partial=False, parent_id=parent)


def tool(id_="1", **given_):
    return ToolStart(tool_name="Bash", tool_input=given_, tool_id=id_)


def done(id_="1", result=""):
    return ToolComplete(tool_name="Bash", tool_id=id_, result=result, duration_ms=0, is_error=False)


def meter(*happened, **limits):
    """A meter made at 100 s that has seen these in the same moment."""
    made = Meter(Limits(**limits), 100.0)
    for event in happened:
        made.observe(event, 100.0)
    return made
