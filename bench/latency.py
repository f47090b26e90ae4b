"""From the agent's write to the client's read, one reader: tool calls one by one, and text deltas."""

from bench.crowd import Crowd
from bench.result import Row, under
from bench.servers import Holdfast


def run(*, quick: bool) -> tuple[list[Row], dict]:
    seconds = 5 if quick else 20
    raw, rows = {}, []
    with Holdfast() as holdfast:
        for name, words in (("tool calls", "rate=20"), ("text deltas", "text=20")):
            emission = holdfast.prepare(f"{words} seconds={seconds}")
            streams = [{"path": emission.path, "readers": 1}]
            with Crowd(holdfast.port, streams, seconds=seconds + 30) as crowd:
                emission.go()
                raw[name] = stream = crowd.report()["streams"][0]
            rows += [
                Row("write to read", f"{name}, p50", stream["p50_ms"], "ms"),
                under("write to read", f"{name}, p99", stream["p99_ms"], "ms", 25),
                Row("write to read", f"{name}, slowest", stream["max_ms"], "ms"),
            ]
    return rows, raw
