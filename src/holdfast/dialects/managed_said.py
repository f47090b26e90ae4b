"""What clients of Anthropic's sessions API say, as typed values, and what it means here: pure.

What the API has and Holdfast does not (files by id, tools of one's own, outcomes) is refused by name, not passed over.
"""

import base64
import contextlib
from collections.abc import Sequence
from mimetypes import guess_extension
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from holdfast.agents.interface import Reply
from holdfast.asking import Question
from holdfast.errors import BadRequest
from holdfast.sessions.attachments import GivenAttachment

_BLOCKS = 100
_EVENTS = 50


class _Part(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """One of several shapes, told apart by `type`."""


class Text(_Part, frozen=True, kw_only=True, tag="text", forbid_unknown_fields=True):
    text: str


class Base64Source(_Part, frozen=True, kw_only=True, tag="base64"):
    data: str
    media_type: Annotated[str, Meta(pattern=r"^[\w.+-]+/[\w.+-]+$", max_length=200)]


class TextSource(_Part, frozen=True, kw_only=True, tag="text"):
    data: str
    media_type: str = "text/plain"


class UrlSource(_Part, frozen=True, kw_only=True, tag="url"):
    url: str


class FileSource(_Part, frozen=True, kw_only=True, tag="file"):
    file_id: str


Source = Base64Source | TextSource | UrlSource | FileSource


class Image(_Part, frozen=True, kw_only=True, tag="image"):
    source: Source


class Document(_Part, frozen=True, kw_only=True, tag="document"):
    source: Source
    title: Annotated[str, Meta(max_length=500)] | None = None
    context: str | None = None


class Redacted(_Part, frozen=True, kw_only=True, tag="redacted"):
    pass


class SearchResult(_Part, frozen=True, kw_only=True, tag="search_result"):
    title: str


class UserMessage(_Part, frozen=True, kw_only=True, tag="user.message", forbid_unknown_fields=True):
    content: Annotated[list[Text | Image | Document | Redacted], Meta(max_length=_BLOCKS)]


class Interrupt(_Part, frozen=True, kw_only=True, tag="user.interrupt", forbid_unknown_fields=True):
    session_thread_id: str | None = None


class Confirmation(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    tag="user.tool_confirmation",
    forbid_unknown_fields=True,
):
    tool_use_id: str
    result: Literal["allow", "deny"]
    deny_message: Annotated[str, Meta(max_length=100_000)] | None = None


class CustomToolResult(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    tag="user.custom_tool_result",
    forbid_unknown_fields=True,
):
    custom_tool_use_id: str
    content: Annotated[list[Text | Image | Document | SearchResult], Meta(max_length=_BLOCKS)] = []
    is_error: bool | None = None


class ToolResult(_Part, frozen=True, kw_only=True, tag="user.tool_result"):
    tool_use_id: str


class DefineOutcome(_Part, frozen=True, kw_only=True, tag="user.define_outcome"):
    pass


class SystemMessage(_Part, frozen=True, kw_only=True, tag="system.message"):
    pass


Said = UserMessage | Interrupt | Confirmation | CustomToolResult | ToolResult | DefineOutcome | SystemMessage
Effective = UserMessage | Interrupt | Confirmation | CustomToolResult
SaidList = Annotated[list[Said], Meta(min_length=1, max_length=_EVENTS)]

_NOT_HERE = {
    ToolResult: "user.tool_result: the agent runs its tools itself",
    DefineOutcome: "user.define_outcome: say in a user.message what is to come of it",
    SystemMessage: "system.message: agents bring their own system prompt; say it in a user.message",
}


def effective(said: Sequence[Said]) -> list[Effective]:
    """The events, if all of them can be done here; raises BadRequest, which names one that cannot."""
    able: list[Effective] = []
    is_busy = False
    for number, event in enumerate(said):
        if isinstance(event, ToolResult | DefineOutcome | SystemMessage):
            raise BadRequest(f"events[{number}] is not possible here: {_NOT_HERE[type(event)]}")
        if isinstance(event, Interrupt):
            if event.session_thread_id is not None:
                thread = event.session_thread_id
                raise BadRequest(f"events[{number}] cannot interrupt the thread {thread!r}: a session has just one")
            is_busy = False
        if isinstance(event, UserMessage):
            task_of(event)
            if is_busy:
                raise BadRequest(
                    f"events[{number}] is a second user.message: messages are not queued; send it when the session is "
                    "idle, or a user.interrupt before it"
                )
            is_busy = True
        if isinstance(event, Confirmation) and event.deny_message is not None and event.result == "allow":
            raise BadRequest(f"events[{number}] allows, and has the deny_message {event.deny_message!r}")
        able.append(event)
    return able


def task_of(message: UserMessage) -> tuple[str, list[GivenAttachment]]:
    """The task, and the files that come with it; raises BadRequest."""
    texts: list[str] = []
    files: list[GivenAttachment] = []
    for number, block in enumerate(message.content):
        match block:
            case Text():
                texts.append(block.text)
            case Image() | Document():
                files.append(_file(block, number))
            case Redacted():
                raise BadRequest(f"content[{number}] is redacted: there is nothing in it for an agent")
    task = "\n\n".join(texts)
    if not task.strip():
        raise BadRequest("The content has no text: an agent needs to be told what to do")
    if len(task) > 1_000_000:
        raise BadRequest(f"The text of a message has at most 1000000 characters, not {len(task)}")
    return task, files


def _file(block: Image | Document, number: int) -> GivenAttachment:
    kind = "image" if isinstance(block, Image) else "document"
    title = block.title if isinstance(block, Document) and block.title else None
    match block.source:
        case Base64Source() as source:
            name = title or f"{kind}-{number + 1}{guess_extension(source.media_type) or ''}"
            return GivenAttachment(name=name, media_type=source.media_type, data=source.data)
        case TextSource() as source:
            data = base64.b64encode(source.data.encode()).decode()
            return GivenAttachment(name=title or f"{kind}-{number + 1}.txt", media_type="text/plain", data=data)
        case UrlSource() as source:
            raise BadRequest(f"content[{number}] is the URL {source.url!r}: send what is there, as base64")
        case FileSource() as source:
            raise BadRequest(f"content[{number}] is the file {source.file_id!r}: there are no uploaded files here")


def decision_of(confirmation: Confirmation, by: str) -> Reply:
    if confirmation.result == "allow":
        return Reply(decision="allow_once", by=by)
    return Reply(decision="deny", by=by, message=confirmation.deny_message)


def answers_of(result: CustomToolResult, question: Question, by: str) -> Reply:
    """The answers: a JSON object `{item: value}`, or plain text if there is just one item; raises BadRequest."""
    texts = [block.text for block in result.content if isinstance(block, Text)]
    if len(texts) != len(result.content):
        raise BadRequest("A question is answered by text, not by images or documents")
    text = "\n\n".join(texts)
    if result.is_error:
        return Reply(decision="deny", by=by, message=text or None)
    answers: Any = None
    with contextlib.suppress(msgspec.DecodeError, RecursionError):
        answers = msgspec.json.decode(text)
    if not isinstance(answers, dict):
        if len(question.questions) != 1:
            ids = ", ".join(repr(item.id) for item in question.questions)
            raise BadRequest(f"The answer {text[:100]!r} is not a JSON object with the answers to {ids}")
        answers = {question.questions[0].id: text}
    return Reply(decision="allow_once", by=by, answers=answers)  # pyright: ignore[reportUnknownArgumentType]
