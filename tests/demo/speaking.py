"""Speaks with the demo agent: the real process over pipes, every message checked against the ACP models."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from acp import schema

import holdfast

WAIT = 20.0  # bounds every wait; nothing here takes so long unless it is broken
SILENCE = 0.4  # how long we listen for an answer that must not come
MARK = "HOLDFAST_DEMO_TEST"

RESULTS = {
    "initialize": schema.InitializeResponse,
    "session/new": schema.NewSessionResponse,
    "session/load": schema.LoadSessionResponse,
    "session/resume": schema.ResumeSessionResponse,
    "session/list": schema.ListSessionsResponse,
    "session/prompt": schema.PromptResponse,
}


def check(model, value):
    """Valid, and nothing in it that the model does not know: models drop unknown fields in silence."""
    parsed = model.model_validate(value)
    assert parsed.model_dump(mode="json", by_alias=True, exclude_unset=True) == value


class Client:
    def __init__(self, mark, state, stderr):
        self.mark = mark
        source = str(Path(holdfast.__file__).parents[1])
        self.stderr = stderr
        with stderr.open("ab") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "holdfast.demo"],
                env={
                    **os.environ,
                    "PYTHONPATH": source,
                    "HOLDFAST_DEMO_STATE": str(state),
                    MARK: mark,
                },
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                bufsize=0,
            )
        self.pid = self.process.pid
        self.methods = {}
        self.partial = b""
        self.lines = []
        self.heard = []  # every valid message so far
        self.arrived = []  # and when it came

    # the wire

    def send_line(self, line):
        self.process.stdin.write(line + b"\n")

    def send(self, message):
        self.send_line(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def request(self, method, **params):
        number = len(self.methods) + 1
        self.methods[number] = method
        self.send({"id": number, "method": method, "params": params})
        return number

    def line(self, within=WAIT):
        """The next line, b"" at the end of stdout, None if nothing came."""
        deadline = time.monotonic() + within
        while not self.lines:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self.process.stdout], [], [], left)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return b""
            *self.lines, self.partial = (self.partial + data).split(b"\n")
        return self.lines.pop(0) + b"\n"

    def message(self, within=WAIT):
        line = self.line(within)
        assert line, f"no message within {within} s: {line!r}, stderr {self.stderr.read_text()[-2000:]}"
        message = json.loads(line)
        self.check(message)
        self.heard.append(message)
        self.arrived.append(time.monotonic())
        return message

    def check(self, message):
        assert message.pop("jsonrpc") == "2.0"
        if "method" not in message:
            assert message.keys() in ({"id", "result"}, {"id", "error"})
            if "result" in message:
                check(RESULTS[self.methods[message["id"]]], message["result"])
            else:
                check(schema.Error, message["error"])
        elif message["method"] == "session/update":
            assert message.keys() == {"method", "params"}
            check(schema.SessionNotification, message["params"])
        else:
            assert message["method"] == "session/request_permission"
            assert message.keys() == {"id", "method", "params"}
            check(schema.RequestPermissionRequest, message["params"])

    # conversations

    def until(self, wanted):
        """Messages up to the first that is wanted, that one included."""
        begin = len(self.heard)
        while not wanted(self.message()):
            pass
        return self.heard[begin:]

    def response(self, number):
        return self.until(lambda message: "method" not in message and message["id"] == number)

    def call(self, method, **params):
        return self.response(self.request(method, **params))[-1]

    def open(self, cwd):
        self.cwd = str(cwd)
        assert "result" in self.call("initialize", protocolVersion=1, clientCapabilities={})
        self.session = self.call("session/new", cwd=self.cwd, mcpServers=[])["result"]["sessionId"]
        return self

    def prompt(self, text):
        blocks = [{"type": "text", "text": text}]
        return self.request("session/prompt", sessionId=self.session, prompt=blocks)

    def turn(self, text):
        """The updates of a whole turn, and its response."""
        *updates, response = self.response(self.prompt(text))
        return [update["params"]["update"] for update in updates], response

    def cancel(self):
        self.send({"method": "session/cancel", "params": {"sessionId": self.session}})

    def answer(self, request, outcome):
        self.send({"id": request["id"], "result": {"outcome": outcome}})

    # the process

    def exit_code(self):
        return self.process.wait(WAIT)

    def family(self):
        """The processes of this test that are alive, found as Holdfast finds them: by their environment."""
        found = []
        for folder in Path("/proc").iterdir():
            try:
                entries = (folder / "environ").read_bytes().split(b"\0") if folder.name.isdigit() else []
                alive = entries and (folder / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
            except OSError:
                continue  # it ended while we looked
            if alive and f"{MARK}={self.mark}".encode() in entries:
                found.append(int(folder.name))
        return found

    def end(self):
        for pid in self.family():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(WAIT)
        self.process.stdin.close()
        self.process.stdout.close()
        deadline = time.monotonic() + WAIT
        while self.family():
            assert time.monotonic() < deadline


def text_of(updates, kind="agent_message_chunk"):
    return "".join(update["content"]["text"] for update in updates if update["sessionUpdate"] == kind)


def of_kind(updates, kind):
    return [update for update in updates if update["sessionUpdate"] == kind]


def is_update(kind):
    return lambda message: (
        message.get("method") == "session/update" and message["params"]["update"]["sessionUpdate"] == kind
    )


def is_permission(message):
    return message.get("method") == "session/request_permission"


END_TURN = {"stopReason": "end_turn"}
CANCELLED = {"stopReason": "cancelled"}
