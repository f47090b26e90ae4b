"""What the demo agent leaves behind when it is told to, and how it resists its end."""

import os
import signal
from pathlib import Path

from tests.demo.speaking import END_TURN, SILENCE
from tests.processes import eventually


def status_of(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def test_orphan_leaves_one_in_its_own_session_and_one_that_holds_stdout(agent):
    _, response = agent.turn("orphan")
    assert response["result"] == END_TURN
    left = set(agent.family()) - {agent.pid}
    assert len(left) == 2
    [away] = [pid for pid in left if os.getsid(pid) != os.getsid(agent.pid)]
    [near] = left - {away}
    assert os.getpgid(near) == os.getpgid(agent.pid)
    assert int(status_of(near)["PPid"]) == agent.pid
    assert int(status_of(away)["PPid"]) != agent.pid
    ignored = int(status_of(away)["SigIgn"], 16)
    assert all(ignored >> (number - 1) & 1 for number in (signal.SIGTERM, signal.SIGHUP))
    eventually(lambda: os.listdir(f"/proc/{away}/fd") == [])
    assert os.readlink(f"/proc/{near}/fd/1") == os.readlink(f"/proc/{agent.pid}/fd/1")

    agent.process.stdin.close()
    assert agent.exit_code() == 0
    assert agent.line(SILENCE) is None  # stdout is still held
    os.kill(away, signal.SIGTERM)
    os.kill(near, signal.SIGTERM)
    assert agent.line() == b""
    assert agent.family() == [away]


def test_stubborn_goes_on_with_the_words_and_then_only_sigkill_ends_it(agent):
    agent.prompt("stubborn slow 0.3 flood 3 stderr 2")
    agent.message()
    agent.cancel()
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        os.kill(agent.pid, signal.Signals[name])
    agent.process.stdin.close()
    texts = [agent.message()["params"]["update"]["content"]["text"] for _ in range(2)]
    assert texts == ["word-2 ", "word-3 "]
    eventually(lambda: agent.stderr.read_text().count("\n") == 2)
    assert agent.line(SILENCE) is None
    assert agent.stderr.read_text() == "line 1\nline 2\n"
    used = os.sysconf("SC_CLK_TCK") * 0.3
    before = processor_time(agent.pid)
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        os.kill(agent.pid, signal.Signals[name])
    assert agent.line(SILENCE) is None
    assert agent.process.poll() is None
    assert processor_time(agent.pid) - before < used  # it sleeps; the end of stdin does not make it spin
    agent.process.kill()
    assert agent.exit_code() == -signal.SIGKILL


def processor_time(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_stubborn_goes_on_when_nobody_reads_it(agent):
    agent.prompt("stubborn slow 0.5 flood 5 crash 9")
    agent.process.stdout.close()
    agent.process.stdin.close()
    assert agent.exit_code() == 9
