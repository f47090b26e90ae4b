"""20,000 events to 1,000 readers as fast as possible, while the API is called every 50 ms."""

from bench.fanout import fan_out
from bench.result import Row, least, median, none, under
from bench.servers import Bare, Holdfast, Obvious


def run(*, quick: bool) -> tuple[list[Row], dict]:
    rounds, events = (1, 5_000) if quick else (5, 20_000)
    raw: dict[str, list[dict]] = {"bare": [], "obvious": [], "holdfast": []}
    with Bare() as bare, Obvious() as obvious, Holdfast() as holdfast:
        # 20,000 would take the obvious design ten minutes; its rate does not depend on the number.
        raw["obvious"].append(fan_out(obvious, 1000, "burst=200 size=60", probed=True))
        for _ in range(rounds):
            raw["bare"].append(fan_out(bare, 1000, f"burst={events} size=60", probed=True))
            raw["holdfast"].append(fan_out(holdfast, 1000, f"burst={events} size=60", probed=True))
    rows = []
    for server, runs in raw.items():
        speed = median([one["per_second"] for one in runs])
        # The median of the rounds: on a shared machine the worst of all tells of the others' work.
        slowest = median([one["api_max_ms"] for one in runs])
        worst = max(one["api_max_ms"] for one in runs)
        if server == "holdfast":
            rows += [
                least("burst", "holdfast: delivered", speed, "events/s", 1_000_000),
                under("burst", "holdfast: slowest API call of a round, p50", slowest, "ms", 150),
                Row("burst", "holdfast: slowest API call of all rounds", worst, "ms"),
                Row("burst", "holdfast: median API call", median([one["api_p50_ms"] for one in runs]), "ms"),
                none("burst", "holdfast: failed API calls", sum(one["api_failures"] for one in runs)),
                none("burst", "missing, double, out of order, cut", sum(one["faults"] for one in runs)),
            ]
        else:
            rows.append(Row("burst", f"{server}: delivered", speed, "events/s"))
            rows.append(Row("burst", f"{server}: slowest API call of a round, p50", slowest, "ms"))
    return rows, raw
