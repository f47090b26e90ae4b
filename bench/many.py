"""200 sessions, each with an agent, a keeper and one reader, at 50 events a second; 1,000 more readers are idle."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

from bench import processes
from bench.crowd import Crowd
from bench.result import Row, median, none
from bench.servers import Holdfast

BENCH = "many sessions"
SESSIONS, IDLE, SECONDS = 200, 1000, 10


def run(*, quick: bool) -> tuple[list[Row], dict]:
    if quick:
        return [Row(BENCH, "left out with --quick", None, "")], {}
    # At 50 events a second the agents and keepers alone want more than two cores; at 5 the machine has room, so that
    # the latency is Holdfast's own.
    raw = {rate: measure(rate) for rate in (5, 50)}
    rows = []
    for rate, one in raw.items():
        name = f"{BENCH}, {rate}/s"
        rows += [Row(name, f"{kind}: CPU", share * 100, "% of a core") for kind, share in one["shares"].items()]
        rows += [
            Row(name, f"start of {SESSIONS} agents", one["started_s"], "s"),
            Row(name, "latency p50", median([stream["p50_ms"] for stream in one["active"]]), "ms"),
            Row(name, "latency p99, median session", median([stream["p99_ms"] for stream in one["active"]]), "ms"),
            Row(name, "latency p99, worst session", max(stream["p99_ms"] for stream in one["active"]), "ms"),
            none(name, "missing, double, out of order, cut", one["faults"]),
        ]
    return rows, raw


def measure(rate: int) -> dict:
    with Holdfast() as holdfast:
        began = time.monotonic()
        gate = holdfast.home / "go-all"
        order = f"rate={rate} seconds={SECONDS} size=60 spread=1 gate={gate}"
        with ThreadPoolExecutor(8) as pool:
            names = list(pool.map(holdfast.run, [order] * SESSIONS))
            quiet = holdfast.run(f"rate=1 seconds=1 gate={holdfast.home}/never")
            list(pool.map(lambda name: holdfast.until_started(name, patience=120), [*names, quiet]))
        started = time.monotonic() - began
        streams = [{"path": f"/api/v1/sessions/{name}/events", "readers": 1} for name in names]
        streams.append({"path": f"/api/v1/sessions/{quiet}/events", "readers": IDLE, "closes": False})
        with Crowd(holdfast.port, streams, seconds=120) as crowd:
            meters = {"server": Meter([holdfast.pid])}
            meters |= {kind: Meter(pids) for kind, pids in holdfast.helpers().items()}
            opened = time.monotonic()
            gate.touch()
            time.sleep(SECONDS * 0.8)  # before the first keepers go and take their accounts with them
            shares = {kind: meter.share(time.monotonic() - opened) for kind, meter in meters.items()}
            report = crowd.report()
        holdfast.request("POST", f"/api/v1/sessions/{quiet}/cancel")
        heads = [holdfast.record(name)["head"] for name in names]
    active = report["streams"][:-1]
    faults = report["unfinished"] + sum(one["faults"] for one in report["streams"])
    faults += sum(one["events"] != max(head, rate * SECONDS) for one, head in zip(active, heads, strict=True))
    return {"shares": shares, "started_s": started, "active": active, "faults": faults, "idle": report["streams"][-1]}


class Meter:
    """The CPU that some processes use from now on."""

    def __init__(self, pids: list[int]) -> None:
        self.before = {pid: processes.cpu(pid) for pid in pids}

    def share(self, seconds: float) -> float:
        used = 0.0
        for pid, before in self.before.items():
            with contextlib.suppress(OSError):
                used += processes.cpu(pid) - before
        return used / seconds
