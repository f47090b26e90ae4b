"""A driver's side of the JSON lines, for clients that are written in Python; conformance/README.md has the protocol."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

LINE_LIMIT = 64 * 1024 * 1024


class Client(Protocol):
    """The client under test, as the suite sees it."""

    async def order(self, do: str, fields: dict[str, Any]) -> Any: ...

    def follow(
        self,
        session_id: str | None,
        after: int | None,
        *,
        partials: bool,
        on_state: Callable[[str], None],
        on_notice: Callable[[dict[str, Any]], None],
    ) -> AsyncIterator[list[dict[str, Any]]]: ...

    async def close(self) -> None: ...

    def problem(self, error: Exception) -> dict[str, Any] | None:
        """The error as code, status and detail; None: it is no error that a client may raise."""


class Lines:
    def __init__(self, make: Callable[[dict[str, Any]], Client]) -> None:
        self._make = make
        self._clients: dict[str, Client] = {}
        self._gates: dict[int, asyncio.Event] = {}
        self._following: dict[int, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Until stdin ends."""
        reader = asyncio.StreamReader(limit=LINE_LIMIT)
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := await reader.readline():
            said = json.loads(line)
            task = asyncio.create_task(self._follow(said) if said["do"] == "follow" else self._answer(said))
            if said["do"] == "follow":
                self._gates[said["id"]] = asyncio.Event()
                if not said["hold"]:
                    self._gates[said["id"]].set()
                self._following[said["id"]] = task
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for client in self._clients.values():
            await client.close()

    async def _answer(self, said: dict[str, Any]) -> None:
        client = self._clients.get(said["client"])
        found: Any = {}
        try:
            match said["do"]:
                case "open":
                    self._clients[said["client"]] = self._make(said)
                case "close":
                    assert client is not None
                    await client.close()
                    del self._clients[said["client"]]
                # A stream that has ended meanwhile can be released and left all the same.
                case "release":
                    if gate := self._gates.get(said["follow"]):
                        gate.set()
                case "leave":
                    if following := self._following.get(said["follow"]):
                        following.cancel()
                case do:
                    assert client is not None
                    found = await client.order(do, said)
            _say({"id": said["id"], "ok": found})
        except Exception as error:  # everything that a client raises is an answer
            _say({"id": said["id"], "error": self._error(client, error)})

    async def _follow(self, said: dict[str, Any]) -> None:
        number = said["id"]
        client = self._clients[said["client"]]
        try:
            batches = client.follow(
                said["session_id"],
                said["after"],
                partials=said["partials"],
                on_state=lambda state: _say({"id": number, "state": state}),
                on_notice=lambda notice: _say({"id": number, "notice": notice}),
            )
            async for batch in batches:
                _say({"id": number, "events": batch})
                # While it is held, nothing more is asked of the client.
                await self._gates[number].wait()
            _say({"id": number, "ok": {}})
        except asyncio.CancelledError:
            _say({"id": number, "ok": {}})
        except Exception as error:
            _say({"id": number, "error": self._error(client, error)})
        finally:
            del self._following[number], self._gates[number]

    def _error(self, client: Client | None, error: Exception) -> dict[str, Any]:
        return (client and client.problem(error)) or {"code": type(error).__name__, "status": 0, "detail": repr(error)}


def _say(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()
