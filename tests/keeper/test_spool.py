"""The spool and what a keeper leaves on disk: a queue is a queue, and what was written is what is read."""

import os
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.events import Recorded
from holdfast.keeper.spool import Spool, read_unsent, write_unsent
from tests.keeper.values import recorded


@settings(deadline=None)
@given(st.lists(recorded | st.integers(1, 5)))
def test_a_spool_gives_back_what_was_put_in_in_order_and_once(actions):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/spool"
        spool = Spool(path)
        waiting = []
        for action in actions:
            if isinstance(action, Recorded):
                spool.append(action)
                waiting.append(action)
            else:
                assert spool.take(action) == waiting[:action]
                del waiting[:action]
            assert len(spool) == len(waiting)
            assert os.path.exists(path) == bool(waiting)
        assert spool.take(len(waiting) + 1) == waiting
        assert len(spool) == 0
        assert os.listdir(folder) == []


def test_a_spool_that_is_never_used_makes_no_file(tmp_path):
    spool = Spool(str(tmp_path / "spool"))
    assert spool.take(10) == []
    assert list(tmp_path.iterdir()) == []


def test_a_spool_is_readable_by_its_owner_only_and_takes_no_room_when_empty(tmp_path):
    path = tmp_path / "spool"
    spool = Spool(str(path))
    before = os.umask(0)
    try:
        for number in range(1000):
            spool.append(Recorded("message", b"x" * 1000, number))
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    spool.take(1000)
    assert not path.exists()
    spool.append(Recorded("message", b"again", 1))
    assert spool.take(1)[0].data == b"again"


@settings(deadline=None)
@given(st.integers(1, 2**63), st.lists(recorded))
def test_what_was_left_unsent_is_read_as_it_was_written(first, row):
    with tempfile.TemporaryDirectory() as folder:
        write_unsent(f"{folder}/unsent", first, iter(row))
        index, found = read_unsent(f"{folder}/unsent")
        assert (index, list(found)) == (first, row)
        assert os.listdir(folder) == ["unsent"]
        assert os.stat(f"{folder}/unsent").st_mode & 0o777 == 0o600


def test_what_was_left_unsent_is_there_whole_or_not_at_all(tmp_path):
    def failing():
        yield Recorded("message", b"x", 1)
        raise OSError("no space left")

    path = tmp_path / "unsent"
    with pytest.raises(OSError, match="no space"):
        write_unsent(str(path), 1, failing())
    assert not path.exists()
    write_unsent(str(path), 5, iter([Recorded("message", b"whole", 1)]))
    with pytest.raises(OSError, match="no space"):
        write_unsent(str(path), 9, failing())
    first, found = read_unsent(str(path))
    assert (first, [entry.data for entry in found]) == (5, [b"whole"])


def test_nothing_left_unsent_is_told_apart_from_an_empty_rest(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_unsent(str(tmp_path / "unsent"))
    write_unsent(str(tmp_path / "unsent"), 3, iter([]))
    first, found = read_unsent(str(tmp_path / "unsent"))
    assert (first, list(found)) == (3, [])
