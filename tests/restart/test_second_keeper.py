"""Two keepers for one run: a server was killed just after it had started one, and that one was so slow to come to life
that the next server started another. The run is whose it is, and over only when that one is gone."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdfast.agents import tree
from holdfast.config import Settings
from holdfast.keeper.spec import CLAIM_FILE, NOTE_FILE, SPEC_FILE, Note, run_folder, write_private
from holdfast.sessions.watch import Watch


class Keepers:
    """Nobody is linked."""

    def link(self, _key: object) -> None:
        return None

    async def until_unlinked(self, _key: object) -> None:
        pass


class Session:
    id = "00000000-0000-4000-8000-000000000000"
    run = 1
    is_active = True


class Watched(Watch):
    settled_at = 0.0

    async def settle(self) -> None:
        self.settled_at = time.monotonic()


def guard(alive_s: float) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({alive_s})"])


@pytest.mark.anyio
@pytest.mark.requirement("R143", "R144")
@pytest.mark.parametrize("notes_late", [False, True])
async def test_the_one_that_has_the_run_is_seen_through_when_the_other_has_left(
    tmp_path: Path, notes_late: bool
) -> None:
    keepers: Any = Keepers()
    session: Any = Session()
    watch = Watched(Settings(data=tmp_path), keepers, session, 1)
    folder = run_folder(tmp_path, session.id, 1)
    folder.mkdir(parents=True)
    (folder / SPEC_FILE).touch()
    with guard(60) as first, guard(0) as second:
        note = Note(
            session_id=session.id,
            run=1,
            pid=first.pid,
            guard_pid=first.pid,
            guard_ticks=tree.start_ticks(first.pid) or 0,
            began_s=time.time(),
        )
        (folder / CLAIM_FILE).touch()
        if not notes_late:
            write_private(str(folder / NOTE_FILE), msgspec.json.encode(note))
        seeing = asyncio.ensure_future(watch.see_through(second.pid))
        await asyncio.to_thread(second.wait)
        await asyncio.sleep(0.5)
        assert not seeing.done(), "it was given up while its keeper lives"
        if notes_late:
            write_private(str(folder / NOTE_FILE), msgspec.json.encode(note))
            await asyncio.sleep(0.5)
            assert not seeing.done()
        first.kill()
        killed_at = time.monotonic()
        assert await asyncio.wait_for(seeing, 30)
        assert watch.settled_at >= killed_at
