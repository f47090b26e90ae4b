"""Runs the cases against a server through a client: one line for each case, a summary, and 1 if something failed."""

import argparse
import asyncio
import json
import random
import shlex
import signal
import sys
import time
from fnmatch import fnmatchcase

from conformance.case import Case, CaseError, load_all, schema
from conformance.driver import COMMANDS, Driver, DriverFailed
from conformance.logs import Logs
from conformance.rounds import Result, Suite
from conformance.servers import COMMAND, Server, ServerFailed, Servers

ALL = "all"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m conformance", description=__doc__)
    parser.add_argument(
        "--client", choices=[*COMMANDS, ALL], default="raw", help="raw: plain requests, no client; all: one by one"
    )
    parser.add_argument("--driver", help="the command of a driver of your own (conformance/README.md)")
    parser.add_argument("--url", help="a server that runs already; without it, the suite starts its own")
    parser.add_argument("--token", default="", help="the credential for --url")
    parser.add_argument("--serve", help="the command of a server of your own, told by HOLDFAST_… variables where to be")
    parser.add_argument("--cases", default="*", help="those whose names fit, like 'resume*'")
    parser.add_argument("--rounds", type=int, default=1, help="how often each case is run")
    parser.add_argument("--seed", type=int, help="the first round's seed; the next ones count on from it")
    parser.add_argument("--at-once", type=int, default=4, help="so many rounds at the same time")
    parser.add_argument("--list", action="store_true", help="says what cases there are, and what they hold")
    parser.add_argument("--schema", action="store_true", help="prints the JSON schema of a case")
    options = parser.parse_args()
    if options.schema:
        return _say(json.dumps(schema(), indent=2))
    try:
        cases = [case for case in load_all() if fnmatchcase(case.name, options.cases)]
    except CaseError as error:
        return _say(str(error), code=2)
    if not cases:
        return _say(f"no case is called {options.cases}", code=2)
    if options.list:
        return _say("\n".join(f"{case.name:28} {' '.join(case.requirements):30} {case.about}" for case in cases))
    try:
        return asyncio.run(_run(options, cases))
    except (DriverFailed, ServerFailed) as error:
        return _say(str(error), code=2)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return _say("ended before its time", code=130)


async def _run(options: argparse.Namespace, cases: list[Case]) -> int:
    seed = random.randrange(1_000_000) if options.seed is None else options.seed  # noqa: S311 - no secret
    # A driver of one's own is a client like the two of ours, not the plain requests of `raw`.
    clients = ["own"] if options.driver else list(COMMANDS) if options.client == ALL else [options.client]
    command = shlex.split(options.serve) if options.serve else COMMAND
    servers = Servers(Server(options.url, options.token) if options.url else None, command)
    logs = Logs()
    # Whoever ends the suite ends its servers and their agents with it.
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        # One after the other: what each of them costs can be seen, and a mistake of one disturbs no other.
        return max([await _client(options, client, servers, logs, cases, seed) for client in clients])
    finally:
        await servers.close()


async def _client(
    options: argparse.Namespace, client: str, servers: Servers, logs: Logs, cases: list[Case], seed: int
) -> int:
    driver = Driver(client, options.driver)
    chosen = f"--driver {shlex.quote(options.driver)}" if options.driver else f"--client {client}"
    began = time.monotonic()
    await driver.start()
    try:
        suite = Suite(client, driver, servers, logs, at_once=options.at_once)
        results = await suite.run(cases, options.rounds, seed, _tell)
    finally:
        await driver.close()
    failures = [failure for result in results for failure in result.failures]
    for failure in failures:
        faults = "".join(f"\n    {fault}" for fault in failure.faults)
        _say(f"\n{failure.case} failed with the seed {failure.seed}: {failure.why}{faults}")
        _say(f"  again: python -m conformance {chosen} --cases {failure.case} --seed {failure.seed}")
    passed = sum(result.passed for result in results)
    skipped = sum(result.skipped is not None for result in results)
    took = time.monotonic() - began
    _say(
        f"{passed} rounds of {len(cases) - skipped} cases passed, {len(failures)} failed, {skipped} cases skipped "
        f"({options.driver or client}, seeds from {seed}, {took:.0f} s)"
    )
    return 1 if failures else 0


def _tell(result: Result) -> None:
    name = result.case.name
    if result.skipped is not None:
        _say(f"skip  {name:28} {result.skipped}")
    else:
        state = "FAIL" if result.failures else "ok  "
        total = result.passed + len(result.failures)
        _say(f"{state}  {name:28} {result.passed}/{total}  {result.seconds / total * 1000:.0f} ms each")


def _say(text: str, *, code: int = 0) -> int:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
    return code


if __name__ == "__main__":
    sys.exit(main())
