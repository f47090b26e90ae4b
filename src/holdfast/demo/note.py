"""The file that the show writes: never over one that this session did not write itself."""

# importing pathlib costs 5 ms of every start:
# ruff: noqa: PTH113, PTH118, PTH120, PTH123
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.demo.store import Session

HEAD = "# A note from the Holdfast demo agent\n"
MOST_READ = 64 * 1024


class Note:
    """A file in the workspace with its text before (None: it is new) and after."""

    def __init__(self, session: Session, task: str) -> None:
        number = len(session.tasks)
        section = f"\nTask {number}:\n\n" + "".join(f"> {line}\n" for line in task.splitlines() or [""])
        mine = session.note
        if mine is not None and os.path.dirname(mine[0]) == session.cwd and read_text(mine[0]) == mine[1]:
            self.path, self.before = mine
        else:
            self.path, self.before = free_path(session.cwd), None
        # A lone surrogate in the prompt has no place in a UTF-8 file.
        self.after = ((self.before or HEAD) + section).encode(errors="replace").decode()

    def write(self) -> None:
        """Raises FileExistsError if the name is not free any more, or the file not as this session left it."""
        if self.before is not None and read_text(self.path) != self.before:
            raise FileExistsError(f"someone else changed {self.path}")
        kind = os.O_EXCL | os.O_CREAT if self.before is None else os.O_TRUNC
        # O_NOFOLLOW: the name may have become a link to somebody's file.
        descriptor = os.open(self.path, os.O_WRONLY | os.O_NOFOLLOW | kind, 0o666)
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(self.after)


def free_path(folder: str) -> str:
    path = os.path.join(folder, "holdfast-demo.md")
    number = 1
    while os.path.lexists(path):
        number += 1
        path = os.path.join(folder, f"holdfast-demo-{number}.md")
    return path


def read_text(path: str) -> str | None:
    """None if there is no such file or it is no text."""
    if not os.path.isfile(path):  # opening a named pipe would wait for its writer
        return None
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read(MOST_READ)
    except (OSError, UnicodeDecodeError):
        return None
