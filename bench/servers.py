"""The three servers under one interface: start, open an emission, let it go, stop.

An emission is one stream and the order what to send on it, as words like `rate=40 seconds=10 size=60`. It is prepared
first, so that all readers are connected when it begins.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from bench import processes
from bench.crowd import BenchError

TOKEN = "bench"
AGENT = Path(__file__).with_name("agent.py")


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


class Server:
    """A server process on a free port."""

    name = ""
    health = "/health"

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen | None = None
        self.started_in = 0.0

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def launch(self) -> subprocess.Popen:
        raise NotImplementedError

    def start(self) -> None:
        began = time.monotonic()
        self.process = self.launch()
        while time.monotonic() < began + 20 and self.process.poll() is None:
            try:
                if self.get(self.health)[0] == 200:
                    self.started_in = time.monotonic() - began
                    return
            except OSError:
                time.sleep(0.005)
        self.stop()
        raise BenchError(f"{self.name} did not start")

    def stop(self) -> None:
        if self.process:
            processes.stop(self.process)

    @property
    def pid(self) -> int:
        return self.process.pid

    def request(self, method: str, path: str, body: dict | None = None) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            head = {"Authorization": f"Bearer {TOKEN}"}
            if body is not None:
                head["Content-Type"] = "application/json"
            connection.request(method, path, None if body is None else json.dumps(body), head)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def get(self, path: str) -> tuple[int, bytes]:
        return self.request("GET", path)

    def prepare(self, order: str) -> "Emission":
        return Emission(self, "/events", order)

    def release(self, emission: "Emission") -> None:
        self.get("/emit?" + urlencode(dict(word.split("=") for word in emission.order.split())))


class Emission:
    """A stream that is ready to be read, and what will be sent on it."""

    def __init__(self, server: Server, path: str, order: str, session: str = "") -> None:
        self.server, self.path, self.order, self.session = server, path, order, session

    def go(self) -> None:
        self.server.release(self)

    @property
    def api(self) -> list[str]:
        """The calls that must stay quick while the emission is under way."""
        return [self.server.health] if not self.session else [self.server.health, self.path.removesuffix("/events")]


class Bare(Server):
    name = "bare"

    def launch(self) -> subprocess.Popen:
        return processes.start("bare", str(self.port))


class Obvious(Server):
    name = "obvious"

    def launch(self) -> subprocess.Popen:
        return processes.start("obvious", str(self.port))


class Holdfast(Server):
    """`holdfast serve` with a store of its own; its events come from a real agent process (agent.py)."""

    name = "holdfast"
    health = "/api/v1/health"

    def __init__(self, store: str = "") -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="holdfast-bench-", ignore_cleanup_errors=True)
        self.home = Path(self.folder.name)
        self.store = store
        self.gates = 0
        command = json.dumps([sys.executable, "-I", str(AGENT)])
        (self.home / "holdfast.toml").write_text(f"[agents.bench]\ncommand = {command}\n")

    def launch(self) -> subprocess.Popen:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
        environment |= {
            "HOLDFAST_CONFIG": str(self.home / "holdfast.toml"),
            "HOLDFAST_DATA": str(self.home / "data"),
            "HOLDFAST_PORT": str(self.port),
            "HOLDFAST_TOKEN": TOKEN,
            "HOLDFAST_LOG_LEVEL": "warning",
            # Each of them starts a Claude CLI at boot, which would be in the numbers.
            "HOLDFAST_WARM_SESSIONS": "0",
            "HOLDFAST_AUTH_CHECK": "false",
        }
        if self.store:
            environment["HOLDFAST_STORE"] = self.store
        program = Path(sys.executable).with_name("holdfast")
        with (self.home / "server.log").open("ab") as log:
            return subprocess.Popen(
                [program, "serve"], env=environment, cwd=self.home, stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )

    def __exit__(self, *error: object) -> None:
        self.stop()
        self.folder.cleanup()

    def run(self, task: str, agent: str = "bench") -> str:
        """Starts a session and returns its id."""
        status, body = self.request("POST", "/api/v1/sessions/run", {"task": task, "config": {"agent": agent}})
        if status // 100 != 2:
            raise BenchError(f"POST run answered {status}: {body[:300]!r}")
        return json.loads(body)["session_id"]

    def record(self, session: str) -> dict:
        return json.loads(self.get(f"/api/v1/sessions/{session}")[1])

    def prepare(self, order: str) -> Emission:
        self.gates += 1
        session = self.run(f"{order} gate={self.home}/go-{self.gates}")
        emission = Emission(self, f"/api/v1/sessions/{session}/events", order, session)
        emission.gate = self.home / f"go-{self.gates}"
        self.until_started(session)
        return emission

    def release(self, emission: Emission) -> None:
        emission.gate.touch()

    def until_started(self, session: str, patience: float = 30) -> None:
        """Until the agent itself is up, so that its start is not part of what is measured."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            # user_message, session_connect, agent_start
            if self.record(session).get("head", 0) >= 3:
                return
            time.sleep(0.02)
        raise BenchError(f"the agent of {session} did not start: {self.record(session)}")

    def helpers(self) -> dict[str, list[int]]:
        """The processes of the keepers (each has a guard beside it) and of the agents below them."""
        keepers = [pid for pid in processes.mentioning(str(self.home)) if pid != self.pid]
        return {"keepers": keepers, "agents": processes.children(keepers)}
