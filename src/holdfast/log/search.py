"""What a list of sessions is searched in: one text for each session, made here and nowhere else.

Both sides are folded here, since the databases disagree about what is upper case beyond ASCII.
"""

import unicodedata

import msgspec

# The row is written with every commit of its session; a task may have a million characters.
TASK_CHARACTERS = 10_000


class _Task(msgspec.Struct):
    task: str = ""


_task = msgspec.json.Decoder(_Task).decode


def searched(state: bytes, *names: str | None) -> str:
    """The session's task, out of its state, and the names by which somebody may look for it."""
    task = _task(state).task[:TASK_CHARACTERS]
    # PostgreSQL has no place for NUL in a text.
    return "\n".join(_fold(part.replace("\0", " ")) for part in (task, *names) if part)


def words(query: str) -> list[str]:
    """What must occur, each somewhere."""
    return _fold(query).split()


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text.casefold())
