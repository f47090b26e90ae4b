"""Fourteen ways to die: each has the right end, with all that is known about it, within a second of the death."""

import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.client import TERMINAL, Client
from tests.conftest import Server
from tests.processes import eventually, is_alive
from tests.runs.agents import Death, note_of, quickest

HANG = "say('at work'); time.sleep(600)"
STDERR_10_MB = "for n in range(100_000): sys.stderr.write(f'{n:07} ' + 91 * '.' + '\\n')\nsys.stderr.flush();"
# The file is there with its pid in it, or not at all: the child may be killed at any moment after its parent saw it.
FORK = """if os.fork() == 0:
    Path('child.new').write_text(str(os.getpid())); os.rename('child.new', 'child.pid'); time.sleep(600)
"""
STDERR = {"head": "farewell", "truncated": False, "total_lines": 1}


class Way:
    """What the agent does, and the end that this must have."""

    def __init__(
        self,
        name: str,
        task: str,
        stop_reason: str,
        by: str,
        *,
        agent: str = "scripted",
        type_: str = "error",
        info: dict[str, Any] | None = None,
        message: str = "",
        timeout_s: float | None = None,
        cancelled: bool = False,
        unset: tuple[str, ...] = ("exit_code", "signal", "stderr"),
    ) -> None:
        self.name, self.task, self.stop_reason, self.by, self.agent = name, task, stop_reason, by, agent
        self.type, self.info, self.message = type_, info or {}, message
        self.timeout_s, self.cancelled = timeout_s, cancelled
        self.unset = tuple(field for field in unset if field not in self.info)
        self.is_ended_by_us = cancelled or timeout_s is not None


def exits(code: int) -> Way:
    return Way(
        f"exit {code}",
        f"print('farewell', file=sys.stderr, flush=True); dying(); os._exit({code})",
        "process_exit",
        "agent",
        info={"exit_code": code, "stderr": STDERR},
        message=f"agent exited with status: code {code}",
    )


def killed(name: str) -> Way:
    return Way(
        name,
        f"print('farewell', file=sys.stderr, flush=True); dying(); os.kill(os.getpid(), signal.{name}); time.sleep(9)",
        "process_exit",
        "agent",
        info={"signal": name, "stderr": STDERR},
        message=f"agent exited with status: signal {name}",
    )


WAYS = [
    exits(0),
    exits(1),
    exits(127),
    Way("missing program", "x", "start_failed", "daemon", agent="missing", message="'/nowhere/agent' could not be"),
    killed("SIGTERM"),
    killed("SIGKILL"),
    killed("SIGSEGV"),
    Way("hang", HANG, "cancelled", "daemon", type_="cancelled", cancelled=True),
    Way(
        "bad JSON",
        """dying(); raw(b'{"jsonrpc": "2.0", "id": %d, "result": {"stopReason": ' % prompt_id); time.sleep(600)""",
        "error_during_execution",
        "daemon",
        message="the agent's answer to session/prompt",
    ),
    Way(
        "10 MB of stderr",
        f"{STDERR_10_MB} dying(); os._exit(1)",
        "process_exit",
        "agent",
        info={
            "exit_code": 1,
            "stderr": {
                "head": "\n".join(f"{n:07} {91 * '.'}" for n in range(50)),
                "tail": "\n".join(f"{n:07} {91 * '.'}" for n in range(99_950, 100_000)),
                "truncated": True,
                "total_lines": 100_000,
            },
        },
        message="agent exited with status: code 1",
    ),
    Way(
        "closed stdin",
        "dying(); os.close(0); time.sleep(600)",
        "error_during_execution",
        "daemon",
        message="the agent closed its input but did not exit",
    ),
    Way(
        "fork and exit",
        f"{FORK}else: until('child.pid'); dying(); os._exit(0)",
        "process_exit",
        "agent",
        info={"exit_code": 0},
        message="agent exited with status: code 0",
    ),
    Way(
        "refuse to die",
        f"signal.signal(signal.SIGTERM, signal.SIG_IGN); {HANG}",
        "cancelled",
        "daemon",
        type_="cancelled",
        cancelled=True,
    ),
    Way("timeout", HANG, "timeout", "daemon", message="the run did not end within 6 s", timeout_s=6),
]


@pytest.mark.requirement(
    "R063", "R064", "R083", "R086", "R103", "R104", "R105", "R113", "R114", "R115", "R116", "R118", "R119", "R120",
    "R121", "R124", "R129", "R130",
)  # fmt: skip
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_death_has_the_right_end_within_a_second(
    way: Way, agents: Client, agents_server: Server, tmp_path: Path
) -> None:
    folders = (tmp_path / name for name in ("first", "second", "third"))
    assert quickest(lambda: see_death(way, agents, agents_server, next(folders)), 1) < 1


def see_death(way: Way, agents: Client, agents_server: Server, workspace: Path) -> float:
    """Answers how many seconds after the agent's death its end could be read."""
    workspace.mkdir()
    config = {"agent": way.agent, "workspace": str(workspace), "timeout_s": way.timeout_s}
    session_id = agents.run_task(way.task, **{name: value for name, value in config.items() if value is not None})
    death = eventually(lambda: death_of_agent(agents_server, session_id)) if way.is_ended_by_us else None
    if way.cancelled:
        agents.until(session_id, "message")
        agents.post(f"/sessions/{session_id}/cancel")
    events = agents.follow(session_id)
    ended_at = time.time()

    end = events[-1]
    assert [event["type"] for event in events if event["type"] in TERMINAL] == [way.type]
    if isinstance(death, Death):
        died_at = death.time()
    elif way.agent == "missing":  # it never lived: this is when that was found out
        died_at = datetime.fromisoformat(end["timestamp"]).timestamp()
    else:
        died_at = float((workspace / "died").read_text())
    data = end["data"]
    info = data["termination_info"]
    assert end["type"] == way.type
    assert data["stop_reason"] == way.stop_reason
    assert data["synthetic"] is True
    assert info["terminated_by"] == way.by
    assert info["reason"] == ("terminated" if way.cancelled else "error")
    assert {field: info.get(field) for field in way.info} == way.info
    assert not [field for field in way.unset if field in info]
    if way.cancelled:
        assert info.keys() == {"reason", "terminated_by"}
    else:
        assert data["message"] == info["message"]
        assert data["message"].startswith(way.message)
    if way.agent != "missing":
        assert data["agent_session_id"] == "scripted"
    if way.stop_reason == "process_exit":
        assert data["error_type"] == "process_exit"

    record = agents.record(session_id)
    assert record["status"] == ("cancelled" if way.cancelled else "failed")
    assert record["stop_reason"] == way.stop_reason
    assert record["termination_info"] == info
    listed = next(one for one in agents.get("/sessions").json()["sessions"] if one["session_id"] == session_id)
    assert listed == record
    assert nulls(end) == nulls(record) == []
    for pid_file in workspace.glob("*.pid"):
        pid = int(pid_file.read_text())
        eventually(lambda pid=pid: not is_alive(pid), 15, f"the end of process {pid}")
    return ended_at - died_at


def death_of_agent(server: Server, session_id: str) -> Death | None:
    note = note_of(server, session_id)
    return Death(note["agent_pid"]) if note and note.get("agent_pid") else None


def nulls(value: Any, path: str = "") -> list[str]:
    """Where a JSON value has a null in it."""
    if isinstance(value, dict):
        return [found for name, part in value.items() for found in nulls(part, f"{path}.{name}")]
    if isinstance(value, list):
        return [found for number, part in enumerate(value) for found in nulls(part, f"{path}[{number}]")]
    return [path] if value is None else []
