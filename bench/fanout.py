"""One emission to many readers of one stream, measured: the server's CPU, the latency, and that nothing is missing."""

import time

from bench import processes
from bench.crowd import BenchError, Crowd
from bench.probe import Probe
from bench.servers import Holdfast, Server


def fan_out(server: Server, readers: int, order: str, *, seconds: float = 180, probed: bool = False) -> dict:
    """Runs `order` (see agent.py) on the server and reads it with so many readers."""
    emission = server.prepare(order)
    probe = Probe(emission) if probed else None
    with Crowd(server.port, [{"path": emission.path, "readers": readers}], seconds=seconds) as crowd:
        used = processes.cpu(server.pid)
        memory = processes.rss(server.pid)
        if probe:
            probe.start()
        began = time.monotonic_ns()
        emission.go()
        report = crowd.report()
        used = processes.cpu(server.pid) - used
        if probe:
            probe.stop()
    stream = report["streams"][0]
    took = (stream["last_read"] - began) / 1e9
    faults = stream["faults"] + report["unfinished"]
    expected = events_of(server, order, emission.session)
    if stream["events"] != expected:
        faults += max(1, abs(expected - stream["events"])) * readers
    if not stream["delivered"]:
        raise BenchError(f"{server.name} delivered nothing")
    result = {
        "server": server.name,
        "readers": readers,
        "order": order,
        "cpu_us": used / stream["delivered"] * 1e6,
        "client_cpu_us": report["cpu_s"] / stream["delivered"] * 1e6,
        "per_second": stream["delivered"] / took,
        "seconds": took,
        "rss_mb": memory,
        "frame_bytes": stream["bytes"] / max(1, stream["events"]),
        "faults": faults,
        **stream,
    }
    if probe:
        result |= {
            "api_max_ms": probe.worst_ms,
            "api_p50_ms": probe.median_ms,
            "api_calls": len(probe.times),
            "api_failures": probe.failures,
        }
    return result


def events_of(server: Server, order: str, session: str) -> int:
    """How many events the log of the emission has; Holdfast adds its own before and after those of the agent."""
    words = dict(word.split("=") for word in order.split())
    count = int(words.get("burst", 0)) or int(float(words["rate"]) * float(words["seconds"]))
    if not isinstance(server, Holdfast):
        return count
    head = server.record(session)["head"]
    # user_message, session_connect, agent_start; session_disconnect and the end
    return head if head >= count + 5 else count + 5
