"""The rounds: every case so often, several at a time, each with a seed of its own by which it can be had again."""

import asyncio
import time
import traceback
from collections.abc import Callable

from msgspec import Struct

from conformance.case import Case
from conformance.driver import Driver
from conformance.logs import Logs
from conformance.play import Play
from conformance.servers import Servers

SHOWN_FAULTS = 40


class Failure(Struct, frozen=True, kw_only=True):
    case: str
    seed: int
    why: str
    faults: list[str]


class Result(Struct, kw_only=True):
    """What became of one case."""

    case: Case
    passed: int = 0
    failures: list[Failure] = []
    skipped: str | None = None
    seconds: float = 0.0


class Suite:
    def __init__(self, client: str, driver: Driver, servers: Servers, logs: Logs, *, at_once: int) -> None:
        self._client = client
        self._driver = driver
        self._servers = servers
        self._places = asyncio.Semaphore(at_once)
        self._logs = logs

    def skipped(self, case: Case) -> str | None:
        """Why this case is left out; None: it is not."""
        if self._client == "raw" and case.holds == "client":
            return "it is about clients"
        if self._client != "raw" and case.holds == "server":
            return "it is about the server alone: run it with --client raw"
        if self._servers.given is not None and case.holds != "client":
            if case.ends_the_server:
                return "it ends the server, which is not ours"
            if case.settings:
                return f"it needs a server with {', '.join(sorted(case.settings))} set"
        return None

    async def run(self, cases: list[Case], rounds: int, seed: int, tell: Callable[[Result], None]) -> list[Result]:
        """All rounds of all cases; a case is told of when its last round is over."""
        return list(await asyncio.gather(*(self._case(case, rounds, seed, tell) for case in cases)))

    async def _case(self, case: Case, rounds: int, seed: int, tell: Callable[[Result], None]) -> Result:
        result = Result(case=case, skipped=self.skipped(case))
        if result.skipped is None:
            await asyncio.gather(*(self._round(case, seed + number, result) for number in range(rounds)))
        tell(result)
        return result

    async def _round(self, case: Case, seed: int, result: Result) -> None:
        began = time.monotonic()
        faults: list[str] = []
        try:
            if case.script is not None:
                async with self._places:
                    began = time.monotonic()
                    await Play(case, self._driver, None, seed, self._logs, faults).run()
            else:
                # Whoever waits for a server of its own takes no place from those that could go on.
                async with self._servers.server(case.settings, ends=case.ends_the_server) as server, self._places:
                    began = time.monotonic()
                    await Play(case, self._driver, server, seed, self._logs, faults).run()
            result.passed += 1
        except Exception as error:  # a round that fails must not cost the others
            why = str(error) if type(error).__module__.startswith("conformance") else traceback.format_exc()
            result.failures.append(Failure(case=case.name, seed=seed, why=why, faults=faults[-SHOWN_FAULTS:]))
        result.seconds += time.monotonic() - began
