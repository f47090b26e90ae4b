"""What an AG-UI client sends, as a task of ours; pure.

Rule 1: what is not known is passed over, as the protocol wants it; what stands under `holdfast` is ours, and a mistake
in it is refused by name.
Rule 2: of the messages only the last one of the user counts: the agent has its own memory of the thread.
"""

import hashlib
import mimetypes
from typing import Annotated, Any

import msgspec

from holdfast.agents.values import as_list, as_object, as_objects
from holdfast.dialects.ag_ui import DIALECT
from holdfast.dialects.ag_ui_interrupts import ResumeEntry
from holdfast.errors import BadRequest
from holdfast.events import Origin
from holdfast.sessions.attachments import Attachments, GivenAttachment
from holdfast.sessions.next_order import Work
from holdfast.sessions.orders import RunConfig

_TASK_CHARACTERS = 1_000_000
_ONLY_FILES = "Look at the attached files."
# Without NUL: PostgreSQL has no place for it in a text.
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=r"^[^\x00]+$")]


class GivenMessage(msgspec.Struct, frozen=True, kw_only=True):
    role: str
    content: Any = None


class GivenContext(msgspec.Struct, frozen=True, kw_only=True):
    description: str
    value: str


class RunInput(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A request to run an agent; `tools` are the front end's own, which agents here cannot call."""

    thread_id: Id
    run_id: Id
    messages: list[GivenMessage]
    context: list[GivenContext] | None = None
    forwarded_props: Any = None
    resume: list[ResumeEntry] | None = None


class Props(RunConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `forwardedProps.holdfast` may say."""

    project_id: Id | None = None
    workspace: str | None = None


def props_of(given: RunInput) -> Props:
    """Raises BadRequest."""
    ours = as_object(given.forwarded_props).get("holdfast", {})
    try:
        return msgspec.convert(ours, Props)
    except msgspec.ValidationError as error:
        raise BadRequest(f"`forwardedProps.holdfast` does not fit: {error}") from error


def work_of(given: RunInput, props: Props) -> Work:
    """The task that the input asks for; raises BadRequest."""
    message = next((message for message in reversed(given.messages) if message.role == "user"), None)
    if message is None:
        raise BadRequest(f"None of the {len(given.messages)} messages is one of the user")
    said, files = _content(message.content)
    if not said.strip() and not files:
        raise BadRequest("The user's last message is empty")
    said = said if said.strip() else _ONLY_FILES
    if given.context:
        said += "\n\nContext:\n" + "\n".join(f"- {entry.description}: {entry.value}" for entry in given.context)
    if len(said) > _TASK_CHARACTERS:
        raise BadRequest(f"The user's last message has {len(said)} characters; at most {_TASK_CHARACTERS} are possible")
    try:
        attachments = msgspec.convert([msgspec.to_builtins(file) for file in files], Attachments)
    except msgspec.ValidationError as error:
        raise BadRequest(f"The files of the user's last message do not fit: {error}") from error
    origin = Origin(dialect=DIALECT, request=given.run_id)
    return Work(task=said, config=props.alone, attachments=attachments, origin=origin)


def fingerprint(work: Work, agent: str) -> str:
    """What makes two requests for a run the same one. A client that asks again may know more messages by then."""
    asked = [agent, work.task, *(f"{file.name} {file.media_type} {file.data}" for file in work.attachments)]
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()


def _content(content: Any) -> tuple[str, list[GivenAttachment]]:
    if isinstance(content, str):
        return content, []
    texts: list[str] = []
    files: list[GivenAttachment] = []
    for part in as_objects(as_list(content)):
        if part.get("type") == "text":
            texts.append(str(part.get("text", "")))
            continue
        source = _source(part)
        media_type = source.get("mimeType") or part.get("mimeType") or "application/octet-stream"
        if source.get("type") == "data":
            name = part.get("filename") or _name(str(part.get("type")), len(files) + 1, str(media_type))
            files.append(GivenAttachment(name=str(name), media_type=str(media_type), data=str(source.get("value"))))
        elif source.get("type") == "url":
            # Fetched by nobody here: the agent may, if it is allowed to.
            texts.append(f"[{part.get('type')}: {source.get('value')}]")
    return "\n".join(texts), files


def _source(part: dict[str, Any]) -> dict[str, Any]:
    """Where the bytes of a part are; those of `binary`, which clients before 1.0 send, stand in the part itself."""
    if part.get("type") != "binary":
        return as_object(part.get("source"))
    kind = next((name for name in ("data", "url") if part.get(name)), "file")
    return {"type": kind, "value": part.get(kind), "mimeType": part.get("mimeType")}


def _name(kind: str, number: int, media_type: str) -> str:
    return f"{kind}-{number}{mimetypes.guess_extension(media_type) or ''}"
