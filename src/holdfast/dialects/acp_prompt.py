"""A prompt's content blocks as a task: its text, and files that come with it. Pure."""

import base64
from typing import Any
from urllib.parse import unquote, urlsplit

from holdfast.agents.values import as_object
from holdfast.errors import BadRequest
from holdfast.sessions.attachments import GivenAttachment

_ONLY_FILES = "See the attached files."
_TASK_CHARACTERS = 1_000_000
_FILES = 50
_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}


def work_of(blocks: list[Any]) -> tuple[str, list[GivenAttachment]]:
    """Raises BadRequest that names the block that is none."""
    text = ""
    files: list[GivenAttachment] = []
    for number, given in enumerate(blocks, 1):
        block = as_object(given)
        match block.get("type"):
            case "text":
                text += _text(block, "text", number)
            case "resource_link":
                uri = _text(block, "uri", number)
                text += _link(block.get("name") or name_of(uri), uri)
            case "resource":
                file, uri = _resource(as_object(block.get("resource")), number)
                files.append(file)
                text += _link(file.name, uri)
            case "image":
                files.append(_image(block, number, len(files) + 1))
            case kind:
                raise BadRequest(f"Block {number} of the prompt is of the type {kind!r}, which is not taken here")
    if len(files) > _FILES:
        raise BadRequest(f"The prompt has {len(files)} files; at most {_FILES} are taken")
    if not text.strip():
        if not files:
            raise BadRequest("The prompt says nothing")
        text = _ONLY_FILES
    if len(text) > _TASK_CHARACTERS:
        raise BadRequest(f"The prompt has {len(text)} characters; at most {_TASK_CHARACTERS} are taken")
    return text, files


def name_of(uri: str) -> str:
    try:
        path = urlsplit(uri).path
    except ValueError:  # not every text is an address; it is a name all the same
        return uri
    return unquote(path).rstrip("/").rpartition("/")[2] or uri


def _link(name: Any, uri: str) -> str:
    return f"[@{name}]({uri})"


def _text(block: dict[str, Any], name: str, number: int) -> str:
    value = block.get(name)
    if not isinstance(value, str):
        raise BadRequest(f"Block {number} of the prompt has no {name}")
    return value


def _resource(resource: dict[str, Any], number: int) -> tuple[GivenAttachment, str]:
    uri = _text(resource, "uri", number)
    if isinstance(resource.get("blob"), str):
        data, usual = resource["blob"], "application/octet-stream"
    else:
        data, usual = base64.b64encode(_text(resource, "text", number).encode()).decode(), "text/plain"
    return GivenAttachment(name=name_of(uri)[-500:], media_type=_media_type(resource, usual), data=data), uri


def _image(block: dict[str, Any], number: int, index: int) -> GivenAttachment:
    media_type = _media_type(block, "image/png")
    uri = block.get("uri")
    name = name_of(uri) if isinstance(uri, str) and uri else f"image-{index}.{_ENDINGS.get(media_type, 'img')}"
    return GivenAttachment(name=name[-500:], media_type=media_type, data=_text(block, "data", number))


def _media_type(block: dict[str, Any], usual: str) -> str:
    given = block.get("mimeType")
    return given if isinstance(given, str) and given.count("/") == 1 else usual
