"""However a run ends, nothing of its process tree is alive five seconds later, even what hides."""

import os
import signal
from pathlib import Path

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually, is_alive, marked, zombies_of
from tests.runs.agents import note_of

# Leaves a process that has forked twice, has a session and an environment of its own, holds no pipe and ignores
# SIGTERM: neither its group, nor its parent, nor its environment leads to it.
ESCAPE = '''
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 100)
        code = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open("escaped.pid.new", "w") as file:
    file.write(str(os.getpid()))
os.rename("escaped.pid.new", "escaped.pid")
time.sleep(600)
"""
        os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", code], {})
    os._exit(0)
os.wait()
until("escaped.pid")
say("escaped")
'''
HANG = f"{ESCAPE}\nsignal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


class Tree:
    """All that a run has started: its keeper, the guard, the agent, and what the agent has left behind."""

    def __init__(self, client: Client, server: Server, session_id: str, workspace: Path | None) -> None:
        client.until(session_id, "message")
        note = eventually(lambda: note_of(server, session_id))
        assert isinstance(note, dict)
        self.keeper, self.guard, self.agent = note["pid"], note["guard_pid"], note["agent_pid"]
        self.marker = f"HOLDFAST_RUN={session_id}-1"
        self.pids = {self.keeper, self.guard, self.agent, *marked(self.marker)}
        if workspace is not None:
            self.pids.add(int((workspace / "escaped.pid").read_text()))

    @property
    def left(self) -> list[int]:
        return [*(pid for pid in self.pids if is_alive(pid)), *marked(self.marker)]


ENDS = ["cancel", "keeper", "guard", "keeper and guard"]


def bring_to_an_end(how: str, client: Client, session_id: str, tree: Tree) -> None:
    if how == "cancel":
        client.post(f"/sessions/{session_id}/cancel")
    if how == "keeper and guard":
        os.kill(tree.guard, signal.SIGSTOP)  # or it would see the keeper die, and do its work
    for name in ("keeper", "guard"):
        if name in how:
            os.kill(getattr(tree, name), signal.SIGKILL)


@pytest.mark.requirement("R091", "R063", "R136", "R146")
@pytest.mark.parametrize("how", ENDS)
def test_a_process_that_hides_is_found(agents: Client, agents_server: Server, tmp_path: Path, how: str) -> None:
    session_id = agents.run_task(HANG, agent="scripted", workspace=str(tmp_path))
    tree = Tree(agents, agents_server, session_id, tmp_path)
    assert len(tree.left) >= 4
    bring_to_an_end(how, agents, session_id, tree)
    eventually(lambda: not tree.left, 5, f"the end of all processes after {how}: {tree.pids}")
    end = agents.end_of(session_id)["data"]
    assert end["stop_reason"] == ("cancelled" if how == "cancel" else "interrupted")
    eventually(lambda: not zombies_of(agents_server.pid), 15, "that the server has taken all exit statuses")


@pytest.mark.requirement("R091", "R146")
def test_a_process_that_hides_is_found_after_a_normal_end(
    agents: Client, agents_server: Server, tmp_path: Path
) -> None:
    session_id = agents.run_task(f"{ESCAPE}\nuntil('go')", agent="scripted", workspace=str(tmp_path))
    tree = Tree(agents, agents_server, session_id, tmp_path)
    (tmp_path / "go").touch()
    assert agents.end_of(session_id)["data"]["stop_reason"] == "success"
    eventually(lambda: not tree.left, 5, f"the end of all processes: {tree.pids}")


@pytest.mark.requirement("R091", "R063", "R136", "R146")
@pytest.mark.parametrize("how", ENDS)
def test_orphans_of_a_stubborn_agent_are_ended(agents: Client, agents_server: Server, how: str) -> None:
    session_id = agents.run_task("orphan stubborn")
    tree = Tree(agents, agents_server, session_id, None)
    assert len(tree.pids) >= 5
    bring_to_an_end(how, agents, session_id, tree)
    eventually(lambda: not tree.left, 5, f"the end of all processes after {how}: {tree.pids}")
    end = agents.end_of(session_id)["data"]
    assert end["stop_reason"] == ("cancelled" if how == "cancel" else "interrupted")
    assert agents.record(session_id)["resumable"] is True


@pytest.mark.requirement("R091")
def test_orphans_are_ended_after_a_normal_end(agents: Client, agents_server: Server) -> None:
    session_id = agents.run_task("orphan ask")
    tree = Tree(agents, agents_server, session_id, None)
    request_id = agents.until(session_id, "permission_request")["data"]["request_id"]
    path = f"/sessions/{session_id}/permissions/{request_id}/answer"
    assert agents.post(path, json={"decision": "allow_once"}).status_code == 200
    assert agents.end_of(session_id)["data"]["stop_reason"] == "success"
    eventually(lambda: not tree.left, 5, f"the end of all processes: {tree.pids}")


@pytest.mark.requirement("R091", "R063")
def test_a_keeper_that_is_frozen_cannot_keep_a_run_from_being_cancelled(agents: Client, agents_server: Server) -> None:
    session_id = agents.run_task("orphan stubborn")
    tree = Tree(agents, agents_server, session_id, None)
    os.kill(tree.keeper, signal.SIGSTOP)
    record = agents.post(f"/sessions/{session_id}/cancel").json()
    assert (record["status"], record["stop_reason"]) == ("cancelled", "cancelled")
    eventually(lambda: not tree.left, 5, f"the end of all processes: {tree.pids}")


@pytest.mark.requirement("R091")
def test_no_keeper_leaves_its_folder_behind(agents: Client, agents_server: Server) -> None:
    sessions = [agents.run_task(task) for task in ("crash", "tools 2", "flood 10")]
    for session_id in sessions:
        agents.follow(session_id)
    folders = agents_server.data / "runs"
    eventually(lambda: not [one for one in sessions if (folders / f"{one}-1").exists()], 15, "empty run folders")
