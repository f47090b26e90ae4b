"""A keeper without a server: it holds everything, on disk if need be, and leaves what nobody came for."""

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually, is_alive
from tests.runs.agents import configure, note_of

TOOLS = 15_000  # twice as many events, three times what a keeper holds in its memory

WORK = f"""
def line(kind, n, status):
    return json.dumps({{"method": "session/update", "params": {{"sessionId": "scripted", "update": {{
        "sessionUpdate": kind, "toolCallId": str(n), "title": "Work", "kind": "other", "status": status}}}}}})

say("ready")
until("go")
for first in range(0, {TOOLS}, 500):
    raw("\\n".join(line(kind, n, status) for n in range(first, first + 500)
        for kind, status in (("tool_call", "in_progress"), ("tool_call_update", "completed"))).encode())
Path("written").touch()
"""


def begin(server: Server, client: Client, workspace: Path, task: str) -> tuple[str, int, dict[str, Any]]:
    """The session, what a client has seen of it, and its keeper's note."""
    session_id = client.run_task(task, agent="scripted", workspace=str(workspace))
    seen = client.until(session_id, "message")["sequence"]
    note = note_of(server, session_id)
    assert note is not None
    return session_id, seen, note


def assert_nothing_is_lost(events: list[dict[str, Any]]) -> None:
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert [int(e["data"]["tool_id"]) for e in events if e["type"] == "tool_start"] == list(range(TOOLS))
    assert [int(e["data"]["tool_id"]) for e in events if e["type"] == "tool_complete"] == list(range(TOOLS))
    assert not [e for e in events if e["type"] == "tool_complete" and e["data"].get("outcome")]


@pytest.mark.requirement("R143", "R144")
def test_what_overflows_a_keepers_memory_goes_to_disk_and_then_into_the_log(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = configure(make_server()).start()
    with server.client() as client:
        session_id, seen, note = begin(server, client, tmp_path, f"{WORK}\nuntil('more'); say('the end', 'last')")
        spool = server.data / "runs" / f"{session_id}-1" / "spool"
        server.kill()
        (tmp_path / "go").touch()
        eventually(spool.exists, 60, "the spool")
        assert stat.S_IMODE(spool.stat().st_mode) == 0o600
        eventually((tmp_path / "written").exists, 60, "that the agent was not held up")
        status = Path(f"/proc/{note['pid']}/status").read_text()
        assert int(status.partition("VmHWM:")[2].split()[0]) < 64 * 1024
        server.start()
        # Who asked for what comes after a number that the log has not reached yet would get it from its beginning.
        eventually(lambda: client.record(session_id)["head"] >= seen + 2 * TOOLS, 60, "that all of it is in the log")
        eventually(lambda: not spool.exists(), 30, "an empty spool")
        assert is_alive(note["agent_pid"])
        (tmp_path / "more").touch()
        events = client.follow(session_id)
    assert_nothing_is_lost(events)
    assert events[-1]["data"]["stop_reason"] == "success"
    assert [event["data"]["text"] for event in events if "full_text" in event["data"]] == ["ready", "the end"]


@pytest.mark.requirement("R134", "R135", "R136", "R143", "R146")
@pytest.mark.timeout(180)
def test_a_keeper_that_waits_in_vain_ends_its_agent_and_leaves_the_rest_for_the_next_server(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = configure(make_server(HOLDFAST_SERVER_PATIENCE_S="8")).start()
    folders = [tmp_path / name for name in ("much", "little", "done")]
    for folder in folders:
        folder.mkdir()
    with server.client() as client:
        much, _, much_note = begin(server, client, folders[0], f"{WORK}\ntime.sleep(600)")
        little, _, little_note = begin(server, client, folders[1], "say('half a '); until('go'); say('word'); input()")
        done, _, done_note = begin(server, client, folders[2], "say('a'); until('go'); say('b')")
        server.kill()
        for folder in folders:
            (folder / "go").touch()
        for note in (much_note, little_note, done_note):
            for name in ("agent_pid", "pid", "guard_pid"):
                eventually(lambda pid=note[name]: not is_alive(pid), 60, "that the keepers give up")
        eventually(lambda: not server.below(), 15, "the end of all processes")
        for session_id in (much, little, done):
            assert (server.data / "runs" / f"{session_id}-1" / "unsent").exists()
        server.start()
        events = client.follow(much)
        assert_nothing_is_lost(events)
        assert (events[-1]["data"]["stop_reason"], events[-1]["data"]["resumable"]) == ("interrupted", True)
        assert events[-1]["data"]["termination_info"]["terminated_by"] == "daemon"
        texts = [event["data"]["text"] for event in client.follow(little) if "full_text" in event["data"]]
        assert texts == ["half a word"]
        # This one ended by itself before its keeper gave up: its own end counts.
        assert client.end_of(done)["data"]["stop_reason"] == "success"
        listed = client.get("/sessions/recoverable").json()["sessions"]
        assert {record["session_id"] for record in listed} == {much, little}
        assert not list((server.data / "runs").iterdir())
        client.next_task(much, "say('again')")
        assert client.end_of(much)["data"]["stop_reason"] == "success"
    assert "Recovered 2 resumable session(s)" in server.log.read_text()
