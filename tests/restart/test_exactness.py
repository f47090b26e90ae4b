"""The bar: twenty readers, five hundred cut connections, ten kills of the server, and every byte in its place.

One agent writes more than five thousand events through all of it.
"""

import asyncio
import json
import os
import random
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Server
from tests.restart.readers import Reader, number
from tests.runs.agents import configure, note_of

READERS, CUTS, KILLS, EVENTS = 20, 500, 10, 5000

# Texts and tools by turns, four events each time; each tool has the agent's own pid as its title.
WORK = f"""
count = 0
while count < {EVENTS // 4 + 50} or not Path("enough").exists():
    update("tool_call", toolCallId=str(count), title=str(os.getpid()), kind="other", status="in_progress")
    say(f"word-{{count}} ", f"message {{count // 10}}")
    update("tool_call_update", toolCallId=str(count), status="completed")
    count += 1
    time.sleep(0.008)
"""


def log_of(server: Server, session_id: str) -> bytes:
    """The session's log as it lies on the disk, in the form in which it is sent."""
    with sqlite3.connect(f"file:{server.data / 'holdfast.db'}?mode=ro", uri=True) as store:
        rows = store.execute(
            "select sequence, body from events join sessions on events.session_key = sessions.key "
            "where sessions.id = ? order by sequence",
            (session_id,),
        ).fetchall()
    return b"".join(b"id: %d\ndata: %b\n\n" % row for row in rows)


@pytest.mark.anyio
@pytest.mark.timeout(240)
@pytest.mark.requirement("R057", "R059", "R060", "R081", "R143", "R144")
async def test_twenty_readers_see_the_same_bytes_through_cuts_and_kills(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = configure(make_server()).start()
    with server.client() as client:
        session_id = client.run_task(WORK, agent="scripted", workspace=str(tmp_path))
        client.until(session_id, "tool_start")
    note = note_of(server, session_id)
    assert note is not None
    readers = [Reader(server, session_id) for _ in range(READERS)]
    following = [asyncio.ensure_future(reader.follow()) for reader in readers]
    cuts = 0
    for kill in range(1, KILLS + 1):
        while cuts < CUTS * kill // KILLS:
            connected = [reader for reader in readers if reader.is_reading]
            if connected:
                random.choice(connected).cut()
                cuts += 1
            await asyncio.sleep(random.uniform(0, 0.03))
        os.kill(server.pid, signal.SIGKILL)
        assert server.process is not None
        await asyncio.to_thread(server.process.wait)
        await asyncio.sleep(random.uniform(0, 0.3))
        await asyncio.to_thread(server.start)
        assert note_of(server, session_id) == note
    (tmp_path / "enough").touch()
    await asyncio.wait_for(asyncio.gather(*following), 100)

    assert cuts == CUTS
    assert sum(reader.connections for reader in readers) >= CUTS
    transcripts = {b"".join(reader.frames) for reader in readers}
    assert transcripts == {log_of(server, session_id)}
    frames = readers[0].frames
    assert len(frames) > EVENTS
    assert [number(frame) for frame in frames] == list(range(1, len(frames) + 1))
    events = [json.loads(frame.partition(b"data: ")[2]) for frame in frames]
    assert [event["sequence"] for event in events] == list(range(1, len(frames) + 1))
    assert {event["data"]["title"] for event in events if event["type"] == "tool_start"} == {str(note["agent_pid"])}
    completed = [int(event["data"]["tool_id"]) for event in events if event["type"] == "tool_complete"]
    assert completed == list(range(len(completed)))
    texts = [event["data"] for event in events if event["type"] == "message"]
    words = "".join(f"word-{n} " for n in range(len(completed)))
    assert "".join(text["text"] for text in texts if text["is_partial"]) == words
    assert "".join(text["text"] for text in texts if not text["is_partial"]) == words
    assert [event["type"] for event in events].count("agent_start") == 1
    assert events[-1]["data"]["stop_reason"] == "success"
