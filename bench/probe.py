"""Calls the API again and again while something else goes on, over one connection, and keeps the times."""

import http.client
import threading
import time

from bench.servers import TOKEN, Emission


class Probe(threading.Thread):
    """Every call in turn, one each `every` seconds, until stopped."""

    def __init__(self, emission: Emission, every: float = 0.05) -> None:
        super().__init__(daemon=True)
        self.port, self.paths, self.every = emission.server.port, emission.api, every
        self.times: list[float] = []
        self.failures = 0
        self.over = threading.Event()

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        head = {"Authorization": f"Bearer {TOKEN}"}
        turn = 0
        while not self.over.is_set():
            began = time.monotonic()
            try:
                connection.request("GET", self.paths[turn % len(self.paths)], headers=head)
                response = connection.getresponse()
                response.read()
                self.failures += response.status != 200
            except (OSError, http.client.HTTPException):
                self.failures += 1
                connection.close()
            took = time.monotonic() - began
            self.times.append(took)
            turn += 1
            self.over.wait(max(0.0, self.every - took))
        connection.close()

    def stop(self) -> None:
        self.over.set()
        self.join(15)

    @property
    def worst_ms(self) -> float:
        return max(self.times, default=0) * 1000

    @property
    def median_ms(self) -> float:
        return sorted(self.times)[len(self.times) // 2] * 1000 if self.times else 0
