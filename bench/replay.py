"""The whole log of a finished session over the stream: right after it was written, and from a fresh server."""

from bench import processes
from bench.crowd import BenchError, Crowd
from bench.result import Row, least, median, none
from bench.servers import Holdfast


def run(*, quick: bool) -> tuple[list[Row], dict]:
    events, rounds = (20_000, 2) if quick else (100_000, 5)
    raw: dict = {}
    with Holdfast() as holdfast:
        emission = holdfast.prepare(f"burst={events} size=60")
        with Crowd(holdfast.port, [{"path": emission.path, "readers": 1}]) as crowd:
            emission.go()
            live = crowd.report()["streams"][0]
        if live["events"] < events:
            raise BenchError(f"only {live['events']} of {events} events arrived")
        raw["live"] = live
        raw["warm"] = [read(holdfast, emission.path) for _ in range(rounds)]
        holdfast.stop()
        holdfast.start()
        raw["cold"] = [read(holdfast, emission.path) for _ in range(rounds)]
        raw["without partials"] = [read(holdfast, emission.path + "?partials=false") for _ in range(rounds)]
        raw["ten readers"] = [read(holdfast, emission.path, readers=10)]
    rows = []
    for name in ("warm", "cold", "without partials", "ten readers"):
        speed = median([one["per_second"] for one in raw[name]])
        rows.append(least("replay", f"{events:,} events, {name}", speed, "events/s", 100_000))
        rows.append(Row("replay", f"{name}: CPU for an event", median([one["cpu_us"] for one in raw[name]]), "µs"))
    replays = [one for name in raw if name != "live" for one in raw[name]]
    faults = sum(one["faults"] + abs(one["events"] - live["events"]) for one in replays)
    rows.append(none("replay", "missing, double, out of order, cut", faults))
    return rows, raw


def read(holdfast: Holdfast, path: str, readers: int = 1) -> dict:
    used = processes.cpu(holdfast.pid)
    with Crowd(holdfast.port, [{"path": path, "readers": readers}]) as crowd:
        report = crowd.report()
    stream = report["streams"][0]
    took = (stream["last_read"] - report["began"]) / 1e9
    used = processes.cpu(holdfast.pid) - used
    return stream | {
        "per_second": stream["delivered"] / took,
        "cpu_us": used / max(1, stream["delivered"]) * 1e6,
        "faults": stream["faults"] + report["unfinished"],
    }
