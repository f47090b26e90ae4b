"""The load client, a process of its own: many SSE readers over plain sockets, their verdict and their latency.

Reads one JSON line {"port", "streams": [{"path", "readers", "closes", "receive_buffer"}], "seconds"} from stdin,
answers {"connected": N} when all streams are open, and {"report": …} when every stream that `closes` is over. On
the way it takes the lines `stall I`, `resume I` (stop and go on reading stream I) and `stop`.

It is one loop over epoll with one shared buffer. Measured here, an empty such client costs 4.5 to 5.2 µs for each
small read, 3.4 to 4.0 of them in the kernel; a uvloop BufferedProtocol costs the same and is harder to stall.
"""

import contextlib
import gc
import json
import os
import resource
import select
import socket
import sys
import time

from bench.transcript import Reader, Transcript, judge, latencies

BUFFER = 256 * 1024
# Fewer than uvicorn's backlog, so that no SYN is dropped and tried again a second later.
AT_ONCE = 250


class Load:
    """All readers of one run."""

    def __init__(self, port: int, streams: list[dict], token: str) -> None:
        self.port, self.streams, self.token = port, streams, token
        self.transcripts = [Transcript() for _ in streams]
        self.readers: list[list[Reader]] = [[] for _ in streams]
        self.socks: list[list[socket.socket]] = [[] for _ in streams]
        self.epoll = select.epoll()
        self.open: dict[int, tuple] = {}  # fd -> recv_into, reader, socket, whether its end is waited for
        self.waited_for = 0
        self.buffer = bytearray(BUFFER)
        self.view = memoryview(self.buffer)
        self.ending = False
        self.last = 0

    def connect(self, deadline: float) -> int:
        """Opens all streams, some at a time, and returns how many answered."""
        batch: list[Reader] = []
        for index, stream in enumerate(self.streams):
            for _ in range(stream["readers"]):
                batch.append(self._connect(index, stream))
                if len(batch) == AT_ONCE:
                    self._until_answered(batch, deadline)
                    batch = []
        self._until_answered(batch, deadline)
        return sum(bool(reader.status) for readers in self.readers for reader in readers)

    def _connect(self, index: int, stream: dict) -> Reader:
        sock = socket.socket()
        if small := stream.get("receive_buffer"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, small)
        sock.connect(("127.0.0.1", self.port))
        sock.setblocking(False)
        sock.sendall(
            f"GET {stream['path']} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept: text/event-stream\r\n"
            f"Authorization: Bearer {self.token}\r\n\r\n".encode()
        )
        reader = Reader(self.transcripts[index])
        self.readers[index].append(reader)
        self.socks[index].append(sock)
        closes = stream.get("closes", True)
        self.open[sock.fileno()] = (sock.recv_into, reader, sock, closes)
        self.waited_for += closes
        self.epoll.register(sock.fileno(), select.EPOLLIN)
        return reader

    def _until_answered(self, batch: list[Reader], deadline: float) -> None:
        while not all(reader.status for reader in batch) and time.monotonic() < deadline and self.open:
            self._turn(0.1)

    def read(self, deadline: float) -> None:
        """Reads until every stream that closes is over, until told to stop, or until the deadline."""
        self.epoll.register(sys.stdin.fileno(), select.EPOLLIN)
        while self.waited_for and not self.ending and time.monotonic() < deadline:
            self._turn(0.2)

    def _turn(self, timeout: float) -> None:
        buffer, view, clock = self.buffer, self.view, time.monotonic_ns
        for fd, _ in self.epoll.poll(timeout, 512):
            found = self.open.get(fd)
            if found is None:
                self._told()
                continue
            try:
                size = found[0](buffer)
            except BlockingIOError:
                continue
            except ConnectionError:
                size = 0
            if size:
                now = clock()
                found[1].feed(buffer, view, size, now)
                # A keep-alive server ends the body and leaves the connection open.
                if not found[1].ended:
                    continue
            self._forget(fd)
        self.last = clock()

    def _forget(self, fd: int) -> None:
        _, _, sock, closes = self.open.pop(fd)
        self.epoll.unregister(fd)
        sock.close()
        self.waited_for -= closes

    def _told(self) -> None:
        words = sys.stdin.readline().split()
        if not words or words[0] == "stop":
            self.ending = True
            return
        for sock in self.socks[int(words[1])]:
            if sock.fileno() in self.open:
                if words[0] == "stall":
                    self.epoll.unregister(sock.fileno())
                else:
                    self.epoll.register(sock.fileno(), select.EPOLLIN)

    def report(self) -> list[dict]:
        """One verdict for each stream, with its latency."""
        result = []
        for stream, transcript, readers in zip(self.streams, self.transcripts, self.readers, strict=True):
            verdict = judge(transcript, readers, closed=stream.get("closes", True))
            times = latencies(transcript, readers)
            arrivals = [reader.times[-1] for reader in readers if reader.times]
            result.append({
                **{name: value for name, value in vars(verdict).items() if name != "last"},
                "faults": verdict.faults,
                "last_event": verdict.last.decode(errors="replace")[:200],
                "bytes": len(transcript.body),
                "first_read": min((reader.times[0] for reader in readers if reader.times), default=0),
                "last_read": max(arrivals, default=0),
                "p50_ms": quantile(times, 0.50),
                "p99_ms": quantile(times, 0.99),
                "max_ms": quantile(times, 1.0),
            })  # fmt: skip
        return result


def quantile(ordered: list[int], part: float) -> float | None:
    """In ms, of sorted ns."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] / 1e6 if ordered else None


def main() -> None:
    order = json.loads(sys.stdin.readline())
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # A real client is on another machine. Left alone, the scheduler puts both ends on one core and leaves the other
    # idle, which doubles the latency of everybody.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    gc.disable()  # nothing here is cyclic, and a collection would look like the server's latency
    load = Load(order["port"], order["streams"], order.get("token", "bench"))
    deadline = time.monotonic() + order["seconds"]
    began = time.monotonic_ns()
    print(json.dumps({"connected": load.connect(deadline)}), flush=True)
    cpu = time.process_time()
    with contextlib.suppress(KeyboardInterrupt):
        load.read(deadline)
    cpu = time.process_time() - cpu
    late = load.waited_for if not load.ending else 0
    report = {"streams": load.report(), "began": began, "cpu_s": cpu, "unfinished": late}
    print(json.dumps({"report": report}), flush=True)


if __name__ == "__main__":
    main()
