"""Which files of a session's workspace have changed: all that have, the latest first, within bounds."""

import os
import time
from pathlib import Path

import pytest

from holdfast.sessions import files
from tests.http.files.conftest import Place

LONG_AGO = 1_000_000_000


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
    monkeypatch.setattr(files, "SECONDS", 60.0)
    whole = files.changed_files(str(tmp_path), 0)
    assert (len(whole.files), whole.truncated) == (100, False)
    with monkeypatch.context() as bound:
        bound.setattr(files, "LOOKED_AT", 50)
        part = files.changed_files(str(tmp_path), 0)
        assert (len(part.files), part.truncated) == (40, True)
    with monkeypatch.context() as bound:
        bound.setattr(files, "SECONDS", -1.0)
        assert files.changed_files(str(tmp_path), 0) == files.FileList(files=[], truncated=True)
