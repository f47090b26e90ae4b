"""Trouble with the disk or the database in the middle of a run: the run still has its end."""

import os
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.client import TERMINAL
from tests.conftest import Server
from tests.processes import eventually
from tests.runs.agents import note_of


@pytest.mark.requirement("R063", "R064")
def test_a_keeper_that_dies_while_the_store_is_locked_has_its_run_ended_later(server: Server) -> None:
    with server.client() as client:
        session_id = client.run_task("tools 3 hang")
        client.until(session_id, "tool_complete")
        note = note_of(server, session_id)
        assert note is not None
        lock = sqlite3.connect(server.data / "holdfast.db", isolation_level=None)
        lock.execute("begin immediate")
        os.kill(note["pid"], signal.SIGKILL)
        eventually(lambda: "cannot be written" in server.log.read_text(), 40, "that the server gave up once")
        assert client.record(session_id)["status"] == "running"
        lock.execute("rollback")
        lock.close()
        ends = [event for event in client.follow(session_id) if event["type"] in TERMINAL]
        assert [event["data"]["stop_reason"] for event in ends] == ["interrupted"]
        assert client.record(session_id)["status"] == "interrupted"


def test_a_start_that_is_tried_again_takes_the_place_of_one_only(server: Server) -> None:
    with server.client() as client, ThreadPoolExecutor(1) as thread:
        database = sqlite3.connect(server.data / "holdfast.db", isolation_level=None)
        database.execute("alter table grants rename to away")
        starting = thread.submit(client.run_task, "tools 1")
        # More often than there are places for starts, and in less time than a place is held for a slow one, 15 s.
        eventually(lambda: server.log.read_text().count("a run cannot be started") > 5, 13, "that it was tried again")
        database.execute("alter table away rename to grants")
        database.close()
        assert client.end_of(starting.result())["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R063", "R064", "R120")
def test_a_run_whose_folder_cannot_be_made_fails_instead_of_waiting_for_ever(server: Server) -> None:
    (server.data / "sessions").rmdir() if (server.data / "sessions").exists() else None
    (server.data / "sessions").write_text("a file where a folder should be")
    with server.client() as client:
        session_id = client.run_task("tools 1")
        end = client.end_of(session_id)["data"]
        assert (end["stop_reason"], end["termination_info"]["terminated_by"]) == ("start_failed", "daemon")
        assert "sessions" in end["message"]
        (server.data / "sessions").unlink()
        client.next_task(session_id, "tools 1")
        assert client.end_of(session_id)["data"]["stop_reason"] == "success"
