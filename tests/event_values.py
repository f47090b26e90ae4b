"""Any event that the protocol allows, made from the types themselves: a new field is tried without a word here."""

import types
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from hypothesis import strategies as st

from holdfast import events
from holdfast.events import Event, Recorded

# 2026-01-05T12:34:56.789Z
AT_MS = 1_767_616_496_789

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)

moments = st.integers(0, 4_102_444_799_999)


def _of(kind: Any) -> st.SearchStrategy[Any]:
    if kind is Any:
        return json_values
    if kind is type(None):
        return st.none()
    origin = get_origin(kind)
    if origin is Literal:
        return st.sampled_from(get_args(kind))
    if origin in (Union, types.UnionType):
        return st.one_of(*(_of(part) for part in get_args(kind)))
    if origin is list:
        return st.lists(_of(get_args(kind)[0]), max_size=3)
    if origin is dict:
        return st.dictionaries(*map(_of, get_args(kind)), max_size=3)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return values(kind)
    return {
        str: st.text(),
        int: st.integers(-(2**63), 2**63 - 1),
        bool: st.booleans(),
        float: st.floats(allow_nan=False, allow_infinity=False),
    }[kind]


def values(kind: type[Any]) -> st.SearchStrategy[Any]:
    """All values of a struct, with and without each field that may be unset."""
    hints = {field.name: field.type for field in msgspec.structs.fields(kind)}
    return st.builds(kind, **{name: _of(hint) for name, hint in hints.items()})


def sample(name: str, **fields: Any) -> Event:
    """The plainest event of a type, with the fields that matter to a test."""
    plain = {
        "user_message": {"text": "Add a test"},
        "session_connect": {"session_id": "s"},
        "agent_start": {"session_id": "s", "agent": "demo", "task": "Add a test", "tools": [], "skills": []},
        "thinking": {"text": "Hm", "full_text": "Hm", "is_partial": False},
        "message": {"text": "Hello", "full_text": "Hello", "is_partial": False},
        "tool_start": {"tool_name": "Read", "tool_input": {}, "tool_id": "t"},
        "tool_complete": {"tool_name": "Read", "tool_id": "t", "result": "", "duration_ms": 1, "is_error": False},
        "output_display": {"output": "", "error": "", "comments": "", "result_files": [], "status": ""},
        "todo_update": {"todos": []},
        "usage": {},
        "permission_request": {
            "request_id": "r",
            "tool_name": "Bash",
            "tool_input": {},
            "options": [],
            "expires_at": "2026-01-05T12:34:56.789Z",
        },
        "permission_resolved": {"request_id": "r", "decision": "allow_once", "by": "local"},
        "question": {
            "request_id": "q",
            "text": "Which?",
            "questions": [],
            "expires_at": "2026-01-05T12:34:56.789Z",
        },
        "agent_retry": {"attempt": 1, "delay_ms": 10},
        "rate_limit": {"status": "allowed_warning"},
        "compacted": {"trigger": "auto"},
        "stalled": {"waiting_on": "model", "idle_ms": 300_000},
        "forked": {"from_session_id": "p", "from_run": 1},
        "discarded": {"message": "Gone"},
        "imported": {"from_session_id": "p", "exported_at": "2026-01-05T12:34:56.789Z", "by": "local"},
        "recovered": {"message": "Back"},
        "agent_unparsed": {"text": "???"},
        "agent_update": {"kind": "mode", "update": {}},
        "profile_switch": {"profile_type": "a", "profile_name": "b", "tools": []},
        "hook_triggered": {"hook_event": "a", "tool_name": "b", "decision": "deny", "message": "no"},
        "conversation_turn": {
            "turn_number": 1,
            "prompt_preview": "a",
            "response_preview": "b",
            "duration_ms": 1,
            "tools_used": [],
        },
        "session_disconnect": {"session_id": "s", "total_turns": 1, "total_duration_ms": 1},
        "agent_complete": {"status": "COMPLETE", "stop_reason": "success", "termination_info": _info("completed")},
        "error": {
            "message": "It broke",
            "error_type": "process_exit",
            "stop_reason": "process_exit",
            "termination_info": _info("error"),
        },
        "cancelled": {
            "message": "Task was cancelled",
            "resumable": True,
            "stop_reason": "cancelled",
            "termination_info": _info("terminated"),
        },
    }[name]
    return events.TYPES[name](**{**plain, **fields})


def recorded(name: str, **fields: Any) -> Recorded:
    return events.record(sample(name, **fields), AT_MS)


def partial(text: str, name: str = "message", **fields: Any) -> Recorded:
    """A piece of a text, as it comes from an agent that is still writing."""
    return recorded(name, text=text, full_text=None, is_partial=True, **fields)


def final(text: str, name: str = "message", **fields: Any) -> Recorded:
    return recorded(name, text=text, full_text=text, **fields)


def _info(reason: Literal["completed", "error", "terminated"]) -> events.TerminationInfo:
    return events.TerminationInfo(reason=reason, terminated_by="daemon" if reason == "terminated" else "agent")
