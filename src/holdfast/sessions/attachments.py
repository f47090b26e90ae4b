"""Files that come with a task: checked, and put where the agent can read them."""

import base64
import binascii
import errno
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from holdfast.agents.interface import GivenFile
from holdfast.errors import BadRequest, StoreError, StoreFull
from holdfast.events import Attachment

_UNSAFE = re.compile(r"[^\w.\- ]")
_NAME_BYTES = 120


class GivenAttachment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=500)]
    media_type: Annotated[str, Meta(pattern=r"^[\w.+-]+/[\w.+-]+$", max_length=200)] = "application/octet-stream"
    data: str
    """Base64."""


Attachments = Annotated[list[GivenAttachment], Meta(max_length=50)]


class Decoded(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    media_type: str
    content: bytes

    @property
    def shown(self) -> Attachment:
        return Attachment(name=self.name, media_type=self.media_type, size=len(self.content))


def decode(given: Sequence[GivenAttachment]) -> list[Decoded]:
    """Raises BadRequest that names the attachment whose data is no Base64."""
    decoded: list[Decoded] = []
    for attachment in given:
        try:
            content = base64.b64decode(attachment.data, validate=True)
        except (binascii.Error, ValueError) as error:
            raise BadRequest(f"The attachment {attachment.name!r} is not Base64: {error}") from error
        decoded.append(Decoded(name=attachment.name, media_type=attachment.media_type, content=content))
    return decoded


def given_files(files: Sequence[Decoded], folder: Path) -> list[GivenFile]:
    """Where each will stand: under its own name as far as that is a name, and never outside the folder."""
    found: list[GivenFile] = []
    for number, file in enumerate(files, 1):
        name = _UNSAFE.sub("_", file.name.replace("\\", "/").rpartition("/")[2]).lstrip(".") or "file"
        # In bytes, as the file system counts: a name may be of letters that take four.
        short = name.encode()[-_NAME_BYTES:].decode("utf-8", "ignore")
        path = folder / f"{number}-{short}"
        found.append(GivenFile(path=str(path), name=file.name, media_type=file.media_type))
    return found


def write(files: Sequence[Decoded], given: Sequence[GivenFile]) -> None:
    """Raises StoreFull or StoreError."""
    try:
        for file, place in zip(files, given, strict=True):
            path = Path(place.path)
            _make_private(path.parent)
            path.write_bytes(file.content)
    except OSError as error:
        kind = StoreFull if error.errno in (errno.ENOSPC, errno.EDQUOT) else StoreError
        raise kind(f"The attachments cannot be written: {error.strerror}") from error


def _make_private(folder: Path) -> None:
    """With its parents, one by one: mkdir would give its mode to the last of them only."""
    if not folder.exists():
        _make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
