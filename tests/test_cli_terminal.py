"""The commands on a real terminal (a pty): what is drawn, which keys count, and the state it is left in."""

import codecs
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl

import pytest

from holdfast.cli import exits
from tests.scripted_server import TOKEN, running

ISOLATED = {k: v for k, v in os.environ.items() if not k.startswith(("HOLDFAST_", "XDG_"))}
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r(?!\n)")


@pytest.fixture
def server():
    with running() as server:
        yield server


class Terminal:
    """A command on a pty of its own, as its controlling terminal, so that Ctrl-C reaches it."""

    def __init__(self, url, home, *arguments, columns=80):
        self._master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.before = termios.tcgetattr(self._master)
        env = ISOLATED | {"HOME": str(home), "HOLDFAST_TOKEN": TOKEN, "HOLDFAST_URL": url, "TERM": "xterm-256color"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "holdfast", *arguments],
            env={k: v for k, v in env.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")},
            stdin=slave, stdout=slave, stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)
        self.output = ""
        # A read may end in the middle of a character.
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def press(self, key):
        os.write(self._master, key)

    def wait_for(self, text, timeout=30):
        deadline = time.monotonic() + timeout
        while text not in self.plain:
            assert self._read(deadline), f"{text!r} did not come; there is {self.plain!r}"

    def finish(self, timeout=30):
        deadline = time.monotonic() + timeout
        while self._read(deadline):
            pass
        return self._process.wait(timeout=timeout)

    def mode(self):
        return termios.tcgetattr(self._master)

    @property
    def plain(self):
        return ESCAPES.sub("", self.output).replace("\r\n", "\n")

    def shown(self):
        """What a person sees at the end: the lines after all erasing and overwriting."""
        rows, row, column = [""], 0, 0
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\n]|[^\x1b\r\n]+", self.output):
            if part == "\n":
                row += 1
                rows += [""] * (row + 1 - len(rows))
            elif part == "\r":
                column = 0
            elif part.endswith("A") and part.startswith("\x1b"):
                row -= int(part[2:-1] or 1)
            elif part == "\x1b[2K":
                rows[row] = ""
            elif not part.startswith("\x1b"):
                rows[row] = rows[row][:column].ljust(column) + part + rows[row][column + len(part) :]
                column += len(part)
        return [line.strip() for line in rows]

    def _read(self, deadline):
        ready, _, _ = select.select([self._master], [], [], max(0, deadline - time.monotonic()))
        try:
            data = os.read(self._master, 65536) if ready else b""
        except OSError:  # the other side is closed
            data = b""
        self.output += self._decoder.decode(data)
        return data

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._master)


@pytest.fixture
def terminal(server, tmp_path):
    opened = []

    def open_terminal(*arguments, **options):
        opened.append(Terminal(server.url, tmp_path, *arguments, **options))
        return opened[-1]

    yield open_terminal
    for each in opened:
        each.close()


def ask(session, request_id="r1"):
    session.add(
        "permission_request",
        request_id=request_id,
        tool_name="bash",
        tool_input={"command": "rm -rf build\necho \x1b[2Jdone"},
        tool_id="t",
        options=[],
        expires_at="2099-01-01T00:00:00.000Z",
    )


def answering(server):
    answers = []

    def on_answer(session, request_id, decision):
        answers.append((request_id, decision))
        session.add("permission_resolved", request_id=request_id, decision=decision, by="local")
        session.end()

    server.on_answer = on_answer
    return answers


def test_markdown_is_rendered_and_every_word_of_it_stays_on_the_screen_once(server, terminal):
    session = server.session()
    session.add("user_message", text="t")
    screen = terminal("attach", "0")
    pieces = ["# Pl", "an\n\nA **bo", "ld** word.\n\n``", "`python\nx =", " 1\n```\n\nThe", " end."]
    for piece in pieces:
        session.add("message", text=piece, is_partial=True)
        # Each is at the foot before the next one comes, so there is something to leave behind by mistake.
        screen.wait_for(piece.split("\n")[-1])
    session.say("".join(pieces))
    session.end()
    assert screen.finish() == 0
    lines = screen.shown()
    for line in ("Plan", "A bold word.", "x = 1", "The end.", "✓ Done"):
        assert lines.count(line) == 1, lines
    assert not any("**" in line or "working" in line or "#" in line for line in lines), lines


def test_a_narrow_terminal_cuts_a_tools_line_and_never_wraps_it(server, terminal):
    def work(session):
        session.add("tool_start", tool_name="bash", tool_id="1", title="word " * 40, tool_input={})
        session.add("tool_complete", tool_name="bash", tool_id="1", result="", duration_ms=34, is_error=False)
        session.end()

    server.on_run = work
    screen = terminal("run", "t", columns=60)
    assert screen.finish() == 0
    (line,) = [line for line in screen.shown() if "34 ms" in line]
    assert len(line) <= 60
    assert line.endswith("…")


@pytest.mark.parametrize(
    ("key", "decision"),
    [(b"a", "allow_once"), (b"s", "allow_session"), (b"p", "allow_project"), (b"d", "deny")],
)
def test_one_key_answers_a_permission_request_and_the_terminal_is_left_as_it_was(server, terminal, key, decision):
    answers = answering(server)
    server.on_run = ask
    screen = terminal("run", "t")
    screen.wait_for("d deny")
    for meaningless in (b"x", b"A", b"\r"):
        screen.press(meaningless)
    screen.press(key)
    assert screen.finish() == 0
    assert answers == [("r1", decision)]
    assert "rm -rf build" in screen.plain
    assert "\x1b[2J" not in screen.output
    assert screen.mode() == screen.before


def test_a_request_that_somebody_else_answers_is_asked_no_longer(server, terminal):
    answers = answering(server)
    session = server.session()
    session.add("user_message", text="t")
    ask(session)
    screen = terminal("attach", "0")
    screen.wait_for("d deny")
    session.add("permission_resolved", request_id="r1", decision="allow_once", by="ann")
    screen.wait_for("allowed once by ann")
    screen.press(b"a")
    session.end()
    assert screen.finish() == 0
    assert answers == []
    assert screen.mode() == screen.before


def test_a_request_that_was_answered_long_ago_is_not_asked_again(server, terminal):
    answers = answering(server)
    session = server.session()
    session.add("user_message", text="t")
    ask(session)
    session.add("permission_resolved", request_id="r1", decision="allow_once", by="ann")
    ask(session, "r2")
    screen = terminal("attach", "0")
    screen.wait_for("d deny")
    screen.press(b"a")
    assert screen.finish() == 0
    assert answers == [("r2", "allow_once")]


@pytest.mark.parametrize("is_asking", [False, True])
def test_ctrl_c_detaches_says_how_to_come_back_and_leaves_the_agent_and_the_terminal_alone(server, terminal, is_asking):
    session = server.session()
    session.add("user_message", text="t")
    session.say("Working on it.")
    if is_asking:
        ask(session)
    screen = terminal("attach", "0")
    screen.wait_for("Working on it.")  # it follows the session
    screen.wait_for("d deny" if is_asking else "working")
    screen.press(b"\x03")
    assert screen.finish() == exits.DETACHED
    assert "holdfast attach 00000001" in screen.plain
    assert "holdfast cancel 00000001" in screen.plain
    assert "Traceback" not in screen.plain
    assert not any(path.endswith("/cancel") for _, path, _, _ in server.requests)
    assert screen.mode() == screen.before
    assert screen.output.count("\x1b[?25h") >= screen.output.count("\x1b[?25l") > 0  # the cursor is visible again


def test_a_lost_server_is_told_on_the_screen_and_so_is_its_return(server, terminal):
    session = server.session()
    session.add("user_message", text="t")
    screen = terminal("attach", "0")
    screen.wait_for("working")
    server.stop()
    screen.wait_for("Connection lost; reconnecting")
    server.start()
    screen.wait_for("Connected again.")
    session.say("Still here.")
    session.end()
    assert screen.finish() == 0
    assert screen.plain.count("Connection lost") == 1
