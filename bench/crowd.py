"""The bench's side of the load client: start it, wait until all streams are open, take its report."""

import json
import subprocess
from types import TracebackType

from bench import processes


class BenchError(Exception):
    """The measurement could not be made; its number would mean nothing."""


class Crowd:
    """A running load client."""

    def __init__(self, port: int, streams: list[dict], *, seconds: float = 120) -> None:
        self.readers = sum(stream["readers"] for stream in streams)
        self.process = processes.start("load", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._say(json.dumps({"port": port, "streams": streams, "seconds": seconds}))

    def __enter__(self) -> "Crowd":
        connected = self._hear()["connected"]
        if connected != self.readers:
            processes.stop(self.process)
            raise BenchError(f"only {connected} of {self.readers} streams were opened")
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        processes.stop(self.process)

    def stall(self, stream: int) -> None:
        self._say(f"stall {stream}")

    def resume(self, stream: int) -> None:
        self._say(f"resume {stream}")

    def stop(self) -> None:
        """Streams that have not ended by now are not waited for."""
        self._say("stop")

    def report(self) -> dict:
        """Waits for the end of all streams that close, bounded by the load client's own deadline."""
        return self._hear()["report"]

    def _say(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def _hear(self) -> dict:
        line = self.process.stdout.readline()
        if not line:
            raise BenchError("the load client died")
        return json.loads(line)
