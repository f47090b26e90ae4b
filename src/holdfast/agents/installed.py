"""What is installed here: where an agent's program is, and what version it says it is."""

import asyncio
import contextlib
import importlib.util
import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from holdfast.agents.child import Child
from holdfast.agents.stderr import plain

CLAUDE_PACKAGE = "claude_agent_sdk"

# Where installers put programs without the PATH of a service knowing it.
_USUAL_FOLDERS = (".local/bin", ".npm-global/bin", ".bun/bin", ".cargo/bin", ".opencode/bin")
_VERSION = re.compile(r"(?<![\w.])v?(\d+\.\d+(?:\.\d+)*(?:[-+][0-9A-Za-z.+-]*[0-9A-Za-z])?)")
_VERSION_S = 10.0
# Nobody's version is longer than this; a program that prints for ever is not read for ever.
_VERSION_BYTES = 64 * 1024


def find(programs: Sequence[str], environment: Mapping[str, str]) -> str | None:
    """The first of the programs that is there, on the environment's PATH or in a usual folder of its HOME. A name with
    a slash is meant as it is."""
    home = environment.get("HOME")
    usual = [str(Path(home) / folder) for folder in _USUAL_FOLDERS] if home else []
    path = os.pathsep.join(part for part in (environment.get("PATH", os.defpath), *usual) if part)
    return next((found for program in programs if (found := shutil.which(program, path=path))), None)


def typed(path: str, environment: Mapping[str, str]) -> str:
    """What one types to run the program: its name if the PATH leads to one of that name, else all of its path."""
    name = Path(path).name
    return name if shutil.which(name, path=environment.get("PATH", os.defpath)) else shlex.quote(path)


def has_claude_package() -> bool:
    """Whether the SDK could be imported; it is not, since it is large and the server has no use for it."""
    return importlib.util.find_spec(CLAUDE_PACKAGE) is not None


def bundled_claude() -> str | None:
    """The program that comes with the SDK."""
    spec = importlib.util.find_spec(CLAUDE_PACKAGE)
    folders = spec.submodule_search_locations if spec is not None else None
    paths = [Path(folder) / "_bundled" / "claude" for folder in folders or ()]
    return next((str(path) for path in paths if os.access(path, os.X_OK)), None)


class Versions:
    """Asks programs for their versions, each once: it is asked again when its file has changed."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, int], asyncio.Task[str | None]] = {}

    def ask(self, path: str, environment: Mapping[str, str]) -> "asyncio.Task[str | None]":
        """None is the answer of one that does not tell. Whoever waits must shield the task: others wait for it too."""
        try:
            key = (path, Path(path).stat().st_mtime_ns)
        except OSError:
            key = (path, 0)
        if key not in self._asked:
            self._asked[key] = asyncio.ensure_future(version_of(path, environment))
        return self._asked[key]

    async def close(self) -> None:
        for task in self._asked.values():
            task.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)


async def version_of(path: str, environment: Mapping[str, str], *, limit_s: float = _VERSION_S) -> str | None:
    """The first thing like a version that `PATH --version` prints; None if it prints none in time or cannot be run."""
    try:
        child = await Child.start((path, "--version"), environment=environment, most=_VERSION_BYTES, with_stderr=True)
    except OSError:
        return None
    try:
        with contextlib.suppress(TimeoutError):
            await child.printed(limit_s)
    finally:
        await child.end()
    printed = child.printed_so_far
    found = _VERSION.search(plain(printed.decode("utf-8", "replace")))
    return found[1] if found else None
