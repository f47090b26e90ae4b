"""The files of a session's workspace: which ones changed, and one of them to read.

Rule 1: nothing outside of the workspace is ever opened. A path is opened one name at a time, each below the folder
opened before it and never through a link, so that an agent that swaps a folder for a link meanwhile gains nothing.
Rule 2: looking takes bounded time and space, however large the workspace is.
"""

import contextlib
import os
import stat
import time
from collections import deque
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from holdfast.errors import BadWorkspace, FileTooLarge, NotFound, NotText
from holdfast.times import timestamp

LISTED = 500
LOOKED_AT = 20_000
SECONDS = 1.0
DOWNLOAD_BYTES = 100 * 1024 * 1024
TEXT_BYTES = 256 * 1024

# What tools fill and nobody wrote: to look through them would use up the bound.
SKIPPED = frozenset(
    {
        *(".git", ".hg", ".jj", ".svn"),
        *("node_modules", "bower_components", ".venv", "venv", ".tox", ".nox", "__pycache__"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".gradle", ".next", ".turbo", ".parcel-cache"),
    }
)

_LAST_MS = 253_402_300_799_999  # 9999-12-31T23:59:59.999Z

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without waiting: a pipe that nobody writes to would hold the reader for ever.
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW | os.O_CLOEXEC


class ChangedFile(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    """Below the workspace."""
    size: int
    modified_at: str


class FileList(msgspec.Struct, frozen=True, kw_only=True):
    files: list[ChangedFile]
    truncated: bool
    """There may be more: too many, or it took too long to look."""


class _Search(msgspec.Struct, kw_only=True):
    since_ns: int
    deadline: float
    found: list[tuple[int, ChangedFile]] = []
    waiting: deque[tuple[str, ...]] = msgspec.field(default_factory=lambda: deque([()]))
    looked_at: int = 0
    cut: bool = False

    def may_go_on(self) -> bool:
        """To be asked before each entry: a single folder may hold a million."""
        self.cut = self.looked_at >= LOOKED_AT or time.monotonic() >= self.deadline
        self.looked_at += 1
        return not self.cut


def changed_files(workspace: str, since_ms: int) -> FileList:
    """Those that were written, made or moved there since then, the latest first. Raises BadWorkspace."""
    search = _Search(since_ns=since_ms * 1_000_000, deadline=time.monotonic() + SECONDS)
    try:
        with _root(workspace) as root:
            # By breadth: what is near the top is likelier to be what somebody looks for.
            while search.waiting and not search.cut:
                _look(root, search.waiting.popleft(), search)
    except FileNotFoundError:
        pass  # it is made when its first run starts, or it was removed since: there are no files
    except OSError as reason:
        raise BadWorkspace(f"The workspace {workspace!r} cannot be read: {reason.strerror}") from reason
    latest = [file for _, file in sorted(search.found, key=lambda entry: (-entry[0], entry[1].path))]
    return FileList(files=latest[:LISTED], truncated=search.cut or len(latest) > LISTED)


def _look(root: int, place: tuple[str, ...], search: _Search) -> None:
    try:
        with _folder(root, place) as folder, os.scandir(folder) as entries:
            for entry in entries:
                if not search.may_go_on():
                    return
                _take(entry, place, search)
    except OSError:
        if not place:
            raise
        # A folder that has gone meanwhile, or that we may not read: the others are still worth showing.


def _take(entry: os.DirEntry[str], place: tuple[str, ...], search: _Search) -> None:
    if not can_be_told(entry.name):
        return
    try:
        about = entry.stat(follow_symlinks=False)
    except OSError:
        return  # it has gone meanwhile
    if stat.S_ISDIR(about.st_mode):
        if entry.name not in SKIPPED:
            search.waiting.append((*place, entry.name))
    # When it was last written may be set at will (tar, cp -p, rsync); when its inode was last changed may not.
    elif stat.S_ISREG(about.st_mode) and about.st_ctime_ns >= search.since_ns:
        path = "/".join((*place, entry.name))
        file = ChangedFile(path=path, size=about.st_size, modified_at=_written_at(about))
        search.found.append((about.st_ctime_ns, file))


def _written_at(about: os.stat_result) -> str:
    """Within the years that can be written: somebody may have set it to the end of days."""
    return timestamp(min(max(0, about.st_mtime_ns // 1_000_000), _LAST_MS))


def can_be_told(name: str) -> bool:
    """A name of bytes that are no UTF-8 fits into no JSON, nor could it be asked for."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def open_file(workspace: str, path: str) -> BinaryIO:
    """A plain file of the workspace. Raises NotFound for one that is not there and for what is none, a pipe or a
    folder or a link that leads out, alike: what lies outside is nobody's business here."""
    gone = NotFound(f"There is no file {path!r} in the workspace")
    parts = path.split("/")
    if "\0" in path or not all(parts) or ".." in parts or "." in parts:
        raise gone
    try:
        # A link may lead to another place in the workspace. Where it leads is found out first, and then gone to
        # without links: what is swapped in between is not found.
        top = Path(workspace).resolve(strict=True)
        inside = top.joinpath(*parts).resolve(strict=True).relative_to(top).parts
        if not inside:
            raise gone
        with _root(str(top)) as root, _folder(root, inside[:-1]) as folder:
            # To open a device may already do something.
            if not stat.S_ISREG(os.stat(inside[-1], dir_fd=folder, follow_symlinks=False).st_mode):
                raise gone
            descriptor = os.open(inside[-1], _FILE, dir_fd=folder)
    except (OSError, ValueError, RuntimeError) as reason:
        raise gone from reason
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise gone
    return os.fdopen(descriptor, "rb", buffering=0)


def open_download(workspace: str, path: str) -> BinaryIO:
    """As `open_file`; raises FileTooLarge too."""
    file = open_file(workspace, path)
    size = os.fstat(file.fileno()).st_size
    if size > DOWNLOAD_BYTES:
        file.close()
        raise FileTooLarge(f"{path!r} has {size} bytes; up to {DOWNLOAD_BYTES} can be downloaded")
    return file


def read_text(workspace: str, path: str) -> tuple[str, bool]:
    """The beginning of a file, and whether there is more of it. Raises NotText for one that is not UTF-8."""
    with open_file(workspace, path) as file:
        start = _read_up_to(file, TEXT_BYTES + 1)
    cut = len(start) > TEXT_BYTES
    try:
        text = _decoded(start[:TEXT_BYTES], cut=cut)
    except UnicodeDecodeError as reason:
        raise NotText(f"{path!r} is not UTF-8 text") from reason
    if "\0" in text:
        raise NotText(f"{path!r} has a NUL in it, which no text has")
    return text, cut


def _decoded(data: bytes, *, cut: bool) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        # The cut may go through a character.
        if cut and error.end == len(data) and error.reason == "unexpected end of data":
            return data[: error.start].decode()
        raise


def _read_up_to(file: BinaryIO, size: int) -> bytes:
    data = bytearray()
    while len(data) < size and (piece := file.read(size - len(data))):
        data += piece
    return bytes(data)


@contextlib.contextmanager
def _root(workspace: str) -> Generator[int]:
    """The workspace itself may be named by a link: whoever chose it meant where it leads."""
    descriptor = os.open(workspace, _FOLDER & ~os.O_NOFOLLOW)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _folder(root: int, names: Sequence[str]) -> Generator[int]:
    descriptor = os.open(".", _FOLDER, dir_fd=root)
    try:
        for name in names:
            below = os.open(name, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)
