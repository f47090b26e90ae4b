"""How long a start takes, what an idle server holds, what a reader, a keeper and an agent add."""

import time

from bench import processes
from bench.crowd import Crowd
from bench.result import Row, median, under
from bench.servers import Holdfast

BENCH = "memory, start"


def run(*, quick: bool) -> tuple[list[Row], dict]:
    starts, fresh = [], []
    for _ in range(2 if quick else 5):
        with Holdfast() as holdfast:
            fresh.append(holdfast.started_in)
            holdfast.stop()
            holdfast.start()
            starts.append(holdfast.started_in)
    with Holdfast() as holdfast:
        time.sleep(0.5)
        idle, idle_pss = processes.memory(holdfast.pid)
        emission = holdfast.prepare("rate=10 seconds=1")
        before = processes.rss(holdfast.pid)
        with Crowd(holdfast.port, [{"path": emission.path, "readers": 1000}], seconds=60) as crowd:
            time.sleep(0.5)
            readers = processes.rss(holdfast.pid)
            helpers = holdfast.helpers()
            keepers = [processes.memory(pid) for pid in helpers["keepers"]]
            agents = [processes.memory(pid) for pid in helpers["agents"]]
            emission.go()
            crowd.report()
        time.sleep(0.5)
        after = processes.rss(holdfast.pid)
    raw = {"starts": starts, "first_starts": fresh, "idle_rss": idle, "keepers": keepers, "agents": agents}
    raw |= {"before_readers": before, "with_readers": readers, "after_readers": after}
    return [
        under(BENCH, "start to first healthy answer, new store, p50", median(fresh), "s", 1.5),
        under(BENCH, "start to first healthy answer, p50", median(starts), "s", 1.5),
        under(BENCH, "idle server, RSS", idle, "MB", 90),
        Row(BENCH, "idle server, PSS", idle_pss, "MB"),
        Row(BENCH, "a reader, at 1,000", (readers - before) * 1024 / 1000, "kB"),
        Row(BENCH, "server after they left, RSS", after, "MB"),
        Row(BENCH, f"a keeper ({len(keepers)} processes), RSS", sum(one[0] for one in keepers), "MB"),
        Row(BENCH, "a keeper, PSS", sum(one[1] for one in keepers), "MB"),
        Row(BENCH, "the bench agent, RSS", median([one[0] for one in agents]), "MB"),
    ], raw
