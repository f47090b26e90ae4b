"""1,000 readers of one stream at 40 events a second: CPU for each delivery and latency, against both baselines.

Other work on the machine comes and goes, so each round measures all three servers, one right after the other, and what
counts is the median of the rounds' ratios.
"""

from bench.fanout import fan_out
from bench.result import Row, median, most, none
from bench.servers import Bare, Holdfast, Obvious


def run(*, quick: bool) -> tuple[list[Row], dict]:
    rounds, seconds = (1, 4) if quick else (5, 8)
    # 5,000 readers at 40 events/s would be more than one core can write, also for bare asyncio.
    others = ((1, 40), (100, 40)) if quick else ((1, 40), (100, 40), (5000, 4))
    raw: dict[str, list[dict]] = {}
    with Bare() as bare, Obvious() as obvious, Holdfast() as holdfast:
        servers = (bare, obvious, holdfast)
        for _ in range(rounds):
            for server in servers:
                raw.setdefault("1000", []).append(fan_out(server, 1000, f"rate=40 seconds={seconds} size=60"))
        for readers, rate in others:
            for server in servers:
                order = f"rate={rate} seconds={seconds} size=60"
                raw.setdefault(str(readers), []).append(fan_out(server, readers, order))
    return rows(raw), raw


def ratio(rounds: list[dict], over: str, key: str) -> float:
    """Holdfast's value to the other's, round by round."""
    ours = [one[key] for one in rounds if one["server"] == "holdfast"]
    theirs = [one[key] for one in rounds if one["server"] == over]
    return median([a / b for a, b in zip(ours, theirs, strict=True)])


def rows(raw: dict[str, list[dict]]) -> list[Row]:
    def value(readers: str, server: str, key: str) -> float:
        return median([one[key] or 0 for one in raw[readers] if one["server"] == server])

    result: list[Row] = []
    for readers in raw:
        name = f"steady {int(readers):,}"
        for server in ("bare", "obvious", "holdfast"):
            result.append(Row(name, f"{server}: CPU for a delivered event", value(readers, server, "cpu_us"), "µs"))
        for server in ("bare", "obvious", "holdfast"):
            result.append(Row(name, f"{server}: latency p50", value(readers, server, "p50_ms"), "ms"))
            result.append(Row(name, f"{server}: latency p99", value(readers, server, "p99_ms"), "ms"))
        if readers == "1000":
            result += [
                most(name, "CPU, holdfast / bare", ratio(raw[readers], "bare", "cpu_us"), "×", 1.5),
                most(name, "CPU, holdfast / obvious", ratio(raw[readers], "obvious", "cpu_us"), "×", 0.5),
                most(name, "p99, holdfast / bare", ratio(raw[readers], "bare", "p99_ms"), "×", 3),
                Row(name, "load client: CPU for a delivered event", value(readers, "holdfast", "client_cpu_us"), "µs"),
                Row(name, "bytes of an event, holdfast", value(readers, "holdfast", "frame_bytes"), "B"),
                Row(name, "bytes of an event, bare", value(readers, "bare", "frame_bytes"), "B"),
            ]
        faults = sum(one["faults"] for one in raw[readers] if one["server"] == "holdfast")
        result.append(none(name, "missing, double, out of order, cut", faults))
    return result
