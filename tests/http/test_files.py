"""The files of a session's workspace: those that changed are listed, one can be had, and nothing outside of it."""

import itertools
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

from holdfast.errors import NotFound
from holdfast.sessions import files
from tests.client import Client
from tests.conftest import TOKEN, Server
from tests.processes import eventually

LONG_AGO = 1_000_000_000


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


def is_refused(answer: httpx.Response) -> bool:
    assert "SECRET" not in answer.text
    assert "root:" not in answer.text
    return (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_what_changed_since_the_session_began_is_listed(place: Place) -> None:
    assert place.listed() == []
    place.put("new.txt", b"12345")
    place.put("src/deep/in/it.py")
    place.put("before.txt", b"changed")
    answer = place.client.get(f"/sessions/{place.session_id}/files").json()
    assert sorted(file["path"] for file in answer["files"]) == ["before.txt", "new.txt", "src/deep/in/it.py"]
    [new] = [file for file in answer["files"] if file["path"] == "new.txt"]
    assert new["size"] == 5
    assert new["modified_at"][:4] == time.strftime("%Y", time.gmtime())
    assert new["modified_at"].endswith("Z")


def test_the_latest_comes_first(place: Place) -> None:
    for name in ("a", "c", "b"):
        place.put(name)
        place.until_the_clock_has_moved()
    assert place.listed() == ["b", "c", "a"]


def test_a_file_that_claims_to_be_old_is_listed_all_the_same(place: Place) -> None:
    """tar, cp -p and rsync set the time of what they make."""
    os.utime(place.put("unpacked.txt"), (LONG_AGO, LONG_AGO))
    os.utime(place.put("end of days"), (2**40, 2**40))
    os.utime(place.put("before all"), (-(2**31), -(2**31)))
    found = place.client.get(f"/sessions/{place.session_id}/files").json()["files"]
    times = {file["path"]: file["modified_at"] for file in found}
    assert times["unpacked.txt"] == "2001-09-09T01:46:40.000Z"
    assert times["before all"] == "1970-01-01T00:00:00.000Z"
    assert len(times["end of days"]) == len("2001-09-09T01:46:40.000Z")


def test_a_run_can_be_looked_at_alone(place: Place) -> None:
    place.put("of the first")
    place.next_run()
    place.put("of the second")
    assert sorted(place.listed()) == ["of the first", "of the second"]
    assert sorted(place.listed(run=1)) == ["of the first", "of the second"]
    assert place.listed(run=2) == ["of the second"]
    for run, status in (("3", 404), ("0", 400), ("x", 400)):
        answer = place.client.get(f"/sessions/{place.session_id}/files", params={"run": run})
        assert answer.status_code == status


def test_folders_of_tools_links_and_what_is_no_file_are_left_out(place: Place) -> None:
    for name in (".git/config", "node_modules/a/index.js", ".venv/bin/python", "src/__pycache__/x.pyc"):
        place.put(name)
    place.put("kept.txt")
    (place.root / "link.txt").symlink_to(place.root / "kept.txt")
    (place.root / "out").symlink_to(place.outside)
    (place.root / "loop").symlink_to(place.root)
    os.mkfifo(place.root / "pipe")
    (place.root / os.fsdecode(b"\xff\xfe")).write_text("a name that is no text")
    assert place.listed() == ["kept.txt"]


def test_a_workspace_that_is_gone_has_no_files(place: Place) -> None:
    place.root.rename(place.outside / "moved")
    assert place.listed() == []
    (place.root).write_text("a file now")
    answer = place.client.get(f"/sessions/{place.session_id}/files")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_workspace")


def test_a_huge_workspace_is_looked_at_in_bounds(place: Place) -> None:
    for number in range(files.LISTED + 1):
        place.put(f"{number}")
    answer = place.client.get(f"/sessions/{place.session_id}/files").json()
    assert (len(answer["files"]), answer["truncated"]) == (files.LISTED, True)


def test_looking_ends_after_so_many_entries_and_so_much_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in range(10):
        (tmp_path / f"{folder}").mkdir()
        for number in range(10):
            (tmp_path / f"{folder}/{number}").touch()
    whole = files.changed_files(str(tmp_path), 0)
    assert (len(whole.files), whole.truncated) == (100, False)
    with monkeypatch.context() as bound:
        bound.setattr(files, "LOOKED_AT", 50)
        part = files.changed_files(str(tmp_path), 0)
        assert (len(part.files), part.truncated) == (40, True)
    with monkeypatch.context() as bound:
        bound.setattr(files, "SECONDS", -1.0)
        assert files.changed_files(str(tmp_path), 0) == files.FileList(files=[], truncated=True)


# Loops, since each session costs a keeper.
NAMES = ["plain.txt", "with space.html", "ümläut – 项目.svg", 'quote".js', "a;b=c", "-rf", "...x", "new\nline"]


def test_a_file_comes_as_an_attachment_and_as_nothing_that_a_browser_would_show(place: Place) -> None:
    body = bytes(range(256)) * 5000
    for name in NAMES:
        place.put(f"sub/{name}", body)
        answer = place.get(f"sub/{name}")
        assert (answer.status_code, answer.content) == (200, body)
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("sandbox;")
        disposition = answer.headers["content-disposition"]
        assert disposition.isascii()
        kind, _, encoded = disposition.partition("; filename*=UTF-8''")
        assert (kind, unquote(encoded)) == ("attachment", name)
        head = place.client.head(f"/sessions/{place.session_id}/files/content", params={"path": f"sub/{name}"})
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-disposition"] == disposition


HOSTILE = [
    "../outside/secret.txt",
    "sub/../../outside/secret.txt",
    "sub/../kept.txt",
    "./kept.txt",
    "/etc/passwd",
    "{root}/kept.txt",
    "{outside}/secret.txt",
    "//etc/passwd",
    "out/secret.txt",
    "secret-link",
    "passwd-link",
    "chain",
    "loop",
    "broken",
    "pipe",
    "pipe-link",
    "socket",
    "null",
    "sub",
    "sub/",
    "kept.txt/",
    "kept.txt/x",
    "self",
    "..",
    ".",
    "/",
    "~",
    "missing",
    "x" * 300,
    "a/" * 3000 + "b",
]


def test_what_is_no_plain_file_of_the_workspace_is_not_there(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    root = place.root
    place.put("kept.txt")
    place.put("sub/x")
    (root / "out").symlink_to(place.outside)
    (root / "secret-link").symlink_to("../outside/secret.txt")
    (root / "passwd-link").symlink_to("/etc/passwd")
    (root / "chain").symlink_to("secret-link")
    (root / "loop").symlink_to("loop")
    (root / "broken").symlink_to("nowhere")
    (root / "self").symlink_to(".")
    os.mkfifo(root / "pipe")
    (root / "pipe-link").symlink_to("pipe")
    (root / "null").symlink_to("/dev/null")
    monkeypatch.chdir(root)  # the address of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        for path in HOSTILE:
            whole = path.format(root=root, outside=place.outside)
            assert is_refused(place.get(whole)), path
            assert is_refused(place.get(whole, **{"as": "text"})), path
    assert place.get("kept.txt").status_code == 200


def test_a_link_to_another_place_in_the_workspace_leads_there(place: Place) -> None:
    place.put("real/file.txt", b"inside")
    (place.root / "link").symlink_to("real/file.txt")
    (place.root / "folder").symlink_to(place.root / "real")
    assert place.get("link").content == b"inside"
    assert place.get("folder/file.txt").content == b"inside"


def test_a_workspace_that_is_named_by_a_link_is_meant(local: Client, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    session_id = local.run_task("x", agent="quick", workspace=str(tmp_path / "link"))
    local.end_of(session_id)
    (tmp_path / "real/file.txt").write_text("inside")
    assert local.get(f"/sessions/{session_id}/files/content", params={"path": "file.txt"}).text == "inside"
    assert [file["path"] for file in local.get(f"/sessions/{session_id}/files").json()["files"]] == ["file.txt"]


SWAPPER = """
import os, sys
os.chdir(sys.argv[1])
print("swapping", flush=True)
while True:
    os.rename("folder", "aside"); os.rename("link", "folder")
    os.rename("folder", "link"); os.rename("aside", "folder")
"""


@pytest.fixture
def swapped(tmp_path: Path) -> Iterator[Path]:
    """A workspace in which another process makes a folder a link that leads out, and a folder again, all the time."""
    root = tmp_path / "workspace"
    (root / "folder").mkdir(parents=True)
    (root / "folder/file.txt").write_text("inside")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file.txt").write_text("SECRET, and longer")
    (root / "link").symlink_to(tmp_path / "outside")
    process = subprocess.Popen([sys.executable, "-c", SWAPPER, str(root)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    yield root
    process.kill()
    process.communicate()


def test_a_folder_that_becomes_a_link_meanwhile_leads_nowhere_either(swapped: Path) -> None:
    seen = {"inside": 0, "refused": 0}
    deadline = time.monotonic() + 30
    # So often that a reader who looks first and opens later would be caught; and both must have happened.
    while (sum(seen.values()) < 4000 or not all(seen.values())) and time.monotonic() < deadline:
        try:
            with files.open_file(str(swapped), "folder/file.txt") as file:
                assert file.read() == b"inside"
            seen["inside"] += 1
        except NotFound:
            seen["refused"] += 1
        for found in files.changed_files(str(swapped), 0).files:
            assert found.size == len("inside")
    assert all(seen.values()), seen


def test_a_file_that_is_too_large_is_refused_before_it_is_read(place: Place) -> None:
    with (place.root / "large").open("wb") as file:
        file.truncate(files.DOWNLOAD_BYTES + 1)
    answer = place.get("large")
    assert (answer.status_code, answer.json()["code"]) == (413, "file_too_large")


def test_a_client_that_leaves_in_the_middle_leaves_no_open_file(house: Server, place: Place) -> None:
    with (place.root / "large").open("wb") as file:
        file.truncate(files.DOWNLOAD_BYTES)

    def is_open() -> bool:
        held = []
        for descriptor in Path(f"/proc/{house.pid}/fd").iterdir():
            try:
                held.append(os.readlink(descriptor))
            except OSError:
                continue
        return str(place.root / "large") in held

    with socket.create_connection(("127.0.0.1", house.port), timeout=10) as connection:
        path = f"/api/v1/sessions/{place.session_id}/files/content?path=large&token={TOKEN}"
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        connection.recv(1000)
        assert is_open()
    eventually(lambda: not is_open())


TEXTS = [
    "",
    "plain\n",
    "Ümläut – 项目 🎉\r\n",
    "<script>alert(1)</script>",
    "\x1b[31mred\x1b[0m",
]


def test_a_text_can_be_looked_at_and_is_nothing_but_text(place: Place) -> None:
    for text in TEXTS:
        place.put("text.html", text.encode())
        answer = place.get("text.html", **{"as": "text"})
        assert (answer.status_code, answer.content.decode()) == (200, text)
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("sandbox;")
        assert "x-holdfast-truncated" not in answer.headers


def test_of_a_long_text_the_beginning_is_shown_in_whole_characters(place: Place) -> None:
    for character, shift in itertools.product("aü项🎉", range(4)):
        place.put("long.txt", b"x" * shift + character.encode() * (files.TEXT_BYTES + 1))
        answer = place.get("long.txt", **{"as": "text"})
        assert answer.status_code == 200
        assert set(answer.text) <= {"x", character}
        assert files.TEXT_BYTES - 4 < len(answer.content) <= files.TEXT_BYTES
        assert answer.headers["x-holdfast-truncated"] == "true"
    place.put("long.txt", b"x" * files.TEXT_BYTES)
    assert "x-holdfast-truncated" not in place.get("long.txt", **{"as": "text"}).headers


def test_what_is_no_text_is_not_shown_as_one(place: Place) -> None:
    for content in (b"\x89PNG\r\n\x1a\n\0\0", b"a\0b", b"caf\xe9", b"\xff\xfea\0", b"ends in \xc3"):
        place.put("binary", content)
        answer = place.get("binary", **{"as": "text"})
        assert (answer.status_code, answer.json()["code"]) == (415, "not_text")
        assert place.get("binary").content == content


@pytest.mark.requirement("R053")
def test_another_users_files_are_not_there(place: Place, ada: Client) -> None:
    place.put("file.txt")
    for path in ("files", "files/content?path=file.txt"):
        answer = ada.get(f"/sessions/{place.session_id}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_wrong_query_is_refused(place: Place) -> None:
    for query in ({}, {"path": ""}, {"path": "x", "as": "html"}, {"path": "a\0b"}, {"path": "x", "colour": "blue"}):
        answer = place.client.get(f"/sessions/{place.session_id}/files/content", params=query)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), query
