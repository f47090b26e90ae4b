"""The scripted API in a process of its own, as a test holds it.

Whatever waits here blocks its thread, bounded; an asynchronous test calls it in another one.
"""

import json
import select
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec

from tests.models.actions import Step
from tests.models.marker import do
from tests.models.received import Received

_ROOT = Path(__file__).parents[2]
# No proxy for loopback, and no certificates: to load those takes 30 ms for each call.
_PLAIN: dict[str, Any] = {"trust_env": False, "verify": False}


class Held:
    """A point where the model waits; its `marker` goes into a prompt."""

    def __init__(self, models: "Models", id_: str, marker: str) -> None:
        self._models = models
        self.id = id_
        self.marker = marker

    def until_reached(self, times: int = 1, seconds: float = 30) -> None:
        """Until the model stands there, with all sent that comes before."""
        self._models.until(lambda state: state.reached.get(self.id, 0) >= times, seconds, f"{self.marker} is reached")

    def release(self) -> None:
        self._models.release(self.id)


class State(msgspec.Struct):
    version: int
    last: int
    requests: list[Received]
    reached: dict[str, int]


class Models:
    """Starts and ends the API, and asks it what it was asked. It can be stopped and started again on its port."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.url = ""
        self._after = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Models":
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.models", "--port", str(self.port), "--with-parent"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=_ROOT,
        )
        assert self._process.stdout is not None
        assert select.select([self._process.stdout], [], [], 30)[0], "the scripted API said nothing within 30 s"
        self.url = self._process.stdout.readline().decode().strip()
        assert self.url, "the scripted API did not start"
        self.port = int(self.url.rpartition(":")[2])
        self._after = 0
        return self

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def stop(self) -> None:
        """kill -9: connections break, nobody listens any more, nothing is remembered."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def since_now(self) -> "Models":
        """The same API for another test: it sees only the requests that come from now on."""
        view = Models(self.port)
        view.url = self.url
        view._process = self._process
        view._after = self._state().last
        return view

    def requests(self, script: str | None = None) -> list[Received]:
        """What came so far (since `since_now`), oldest first; only what plays `script`, if that is given."""
        return [found for found in self._state().requests if script is None or found.script == script]

    def body(self, request: Received) -> dict[str, Any]:
        """All of a request; only the newest are kept."""
        answer = httpx.get(f"{self.url}/_models/bodies/{request.number}", **_PLAIN)
        assert answer.status_code == 200, f"request {request.number} is not kept any more"
        return answer.json()

    def until_request(
        self,
        script: str | None = None,
        *,
        count: int = 1,
        where: Callable[[Received], object] = lambda _: True,
        seconds: float = 30,
    ) -> Received:
        """The `count`th request that plays this script and for which `where` holds."""

        def found(state: State) -> Received | None:
            fitting = [one for one in state.requests if (script is None or one.script == script) and where(one)]
            return fitting[count - 1] if len(fitting) >= count else None

        return self.until(found, seconds, f"request {count} of {script or 'any script'}")

    def until_ended(self, request: Received, seconds: float = 30) -> Received:
        """The request once it is answered, broken or left by its client: see `ended`."""
        return self.until_request(
            where=lambda one: one.number == request.number and one.ended is not None, seconds=seconds
        )

    def until(self, found: Callable[[State], Any], seconds: float, what: str) -> Any:
        """Waits for a state of the API, bounded; answers what `found` gave."""
        deadline = time.monotonic() + seconds
        version = -1
        while (left := deadline - time.monotonic()) > 0:
            state = self._state(version, left)
            if value := found(state):
                return value
            version = state.version
        seen = [(one.script, one.step, one.ended) for one in self._state().requests]
        raise AssertionError(f"not within {seconds} s: {what}; there were {seen}")

    def hold(self, at: str = "text", **more: object) -> Held:
        """A hold of its own; at start, thinking, text, tool, result or end."""
        id_ = uuid.uuid4().hex
        return Held(self, id_, do("hold", id=id_, at=at, **more))

    def release(self, hold: str) -> None:
        assert httpx.post(f"{self.url}/_models/holds/{hold}", **_PLAIN).status_code == 204

    def failing(self, times: int = 1, *, first: str = "", then: str = "", **error: object) -> str:
        """A marker: so often `first` (or an error, see the script `error`), then `then` (or text)."""
        more = {"first": first, "then": then}
        return do("fail", id=uuid.uuid4().hex, times=times, **{k: v for k, v in more.items() if v}, **error)

    def add(self, steps: list[Step]) -> str:
        """A marker for a script of the test's own."""
        name = f"added-{uuid.uuid4().hex}"
        content = msgspec.json.encode(steps)
        assert httpx.put(f"{self.url}/_models/scripts/{name}", content=content, **_PLAIN).status_code == 204
        return do(name)

    def _state(self, version: int = -1, wait: float = 0) -> State:
        query = {"after": self._after, "version": version, "wait": wait}
        answer = httpx.get(f"{self.url}/_models/state", params=query, timeout=wait + 10, **_PLAIN)
        return msgspec.convert(json.loads(answer.content), State)
