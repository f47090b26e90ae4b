"""Reads the spec, claims the run, leaves a note about this keeper, and lives the run."""

import asyncio
import os
import time

import msgspec

from holdfast.agents import tree
from holdfast.keeper.run import Run
from holdfast.keeper.spec import CLAIM_FILE, NOTE_FILE, SPOOL_FILE, UNSENT_FILE, Note, Spec, write_private


def live(folder: str, encoded: bytes, guard_pid: int) -> None:
    spec = msgspec.json.decode(encoded, type=Spec)
    papers = Papers(folder, spec, guard_pid)
    if spec.warm or papers.claim():
        asyncio.run(_live(folder, spec, papers))


class Papers:
    """What a keeper leaves in its run's folder about itself."""

    def __init__(self, folder: str, spec: Spec, guard_pid: int) -> None:
        self._folder = folder
        self.guard_pid = guard_pid
        self._note = Note(
            session_id=spec.session_id,
            run=spec.run,
            pid=os.getpid(),
            guard_pid=guard_pid,
            guard_ticks=tree.start_ticks(guard_pid) or 0,
            began_s=time.time(),
        )

    def claim(self) -> bool:
        """Makes the run this keeper's. False if it is another's: a server that found no keeper started a second, and
        one run has one agent."""
        try:
            path = f"{self._folder}/{CLAIM_FILE}"
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        except FileExistsError:
            return False
        self._write()
        return True

    def agent_started(self, pid: int) -> None:
        self._note = msgspec.structs.replace(self._note, agent_pid=pid)
        if os.path.exists(f"{self._folder}/{NOTE_FILE}"):  # noqa: PTH110 - one that waits for its task has none yet
            self._write()

    def _write(self) -> None:
        write_private(f"{self._folder}/{NOTE_FILE}", msgspec.json.encode(self._note))


async def _live(folder: str, spec: Spec, papers: Papers) -> None:
    run = Run(
        spec,
        spool_path=f"{folder}/{SPOOL_FILE}",
        unsent_path=f"{folder}/{UNSENT_FILE}",
        guard_pid=papers.guard_pid,
        agent_started=papers.agent_started,
        claim=papers.claim,
    )
    await run.live()
