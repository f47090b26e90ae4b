"""A small ACP client over stdio, which speaks to an agent with nothing of Holdfast in between."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any


class AcpClient:
    """One agent process. What it says is kept in `updates`; a permission that it asks for gets `decision`, a kind of
    option; None leaves it open."""

    def __init__(self, settings: dict[str, Any], cwd: Path, *, decision: str | None = "allow_once") -> None:
        self.cwd = cwd
        self.decision = decision
        self.updates: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.session_id = ""
        self._undecided: list[Any] = []
        self._changed = threading.Condition()
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._last_id = 0
        self._stderr = (cwd.parent / f"{cwd.name}.stderr").open("w+b")
        self.process = subprocess.Popen(
            settings["command"],
            env={**os.environ, **settings["env"]},
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> "AcpClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> int:
        """kill -9 to all of it; answers the exit code."""
        if self.process.returncode is None:  # else its number may be somebody else's by now
            os.killpg(self.process.pid, signal.SIGKILL)
        code = self.process.wait(10)
        self._reader.join(10)
        for pipe in (self.process.stdin, self.process.stdout, self._stderr):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
        return code

    def initialize(self) -> dict[str, Any]:
        return self.call("initialize", protocolVersion=1, clientCapabilities={})

    def open(self) -> str:
        """A new session; answers its id."""
        self.session_id = self.call("session/new", cwd=str(self.cwd), mcpServers=[])["sessionId"]
        return self.session_id

    def load(self, session_id: str) -> None:
        self.call("session/load", sessionId=session_id, cwd=str(self.cwd), mcpServers=[])
        self.session_id = session_id

    def prompt(self, text: str) -> dict[str, Any]:
        return self.finish(self.send_prompt(text))

    def send_prompt(self, text: str) -> int:
        """Begins a turn; `finish` waits for its end."""
        return self._request("session/prompt", sessionId=self.session_id, prompt=[{"type": "text", "text": text}])

    def cancel(self) -> None:
        self._send({"method": "session/cancel", "params": {"sessionId": self.session_id}})

    def refuse_open(self) -> None:
        """Answers what was left open (decision None), as a client must when it cancels."""
        for id_ in self._undecided:
            self._send({"id": id_, "result": {"outcome": {"outcome": "cancelled"}}})

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self.finish(self._request(method, **params))

    def finish(self, id_: int, seconds: float = 60) -> dict[str, Any]:
        try:
            answer = self._answers[id_].get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(f"no answer within {seconds} s; stderr:\n{self.stderr()}") from None
        if "error" in answer:
            raise AcpError(answer["error"])
        return answer["result"]

    def until(self, found: Any, seconds: float = 60) -> Any:
        """Waits, bounded, until `found()` gives something."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while not (value := found()):
                assert self._changed.wait(deadline - time.monotonic()), f"not within {seconds} s:\n{self.stderr()}"
            return value

    def text(self, kind: str = "agent_message_chunk") -> str:
        return "".join(one["content"].get("text", "") for one in self.updates if one["sessionUpdate"] == kind)

    def kinds(self) -> list[str]:
        """The kinds of the updates, without repeats in a row."""
        kinds = [one["sessionUpdate"] for one in self.updates]
        return [kind for number, kind in enumerate(kinds) if number == 0 or kinds[number - 1] != kind]

    def stderr(self) -> str:
        return Path(self._stderr.name).read_text(errors="replace")[-2000:]

    def _request(self, method: str, **params: Any) -> int:
        self._last_id += 1
        self._answers[self._last_id] = queue.Queue()
        self._send({"id": self._last_id, "method": method, "params": params})
        return self._last_id

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if not line.endswith(b"\n"):
                break  # it was killed in the middle of a message: none has come
            # One that is gone before it has heard our answer does not need it any more.
            with contextlib.suppress(BrokenPipeError):
                self._take(json.loads(line))
        for waiting in list(self._answers.values()):
            waiting.put({"error": {"code": 0, "message": "the agent is gone"}})

    def _take(self, message: dict[str, Any]) -> None:
        match message:
            case {"method": "session/update"}:
                with self._changed:
                    self.updates.append(message["params"]["update"])
                    self._changed.notify_all()
            case {"method": "session/request_permission"}:
                self._decide(message)
            case {"method": _, "id": id_}:
                self._send({"id": id_, "error": {"code": -32601, "message": "We announced no such thing."}})
            case {"id": id_}:
                self._answers[id_].put(message)

    def _decide(self, request: dict[str, Any]) -> None:
        if self.decision is None:
            self._undecided.append(request["id"])
        with self._changed:
            self.asked.append(request["params"])
            self._changed.notify_all()
        if self.decision is None:
            return
        options = {option["kind"]: option["optionId"] for option in request["params"]["options"]}
        outcome = {"outcome": "selected", "optionId": options[self.decision]}
        self._send({"id": request["id"], "result": {"outcome": outcome}})


class AcpError(Exception):
    """The agent answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(str(error))
        self.code = error["code"]
