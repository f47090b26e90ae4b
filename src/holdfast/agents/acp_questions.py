"""An ACP agent's own questions (elicitation): its form, which is a flat JSON schema, as items for a person. Pure."""

from typing import Any

import msgspec

from holdfast.agents.desk import ALLOWING
from holdfast.agents.interface import Reply
from holdfast.agents.values import as_object, as_objects, as_text, as_texts, bounded
from holdfast.asking import Misfit, fitted
from holdfast.events import PermissionOption, QuestionItem


class Elicitation(msgspec.Struct, frozen=True):
    message: str = ""
    mode: str = "form"
    requestedSchema: Any = None  # noqa: N815 - the protocol's names
    elicitationId: str = ""  # noqa: N815
    url: str = ""
    toolCallId: str | None = None  # noqa: N815

    @property
    def is_understood(self) -> bool:
        """Whether it is of a mode that we know. An address is opened by a person's browser, so it must be one of the
        web: a `javascript:` or `file:` one would do something else there."""
        if self.mode == "url":
            return self.url.startswith(("https://", "http://"))
        return self.mode == "form"

    @property
    def items(self) -> list[QuestionItem]:
        if self.mode == "url":
            return []
        schema = as_object(self.requestedSchema)
        required = as_texts(schema.get("required"))
        return [_item(id_, field, id_ in required) for id_, field in _fields(schema)]

    def result(self, reply: Reply) -> dict[str, Any]:
        """What the agent is told."""
        if reply.decision == "deny":
            return {"action": "decline"}
        if reply.decision not in ALLOWING:
            return {"action": "cancel"}
        if self.mode == "url":
            return {"action": "accept"}
        try:
            return {"action": "accept", "content": fitted(self.items, reply.answers or {})}
        except Misfit:
            return {"action": "cancel"}  # an answer that the form does not allow is none


def _fields(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(id_, as_object(field)) for id_, field in as_object(schema.get("properties")).items()]


def _item(id_: str, field: dict[str, Any], is_required: bool) -> QuestionItem:
    options = _options(field)
    title, description = as_text(field.get("title")), as_text(field.get("description"))
    kind = "text"
    match field.get("type"):
        case "number" | "integer":
            kind = "number"
        case "boolean":
            kind = "boolean"
        case _ if options:
            kind = "choice"
        case _:
            pass
    return QuestionItem(
        id=id_,
        text=description or title or id_,
        kind=kind,
        header=title if description else None,
        options=options or None,
        many=field.get("type") == "array",
        whole=field.get("type") == "integer",
        required=is_required,
        default=bounded(field.get("default")),
    )


def _options(field: dict[str, Any]) -> list[PermissionOption]:
    """What can be chosen: `kind` is the value that the agent wants, `name` what a person reads."""
    source = as_object(field.get("items")) if field.get("type") == "array" else field
    titled = as_objects(source.get("oneOf") or source.get("anyOf"))
    if titled:
        return [
            PermissionOption(
                kind=value,
                name=as_text(option.get("title")) or value,
                description=as_text(option.get("description")),
            )
            for option in titled
            if isinstance(value := option.get("const"), str)
        ]
    return [PermissionOption(kind=value, name=as_text(value) or value) for value in as_texts(source.get("enum"))]
