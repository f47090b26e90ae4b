"""A client under test, in a process of its own that is told over JSON lines what to do, and tells what it got."""

import asyncio
import contextlib
import itertools
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

DRIVERS = Path(__file__).parent / "drivers"
COMMANDS = {
    "raw": [sys.executable, str(DRIVERS / "raw.py")],
    "python": [sys.executable, str(DRIVERS / "python_client.py")],
    "typescript": ["node", str(DRIVERS / "typescript_client.mjs")],
}
# A line has all that came together, and a slow reader gets much at once.
LINE_LIMIT = 256 * 1024 * 1024
END_S = 10.0


class DriverFailed(Exception):
    """The driver ended, or said what no driver may say."""


class Refused(Exception):
    """The client raised; `code` is how it tells errors apart."""

    def __init__(self, error: dict[str, Any]) -> None:
        self.code = str(error.get("code"))
        super().__init__(f"{self.code}: {error.get('detail', '')}")


class Follower:
    """A stream that is open in the client, and all that came of it."""

    def __init__(self, session_id: str | None, after: int) -> None:
        self.session_id = session_id
        self.after = after
        self.number = 0
        self.events: list[dict[str, Any]] = []
        self.notices: list[dict[str, Any]] = []
        self.states: list[str] = []
        self.ended = False
        self.error: Refused | None = None
        self._changed = asyncio.Event()

    def take(self, said: dict[str, Any]) -> None:
        self.events += said.get("events", ())
        self.notices += [said["notice"]] if "notice" in said else ()
        self.states += [said["state"]] if "state" in said else ()
        if "error" in said:
            self.error = Refused(said["error"])
        self.ended = self.ended or "error" in said or "ok" in said
        self._changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until it holds, or nothing more can come."""
        while not condition() and not self.ended:
            self._changed.clear()
            await self._changed.wait()


class Driver:
    def __init__(self, client: str, command: str | None = None) -> None:
        self._command = shlex.split(command) if command else COMMANDS[client]
        self._process: asyncio.subprocess.Process | None = None
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._followers: dict[int, Follower] = {}
        self._reading: asyncio.Task[None] | None = None
        self._died: str | None = None

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=LINE_LIMIT
        )
        self._reading = asyncio.create_task(self._read())

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """What the client answered; raises Refused with what it raised."""
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            await self._send({"id": number, "do": do, **fields})
            said = await answer
        finally:
            del self._waiting[number]
        if "error" in said:
            raise Refused(said["error"])
        return said["ok"]

    async def follow(
        self, client: str, session_id: str | None, after: int | None, *, partials: bool, hold: bool
    ) -> Follower:
        follower = Follower(session_id, after or 0)
        follower.number = next(self._numbers)
        self._followers[follower.number] = follower
        fields = {"client": client, "session_id": session_id, "after": after, "partials": partials, "hold": hold}
        await self._send({"id": follower.number, "do": "follow", **fields})
        return follower

    def forget(self, follower: Follower) -> None:
        self._followers.pop(follower.number, None)

    async def close(self) -> None:
        if self._process is None:
            return
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(END_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        if self._reading is not None:
            await self._reading

    async def _send(self, said: dict[str, Any]) -> None:
        if self._died is not None:
            raise DriverFailed(self._died)
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(said).encode() + b"\n")
        with contextlib.suppress(ConnectionError):
            await self._process.stdin.drain()

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        died = "the driver ended"
        try:
            while line := await self._process.stdout.readline():
                said = json.loads(line)
                number = said["id"]
                if number in self._followers:
                    self._followers[number].take(said)
                elif (answer := self._waiting.get(number)) and not answer.done():
                    answer.set_result(said)
        except (ValueError, KeyError, TypeError) as cause:
            died = f"the driver said what it may not: {cause!r}"
        self._died = died
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(DriverFailed(died))
        for follower in self._followers.values():
            follower.take({"error": {"code": "driver_failed", "detail": died}})
