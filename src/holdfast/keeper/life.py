"""Reads the spec, leaves a note about this keeper, and lives the run."""

import asyncio
import os
import time

import msgspec

from holdfast.agents import tree
from holdfast.keeper.run import Run
from holdfast.keeper.spec import CLAIM_FILE, NOTE_FILE, SPEC_FILE, SPOOL_FILE, UNSENT_FILE, Note, Spec, write_private


def live(folder: str, guard_pid: int) -> None:
    with open(f"{folder}/{SPEC_FILE}", "rb") as file:  # noqa: PTH123
        spec = msgspec.json.decode(file.read(), type=Spec)
    try:
        os.close(os.open(f"{folder}/{CLAIM_FILE}", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return  # a server that found no keeper started another; one run has one agent
    note = Note(
        session_id=spec.session_id,
        run=spec.run,
        pid=os.getpid(),
        guard_pid=guard_pid,
        guard_ticks=tree.start_ticks(guard_pid) or 0,
        began_s=time.time(),
    )
    write_private(f"{folder}/{NOTE_FILE}", msgspec.json.encode(note))
    asyncio.run(_live(folder, spec, note))


async def _live(folder: str, spec: Spec, note: Note) -> None:
    def agent_started(pid: int) -> None:
        named = msgspec.structs.replace(note, agent_pid=pid)
        write_private(f"{folder}/{NOTE_FILE}", msgspec.json.encode(named))

    run = Run(
        spec,
        spool_path=f"{folder}/{SPOOL_FILE}",
        unsent_path=f"{folder}/{UNSENT_FILE}",
        guard_pid=note.guard_pid,
        agent_started=agent_started,
    )
    await run.live()
