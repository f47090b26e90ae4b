"""The guard: whatever becomes of the keeper, nothing that it kept outlives it."""

import contextlib
import os
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

from holdfast.keeper import messages
from holdfast.keeper.address import reachable
from holdfast.keeper.messages import Batch, Unpacker, Welcome
from tests.processes import eventually, is_alive

# An agent that leaves a grandchild which nobody could find: forked twice, in its own session, without an environment,
# deaf to all but SIGKILL; and one that never stops forking.
STRAY = """
import os, signal, sys, time
def stray(path):
    if os.fork(): return os.wait()
    os.setsid()
    if os.fork(): os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
    for descriptor in (0, 1, 2): os.close(descriptor)
    program = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"
    os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", program, path], {})
def hopper(path):
    if os.fork(): return
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    beat = os.open(path, os.O_WRONLY | os.O_CREAT)
    count, end = 0, time.monotonic() + 20
    while time.monotonic() < end:
        if os.fork(): os._exit(0)
        os.setsid()
        count += 1
        os.pwrite(beat, b"%09d" % count, 0)
        time.sleep(0.002)
    os._exit(0)
stray("stray"); hopper("beat")
sys.stdin.read()
time.sleep(60)
"""


def strays(tmp_path):
    """The stray's pid, once both are there."""
    workspace = tmp_path / "workspace"
    eventually(lambda: (workspace / "stray").exists() and (workspace / "stray").read_text(), 20)
    eventually(lambda: (workspace / "beat").exists() and (workspace / "beat").read_bytes(), 20)
    pid = int((workspace / "stray").read_text())
    assert is_alive(pid)
    return pid, workspace / "beat"


def has_stopped(beat):
    count = beat.read_bytes()
    try:
        eventually(lambda: beat.read_bytes() != count, 0.2)
    except AssertionError:
        return True
    return False


@pytest.mark.requirement("R146")
def test_when_the_keeper_is_killed_its_agent_and_all_that_the_agent_left_die_within_5_s(keep, tmp_path):
    keeper = keep(command=[sys.executable, "-I", "-S", "-c", STRAY])
    note = keeper.note()
    stray, beat = strays(tmp_path)
    assert Path(f"/proc/{stray}/environ").read_bytes() == b""
    began = time.monotonic()
    os.kill(note.pid, signal.SIGKILL)
    eventually(lambda: not is_alive(note.agent_pid) and not is_alive(stray), 5)
    assert keeper.guard.wait(5) == 128 + signal.SIGKILL
    assert time.monotonic() - began < 5
    assert has_stopped(beat)


@pytest.mark.requirement("R145", "R146")
def test_sigterm_to_the_guard_ends_the_run_cleanly_and_leaves_its_events_for_the_next_server(keep, tmp_path):
    keeper = keep(command=[sys.executable, "-I", "-S", "-c", STRAY])
    note = keeper.note()
    stray, beat = strays(tmp_path)
    keeper.guard.terminate()
    assert keeper.guard.wait(10) == 0
    assert not is_alive(note.agent_pid)
    assert not is_alive(stray)
    assert has_stopped(beat)
    first, left = keeper.unsent()
    assert first == 1
    assert [type_ for type_, _ in left] == ["error"]
    assert left[-1][1].stop_reason == "interrupted"


@pytest.mark.requirement("R146")
def test_when_the_guard_is_killed_the_keeper_and_the_agent_die_too(keep):
    keeper = keep("hang")
    note = keeper.note()
    keeper.guard.kill()
    keeper.guard.wait()
    eventually(lambda: not is_alive(note.pid) and not is_alive(note.agent_pid))


def test_ctrl_c_and_a_hangup_do_not_reach_the_keeper(keep):
    keeper = keep("hang")
    note = keeper.note()
    for pid in (note.pid, keeper.guard.pid):
        for number in (signal.SIGINT, signal.SIGHUP):
            os.kill(pid, number)
    assert os.getsid(note.pid) == keeper.guard.pid != os.getsid(0)
    os.kill(keeper.guard.pid, signal.SIGTERM)  # this one does, so the others have been dealt with
    assert keeper.guard.wait(30) == 0
    assert keeper.unsent()[1][-1][1].stop_reason == "interrupted"


@contextlib.contextmanager
def forgetful_server(path):
    """Asks the keeper for all that it has, each time from the beginning, and acknowledges nothing."""
    with socket.socket(socket.AF_UNIX) as listener:
        with reachable(str(path)) as address:
            listener.bind(address)
        listener.listen()
        listener.settimeout(30)

        def told():
            link, _ = listener.accept()
            with link:
                link.settimeout(30)
                link.sendall(messages.pack(Welcome(0)))
                unpacker = Unpacker()
                while chunk := link.recv(65536):
                    for message in map(messages.unpack_up, unpacker.feed(chunk)):
                        if isinstance(message, Batch):
                            return message.events
            raise AssertionError("the keeper has gone")

        yield told


@pytest.mark.requirement("R136", "R145")
def test_a_keeper_whose_server_does_not_come_back_ends_its_agent_and_leaves_everything_on_disk(keep, tmp_path):
    with forgetful_server(tmp_path / "no-such.sock") as told:
        keeper = keep("flood 2000 tools 300 hang", server_patience_s=3)
        while sum(event.type == "tool_complete" for event in told()) < 300:
            pass  # the agent has more to say
        note = keeper.note()
    assert keeper.guard.wait(30) == 0
    assert not is_alive(note.agent_pid)
    first, left = keeper.unsent()
    types = [type_ for type_, _ in left]
    assert first == 1
    assert types[0] == "agent_start"
    assert (types.count("tool_start"), types.count("tool_complete")) == (300, 300)
    text = "".join(event.text for type_, event in left if type_ == "message" and event.is_partial)
    assert text == "".join(f"word-{number} " for number in range(1, 2001))
    assert (types[-1], left[-1][1].stop_reason, left[-1][1].resumable) == ("error", "interrupted", True)


def test_the_files_of_a_run_are_readable_by_their_owner_only(keep):
    keeper = keep("tools 3", server_patience_s=0.5)
    assert keeper.guard.wait(30) == 0
    modes = {path.name: path.stat().st_mode & 0o777 for path in keeper.folder.iterdir() if path.name != "log"}
    assert modes == {"claimed": 0o600, "spec.json": 0o600, "keeper.json": 0o600, "unsent": 0o600}
