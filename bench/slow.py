"""One reader stops reading while 100,000 events are written; the same without it shows what the others notice."""

import time

from bench import processes
from bench.crowd import Crowd
from bench.result import Row, none, under
from bench.servers import Holdfast

BENCH = "slow reader"
OTHERS = 10
# Small, so that the backlog is the server's and not hidden in the kernel's buffers of the client.
RECEIVE_BUFFER = 16 * 1024


def run(*, quick: bool) -> tuple[list[Row], dict]:
    seconds, events = (10, 20_000) if quick else (60, 100_000)
    order = f"rate={events / seconds:.0f} seconds={seconds} size=60"
    raw = {"without": measure(order, seconds, stalled=False), "with": measure(order, seconds, stalled=True)}
    stalled, calm = raw["with"], raw["without"]
    late, usual = stalled["others"], calm["others"]
    return [
        under(BENCH, f"growth of the server's RSS while {events:,} are written", stalled["growth_mb"], "MB", 50),
        Row(BENCH, "the same when all read", calm["growth_mb"], "MB"),
        none(BENCH, "the slow one: missing, double, out of order, cut", stalled["slow"]["faults"]),
        Row(BENCH, "the slow one: everything read, after it went on", stalled["caught_up_s"], "s"),
        none(BENCH, "the others: missing, double, out of order, cut", late["faults"]),
        Row(BENCH, "the others: latency p99", late["p99_ms"], "ms"),
        Row(BENCH, "the others: latency p99, with / without", late["p99_ms"] / usual["p99_ms"], "×"),
        Row(BENCH, "the others: latency p50, with / without", late["p50_ms"] / usual["p50_ms"], "×"),
    ], raw


def measure(order: str, seconds: int, *, stalled: bool) -> dict:
    with Holdfast() as holdfast:
        emission = holdfast.prepare(order)
        streams = [
            {"path": emission.path, "readers": OTHERS},
            {"path": emission.path, "readers": 1, "receive_buffer": RECEIVE_BUFFER},
        ]
        with Crowd(holdfast.port, streams, seconds=seconds * 2 + 60) as crowd:
            before = top = processes.rss(holdfast.pid)
            if stalled:
                crowd.stall(1)
                time.sleep(0.2)
            emission.go()
            end = time.monotonic() + seconds
            # Until all is written, which on a busy machine may take longer than planned.
            while time.monotonic() < end or (stalled and not over(holdfast, emission.session, end + 30)):
                time.sleep(0.25)
                top = max(top, processes.rss(holdfast.pid))
            resumed = time.monotonic_ns()
            if stalled:
                crowd.resume(1)
            report = crowd.report()
            top = max(top, processes.rss(holdfast.pid))
        head = holdfast.record(emission.session)["head"]
    others, slow = report["streams"]
    for one in (others, slow):
        one["faults"] += abs(one["events"] - head)
    slow["faults"] += report["unfinished"]
    caught_up = max(0.0, (slow["last_read"] - resumed) / 1e9)
    return {"growth_mb": top - before, "others": others, "slow": slow, "caught_up_s": caught_up}


def over(holdfast: Holdfast, session: str, latest: float) -> bool:
    return time.monotonic() > latest or holdfast.record(session)["status"] not in ("pending", "running")
