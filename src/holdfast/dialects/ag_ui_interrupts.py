"""What agents ask of people as interrupts of AG-UI, and what comes back for them as our replies; pure."""

from typing import Any, Literal

import msgspec

from holdfast.agents.interface import Reply
from holdfast.agents.values import as_object
from holdfast.asking import PermissionRequest, Question, QuestionItem
from holdfast.errors import BadRequest

_ALLOWING = ("allow_once", "allow_session", "allow_project")
_ABANDONED = "The user gave no answer."
_JSON_TYPES = {"choice": "string", "text": "string", "number": "number", "boolean": "boolean"}


class ResumeEntry(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An answer to one interrupt."""

    interrupt_id: str
    status: Literal["resolved", "cancelled"]
    payload: Any = None


def interrupt_of(asked: PermissionRequest | Question) -> dict[str, Any]:
    if isinstance(asked, PermissionRequest):
        what: dict[str, Any] = {
            "reason": "tool_call" if asked.tool_id else "confirmation",
            "message": asked.title or f"May the agent use {asked.tool_name}?",
            "responseSchema": _approval(asked),
        }
    else:
        what = {"reason": "input_required", "message": asked.text, "responseSchema": _form(asked.questions)}
    if asked.tool_id:
        what["toolCallId"] = asked.tool_id
    return {
        "id": asked.request_id,
        **what,
        "expiresAt": asked.expires_at,
        "metadata": {"holdfast": msgspec.to_builtins(asked)},
    }


def _approval(asked: PermissionRequest) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "approved": {"type": "boolean"},
        "decision": {
            "enum": [option.kind for option in asked.options],
            "description": "How far the approval goes; once, if it is not said.",
        },
        "message": {"type": "string", "description": "For the agent, if it is denied."},
    }
    if asked.editable:
        fields["editedArgs"] = {"type": "object", "description": "Allowed with these instead of the tool's arguments."}
    return {"type": "object", "properties": fields, "required": ["approved"]}


def _form(items: list[QuestionItem]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {item.id: _field(item) for item in items},
        "required": [item.id for item in items if item.required],
    }


def _field(item: QuestionItem) -> dict[str, Any]:
    field: dict[str, Any] = {"type": "integer" if item.whole else _JSON_TYPES[item.kind]}
    if item.options and not item.free_text:
        field["enum"] = [option.kind for option in item.options]
    if item.many:
        field = {"type": "array", "items": field}
    if item.default is not None:
        field["default"] = item.default
    return {"title": item.header or item.text, "description": item.text, **field}


def reply_of(entry: ResumeEntry, asked: PermissionRequest | Question, by: str) -> Reply:
    """Raises BadRequest, which names the interrupt, for what is no answer to it."""
    if entry.status == "cancelled":
        return Reply(decision="deny", by=by, message=_ABANDONED)
    if isinstance(asked, Question):
        return Reply(decision="allow_once", by=by, answers=_answers(entry, asked))
    payload = {"approved": entry.payload} if isinstance(entry.payload, bool) else as_object(entry.payload)
    decision, approved = payload.get("decision"), payload.get("approved")
    if approved is None and decision is not None:
        approved = decision in _ALLOWING
    if not isinstance(approved, bool) or decision not in (*_ALLOWING, "deny", None):
        raise BadRequest(f"The answer to the interrupt {entry.interrupt_id!r} must say whether it is `approved`")
    message = payload.get("message")
    message = message if isinstance(message, str) else None
    if not approved:
        return Reply(decision="deny", by=by, message=message)
    edited = payload.get("editedArgs")
    if edited is not None and not isinstance(edited, dict):
        raise BadRequest(f"The `editedArgs` for the interrupt {entry.interrupt_id!r} must be an object")
    return Reply(
        decision=decision if decision in _ALLOWING else "allow_once", by=by, message=message, tool_input=edited
    )


def _answers(entry: ResumeEntry, asked: Question) -> dict[str, Any]:
    answers = as_object(entry.payload)
    if answers or entry.payload == {}:
        return answers
    if len(asked.questions) == 1 and entry.payload is not None:
        return {asked.questions[0].id: entry.payload}
    raise BadRequest(f"The answer to the interrupt {entry.interrupt_id!r} must be an object with a field for each item")
