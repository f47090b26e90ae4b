"""Nothing outside of a session's workspace can be had, by whatever name or link, nor anything of another user's."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from holdfast.errors import NotFound
from holdfast.sessions import files
from tests.client import Client
from tests.http.files.conftest import Place

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


def is_refused(answer: httpx.Response) -> bool:
    assert "SECRET" not in answer.text
    assert "root:" not in answer.text
    return (answer.status_code, answer.json()["code"]) == (404, "not_found")


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


@pytest.mark.requirement("R053")
def test_another_users_files_are_not_there(place: Place, ada: Client) -> None:
    place.put("file.txt")
    for path in ("files", "files/content?path=file.txt"):
        answer = ada.get(f"/sessions/{place.session_id}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
