"""The folders of this machine, one level at a time, for choosing a workspace."""

import os
from itertools import islice
from pathlib import Path

import msgspec

from holdfast.errors import BadWorkspace
from holdfast.sessions.files import can_be_told

# A folder with more entries is none that somebody picks from; the bound keeps its listing short in time and space.
_LOOKED_AT = 50_000
_LISTED = 500


class FolderList(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str
    folders: list[str]
    """Names, without the hidden ones."""
    truncated: bool
    parent: str | None = None


def subfolders(path: str) -> FolderList:
    """Raises BadWorkspace if it is not the absolute path of a folder that can be read; `~` is the server's home."""
    whole = _whole(path)
    try:
        with os.scandir(whole) as entries:
            looked_at = list(islice(entries, _LOOKED_AT + 1))
    except (OSError, ValueError) as reason:
        why = reason.strerror if isinstance(reason, OSError) else str(reason)
        raise BadWorkspace(f"The folder {path!r} cannot be read: {why}") from reason
    found = [entry.name for entry in looked_at[:_LOOKED_AT] if can_be_told(entry.name) and _is_folder(entry)]
    names = sorted(found, key=str.casefold)
    return FolderList(
        path=whole,
        folders=names[:_LISTED],
        truncated=len(names) > _LISTED or len(looked_at) > _LOOKED_AT,
        parent=None if whole == "/" else str(Path(whole).parent),
    )


def _whole(path: str) -> str:
    if path == "~" or path.startswith("~/"):
        try:
            path = str(Path(path).expanduser())
        except RuntimeError as reason:
            raise BadWorkspace(f"The folder {path!r} is not known: the server's user has no home") from reason
    if not path.startswith("/"):
        raise BadWorkspace(f"The folder {path!r} is not an absolute path")
    # POSIX keeps two slashes at the front; here they mean nothing.
    return "/" + os.path.normpath(path).lstrip("/")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    if entry.name.startswith("."):
        return False
    try:
        return entry.is_dir()
    except OSError:  # a link that leads nowhere we may look
        return False
