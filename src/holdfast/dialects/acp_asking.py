"""What agents ask, as ACP clients are asked it, and what these answer. Pure.

The id of a request to a client names the session and the request of the log: whichever server gets the answer, and
whenever, understands it.
"""

from typing import Any

import msgspec

from holdfast.agents.interface import Decision, Reply
from holdfast.agents.values import as_object
from holdfast.asking import PermissionRequest, Question, QuestionItem
from holdfast.dialects import acp_rpc as rpc
from holdfast.dialects.acp_params import Abilities
from holdfast.dialects.acp_updates import content_of, kind_of, title_of
from holdfast.errors import BadRequest

_PREFIX = "holdfast"
_KINDS: dict[Decision, str] = {
    "allow_once": "allow_once",
    "allow_session": "allow_always",
    "allow_project": "allow_always",
    "deny": "reject_once",
}
_DECLINE = "decline"
# Beside a choice that takes other words too.
_OTHER = " (other)"


def id_of(session_id: str, request_id: str) -> str:
    return f"{_PREFIX}:{session_id}:{request_id}"


def asked_in(id_: object) -> tuple[str, str] | None:
    """The session and the request that an answer is for; None if it answers nothing that was asked here."""
    prefix, _, rest = id_.partition(":") if isinstance(id_, str) else ("", "", "")
    session_id, _, request_id = rest.rpartition(":")
    return (session_id, request_id) if prefix == _PREFIX and session_id and request_id else None


# Asking


def permission(session_id: str, event: PermissionRequest) -> bytes:
    call: dict[str, Any] = {
        "toolCallId": event.tool_id or event.request_id,
        "title": event.title or title_of(event.tool_name, event.tool_input),
        "kind": kind_of(None, event.tool_name),
        "status": "pending",
        "rawInput": event.tool_input,
    }
    if shown := content_of(event.tool_name, event.tool_input):
        call["content"] = shown
    options = [
        {"optionId": option.kind, "name": option.name, "kind": _KINDS[option.kind]}
        for option in event.options
        # Without a rule nothing could be allowed beyond this call.
        if option.kind in _KINDS and (event.rule is not None or option.kind in ("allow_once", "deny"))
    ]
    meta = {name: value for name in ("reason", "rule", "expires_at") if (value := getattr(event, name)) is not None}
    params = {"sessionId": session_id, "toolCall": call, "options": options, "_meta": meta}
    return rpc.request(id_of(session_id, event.request_id), "session/request_permission", params)


def is_request(event: PermissionRequest | Question, client: Abilities) -> bool:
    """Whether the client can answer it; else it is only told of it."""
    if isinstance(event, PermissionRequest):
        return True
    return (client.urls if event.url is not None else client.forms) or _choices(event) is not None


def question(session_id: str, event: Question, client: Abilities) -> bytes:
    id_ = id_of(session_id, event.request_id)
    about: dict[str, Any] = {"sessionId": session_id, "message": event.text}
    if event.tool_id is not None:
        about["toolCallId"] = event.tool_id
    if event.url is not None and client.urls:
        elicited = {**about, "mode": "url", "url": event.url, "elicitationId": event.request_id}
        return rpc.request(id_, "elicitation/create", elicited)
    if event.url is None and client.forms:
        return rpc.request(id_, "elicitation/create", {**about, "mode": "form", "requestedSchema": _form(event)})
    if (choices := _choices(event)) is not None:
        call = {"toolCallId": event.tool_id or event.request_id, "title": _asked(event), "status": "pending"}
        options = [
            {"optionId": str(number), "name": name, "kind": "allow_once"} for number, (name, _) in enumerate(choices)
        ]
        options.append({"optionId": _DECLINE, "name": "Decline", "kind": "reject_once"})
        params = {"sessionId": session_id, "toolCall": call, "options": options}
        return rpc.request(id_, "session/request_permission", params)
    return _said(session_id, event)


def withdrawn(session_id: str, request_id: str) -> bytes:
    """Somebody else has answered, or nobody needs to any more."""
    return rpc.notification("$/cancel_request", {"requestId": id_of(session_id, request_id)})


def _asked(event: Question) -> str:
    words = [event.text, *(item.text for item in event.questions if item.text not in event.text)]
    return "\n".join(word for word in words if word)


def _said(session_id: str, event: Question) -> bytes:
    where = f"Open {event.url} to answer." if event.url else "Answer it in Holdfast's web page or with its API."
    text = f"\n\n**A question waits for you:** {_asked(event)}\n\n{where}\n\n"
    update = {
        "sessionUpdate": "agent_message_chunk",
        "messageId": f"question-{event.request_id}",
        "content": {"type": "text", "text": text},
        "_meta": {"request_id": event.request_id},
    }
    return rpc.notification("session/update", {"sessionId": session_id, "update": update})


def _choices(event: Question) -> list[tuple[str, Any]] | None:
    """Name and value of what can be chosen, if one choice is all that is asked."""
    if event.url is not None or len(event.questions) != 1:
        return None
    item = event.questions[0]
    if item.kind == "boolean":
        return [("Yes", True), ("No", False)]
    if item.options and not item.many:
        return [(option.name, option.kind) for option in item.options]
    return None


def _form(event: Question) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for item in event.questions:
        properties[item.id] = _property(item)
        if item.options and item.free_text:
            properties[item.id + _OTHER] = {"type": "string", "title": f"{item.header or item.text}: something else"}
    # Where other words will do, the choice itself need not be made.
    required = [item.id for item in event.questions if item.required and not item.free_text]
    return {"type": "object", "properties": properties, "required": required}


def _property(item: QuestionItem) -> dict[str, Any]:
    named: dict[str, Any] = {"title": item.header or item.text}
    if item.header:
        named["description"] = item.text
    if item.kind == "boolean":
        shape: dict[str, Any] = {"type": "boolean"}
    elif item.kind == "number":
        shape = {"type": "integer" if item.whole else "number"}
    elif item.options:
        options = [{"const": option.kind, "title": option.name} for option in item.options]
        shape = {"type": "array", "items": {"anyOf": options}} if item.many else {"type": "string", "oneOf": options}
    else:
        shape = {"type": "string"}
    if item.default is not None:
        shape["default"] = item.default
    return named | shape


# Answering


def reply_to(asked: PermissionRequest | Question, result: msgspec.Raw, by: str) -> Reply | None:
    """What the client's answer decides; None if nothing: then the request stays open for others.

    Raises BadRequest for an answer that is none.
    """
    try:
        given = as_object(msgspec.json.decode(bytes(result) or b"null"))
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadRequest(f"The answer is not JSON: {error}") from error
    if "action" in given and isinstance(asked, Question):
        return _elicited(asked, given, by)
    outcome = as_object(given.get("outcome"))
    if outcome.get("outcome") != "selected":
        # A client that nobody sits at answers so, too: it decides nothing for those who do.
        return None
    chosen = outcome.get("optionId")
    if isinstance(asked, PermissionRequest):
        for decision in _KINDS:
            if chosen == decision:
                return Reply(decision=decision, by=by)
        raise BadRequest(f"The option {chosen!r} was not offered; there were: {', '.join(_KINDS)}")
    choices = _choices(asked) or []
    if chosen == _DECLINE:
        return Reply(decision="deny", by=by)
    for number, (_, value) in enumerate(choices):
        if chosen == str(number):
            return Reply(decision="allow_once", by=by, answers={asked.questions[0].id: value})
    raise BadRequest(f"The option {chosen!r} was not offered")


def _elicited(asked: Question, given: dict[str, Any], by: str) -> Reply | None:
    if given["action"] == "cancel":  # the question was put away, not answered
        return None
    if given["action"] != "accept":
        return Reply(decision="deny", by=by)
    content = as_object(given.get("content"))
    answers: dict[str, Any] = {}
    for item in asked.questions:
        value = content.get(item.id + _OTHER) or content.get(item.id)
        if value is not None:
            answers[item.id] = value
    return Reply(decision="allow_once", by=by, answers=answers)
