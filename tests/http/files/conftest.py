"""A session with a workspace of its own, and something beside it that is nobody's business."""

import time
from pathlib import Path

import httpx
import pytest

from tests.client import Client
from tests.processes import eventually


class Place:
    """A session's workspace, and what lies beside it."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client = client
        self.root = folder / "workspace"
        self.root.mkdir()
        self.outside = folder / "outside"
        self.outside.mkdir()
        (self.outside / "secret.txt").write_text("SECRET")
        (self.root / "before.txt").write_text("It was there before the session.")
        self.until_the_clock_has_moved()
        self.session_id = client.run_task("x", agent="quick", workspace=str(self.root))
        client.end_of(self.session_id)
        self.until_the_clock_has_moved()

    def until_the_clock_has_moved(self) -> None:
        """A file system's clock moves in steps of some milliseconds: what comes next must lie in a later one."""
        probe = self.outside / "clock"
        probe.touch()
        at_first = probe.stat().st_ctime_ns
        now_ms = time.time_ns() // 1_000_000

        def moved() -> bool:
            probe.touch()
            return probe.stat().st_ctime_ns > max(at_first, (now_ms + 1) * 1_000_000)

        eventually(moved)

    def next_run(self) -> None:
        self.until_the_clock_has_moved()
        self.client.next_task(self.session_id, "again")
        self.client.end_of(self.session_id)
        self.until_the_clock_has_moved()

    def put(self, path: str, content: bytes = b"hello") -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return file

    def listed(self, **query: object) -> list[str]:
        answer = self.client.get(f"/sessions/{self.session_id}/files", params=query)
        assert answer.status_code == 200, answer.text
        assert answer.json()["truncated"] is False
        return [file["path"] for file in answer.json()["files"]]

    def get(self, path: str, **query: object) -> httpx.Response:
        return self.client.get(f"/sessions/{self.session_id}/files/content", params={"path": path, **query})


@pytest.fixture
def place(local: Client, tmp_path: Path) -> Place:
    return Place(local, tmp_path)
