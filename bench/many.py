"""200 sessions, each with an agent, a keeper and one reader, at 50 events a second; 1,000 more readers are idle."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

from bench import processes
from bench.crowd import Crowd
from bench.result import Row, median, none
from bench.servers import Holdfast

BENCH = "many sessions"


def run(*, quick: bool) -> tuple[list[Row], dict]:
    if quick:
        return [Row(BENCH, "left out with --quick", None, "")], {}
    sessions, idle, rate, seconds = 200, 1000, 50, 10
    with Holdfast() as holdfast:
        began = time.monotonic()
        gate = holdfast.home / "go-all"
        with ThreadPoolExecutor(8) as pool:
            order = f"rate={rate} seconds={seconds} size=60 gate={gate}"
            names = list(pool.map(holdfast.run, [order] * sessions))
            quiet = holdfast.run(f"rate=1 seconds=1 gate={holdfast.home}/never")
            list(pool.map(lambda name: holdfast.until_started(name, patience=120), [*names, quiet]))
        started = time.monotonic() - began
        streams = [{"path": f"/api/v1/sessions/{name}/events", "readers": 1} for name in names]
        streams.append({"path": f"/api/v1/sessions/{quiet}/events", "readers": idle, "closes": False})
        with Crowd(holdfast.port, streams, seconds=120) as crowd:
            helpers = holdfast.helpers()
            used = {"server": Meter([holdfast.pid])} | {kind: Meter(pids) for kind, pids in helpers.items()}
            gate.touch()
            opened = time.monotonic()
            time.sleep(seconds * 0.8)  # before the first keepers go and take their accounts with them
            shares = {kind: meter.share(time.monotonic() - opened) for kind, meter in used.items()}
            report = crowd.report()
        holdfast.request("POST", f"/api/v1/sessions/{quiet}/cancel")
        heads = [holdfast.record(name)["head"] for name in names]
    active = report["streams"][:-1]
    faults = report["unfinished"] + sum(one["faults"] for one in report["streams"])
    faults += sum(one["events"] != max(head, rate * seconds) for one, head in zip(active, heads, strict=True))
    raw = {"report": report, "shares": shares, "started_s": started}
    rows = [Row(BENCH, f"start of {sessions} agents", started, "s")]
    rows += [Row(BENCH, f"{kind}: CPU", share * 100, "% of a core") for kind, share in shares.items()]
    rows += [
        Row(BENCH, "latency p50", median([one["p50_ms"] for one in active]), "ms"),
        Row(BENCH, "latency p99, median of the sessions", median([one["p99_ms"] for one in active]), "ms"),
        Row(BENCH, "latency p99, worst session", max(one["p99_ms"] for one in active), "ms"),
        none(BENCH, "missing, double, out of order, cut", faults),
    ]
    return rows, raw


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
