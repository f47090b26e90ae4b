"""`holdfast acp` in a process of its own, as an editor has it: lines in, lines out."""

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from tests.acp.client import INITIALIZE, Message, Told, answers, request
from tests.acp.models import check
from tests.conftest import TOKEN

COMMAND = [sys.executable, "-m", "holdfast", "acp"]


def environment(home: Path, **given: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "XDG_"))}
    return {**kept, "HOME": str(home), "HOLDFAST_TOKEN": TOKEN, **given}


class Editor:
    def __init__(self, home: Path, *arguments: str, **given: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            env=environment(home, **given),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._stderr: list[bytes] = []
        self._threads = [
            threading.Thread(target=self._read, args=(self.process.stdout, self._lines.put)),
            threading.Thread(target=self._read, args=(self.process.stderr, self._stderr.append)),
        ]
        for thread in self._threads:
            thread.start()
        self._asked: dict[Any, str] = {}
        self._ids = itertools.count(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(10)
        for thread in self._threads:
            thread.join(10)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    @property
    def stderr(self) -> str:
        return b"".join(self._stderr).decode()

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def say(self, message: Message) -> None:
        if "method" in message and "id" in message:
            self._asked[message["id"]] = message["method"]
        self.write(json.dumps(message).encode())

    def begin(self, method: str, params: Message) -> int:
        id_ = next(self._ids)
        self.say(request(id_, method, params))
        return id_

    def ask(self, method: str, params: Message) -> Message:
        return self.until(answers(self.begin(method, params)))[-1].message

    def initialize(self) -> Message:
        return self.ask("initialize", INITIALIZE)

    def new(self, cwd: Path) -> str:
        return self.ask("session/new", {"cwd": str(cwd), "mcpServers": []})["result"]["sessionId"]

    def prompt(self, session_id: str, text: str) -> int:
        return self.begin("session/prompt", {"sessionId": session_id, "prompt": [{"type": "text", "text": text}]})

    def until(self, is_last: Callable[[Message], bool]) -> list[Told]:
        found: list[Told] = []
        while not found or not is_last(found[-1].message):
            try:
                message = json.loads(self._lines.get(timeout=40))
            except queue.Empty:
                raise AssertionError(f"nothing more came after {found}; stderr: {self.stderr}") from None
            check(message, None if "method" in message else self._asked.get(message["id"]))
            found.append(Told("", message))
        return found

    @staticmethod
    def _read(pipe: Any, put: Callable[[bytes], None]) -> None:
        for line in pipe:
            put(line)
