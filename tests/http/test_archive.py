"""A session as a file: what was exported can be imported, here or on another server, and is the same log."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.http.conftest import LONG, OTTO, ROSA


@pytest.fixture
def rosa(house: Server) -> Iterator[Client]:
    with house.client(ROSA) as client:
        yield client


@pytest.fixture
def otto(house: Server) -> Iterator[Client]:
    """He imports what Rosa has exported. Both are this file's own: others count what their users have."""
    with house.client(OTTO) as client:
        yield client


@pytest.fixture(scope="module")
def made(house: Server) -> Iterator[tuple[str, bytes]]:
    """Rosa's session of two runs, the second of which crashed, and its file."""
    with house.client(ROSA) as client:
        session_id = client.run_task("tools 2", project_id="archive")
        client.end_of(session_id)
        client.next_task(session_id, "stderr 3 crash 7")
        client.end_of(session_id)
        yield session_id, exported(client, session_id)


def exported(client: Client, session_id: str) -> bytes:
    answer = client.get(f"/sessions/{session_id}/export")
    assert answer.status_code == 200, answer.text
    assert f'filename="session-{session_id}.jsonl"' in answer.headers["content-disposition"]
    return answer.content


def take_in(client: Client, file: bytes, **headers: str) -> dict[str, Any]:
    answer = client.post("/sessions/import", content=file, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def lines(file: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.splitlines()]


def test_a_file_has_a_heading_and_the_whole_history(rosa: Client, made: tuple[str, bytes]) -> None:
    session_id, file = made
    heading, *events = lines(file)
    assert heading["holdfast"] == 1
    assert heading["session"]["session_id"] == session_id
    assert events == rosa.history(session_id)


def test_an_imported_session_is_a_copy_that_says_so(otto: Client, made: tuple[str, bytes]) -> None:
    session_id, file = made
    answer = take_in(otto, file)
    assert answer["session_id"] != session_id, "that one is taken"
    *copied, last = otto.history(answer["session_id"])
    assert copied == lines(file)[1:], "the same numbers, times and data"
    assert (last["type"], last["data"]["from_session_id"], last["data"]["by"]) == ("imported", session_id, "otto")
    record = otto.record(answer["session_id"])
    assert (record["status"], record["stop_reason"], record["runs"]) == ("failed", "process_exit", 2)
    assert record["termination_info"]["exit_code"] == 7
    assert "agent_session_id" not in record
    assert "project_id" not in record
    assert record["head"] == last["sequence"]


def test_the_stream_of_a_copy_tells_of_the_gap_where_partials_were(otto: Client, made: tuple[str, bytes]) -> None:
    session_id = take_in(otto, made[1])["session_id"]
    with otto.stream(f"/sessions/{session_id}/events") as stream:
        seen = list(stream)
    assert next(frame.data for frame in seen if frame.event == "stream")["resume"] == "gap"
    assert [frame.data for frame in seen if frame.is_event] == otto.history(session_id)


def test_a_copy_can_be_given_its_next_task(otto: Client, made: tuple[str, bytes]) -> None:
    session_id = take_in(otto, made[1])["session_id"]
    otto.next_task(session_id, "tools 1")
    assert otto.end_of(session_id)["data"]["stop_reason"] == "success"
    assert otto.record(session_id)["runs"] == 3
    sequences = [event["sequence"] for event in otto.history(session_id)]
    assert sequences == sorted(set(sequences))


def test_on_another_server_it_keeps_its_id_and_project(made: tuple[str, bytes], server: Server) -> None:
    session_id, file = made
    with server.client() as client:
        assert take_in(client, file)["session_id"] == session_id
        assert client.record(session_id)["project_id"] == "archive"
        assert [event["type"] for event in client.history(session_id)][-1] == "imported"
        # A later export is a file like any other, with its provenance in it.
        again = lines(exported(client, session_id))
        assert again[-1]["type"] == "imported"
        server.kill()
        server.start()
        assert client.record(session_id)["status"] == "failed"


def test_a_repeated_import_makes_one_copy(otto: Client, made: tuple[str, bytes]) -> None:
    first, second = (take_in(otto, made[1], **{"idempotency-key": "import-once"}) for _ in range(2))
    assert first == second
    other = otto.post("/sessions/import", content=made[1] + b"\n", headers={"idempotency-key": "import-once"})
    assert other.json()["code"] == "idempotency_mismatch"


def test_a_copy_is_its_owners_alone(rosa: Client, otto: Client, made: tuple[str, bytes]) -> None:
    session_id = take_in(otto, made[1])["session_id"]
    assert rosa.get(f"/sessions/{session_id}").status_code == 404
    assert rosa.get(f"/sessions/{session_id}/export").status_code == 404


def test_what_an_import_cost_was_paid_elsewhere(otto: Client, made: tuple[str, bytes]) -> None:
    before = otto.get("/usage").json()["total"]
    take_in(otto, made[1])
    assert otto.get("/usage").json()["total"] == before


def _changed(file: bytes, number: int, **changes: Any) -> bytes:
    found = lines(file)
    found[number].update(changes)
    return b"\n".join(json.dumps(line).encode() for line in found)


def _without(file: bytes, number: int) -> bytes:
    found = file.splitlines()
    del found[number]
    return b"\n".join(found)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda _: b"", "The file is empty"),
        (lambda file: b"hello\n" + file, "Line 1 is not the first line"),
        (lambda file: _changed(file, 0, holdfast=2), "Line 1 is not the first line"),
        (
            lambda file: _changed(file, 0, session={**lines(file)[0]["session"], "session_id": "../../etc"}),
            "'../../etc' cannot be the session_id",
        ),
        (
            lambda file: _changed(file, 0, session={**lines(file)[0]["session"], "agent": ""}),
            "'' cannot be the agent",
        ),
        (
            lambda file: _changed(file, 0, session={**lines(file)[0]["session"], "project_id": ""}),
            "'' cannot be the project_id",
        ),
        (
            lambda file: _changed(file, 0, session={**lines(file)[0]["session"], "project_id": "another"}),
            "is not that of the project 'another'",
        ),
        (lambda file: _changed(file, 3, sequence=1), "Line 4: the sequence 1 does not come after"),
        (lambda file: _changed(file, 2, type="greeting"), "Line 3 is no event: 'greeting'"),
        (lambda file: _changed(file, 2, timestamp="yesterday"), "Line 3 is no event"),
        (lambda file: _changed(file, 2, surprise=1), "Line 3 is no event"),
        (
            lambda file: _changed(file, 3, type="message", data={"text": "a", "is_partial": True}),
            "Line 4 is a partial",
        ),
        (lambda file: _without(file, 1), "cannot be where it is"),
        (lambda file: b"\n".join(file.splitlines()[:3]), "one can be imported when its last run has ended"),
        (lambda file: file.splitlines()[0], "has no events"),
        (lambda file: file[:-40], "is no event"),
    ],
)
def test_a_file_that_no_server_wrote_is_refused_with_its_line(
    otto: Client, made: tuple[str, bytes], spoil: Any, why: str
) -> None:
    count = len(otto.get("/sessions", params={"limit": 200}).json()["sessions"])
    answer = otto.post("/sessions/import", content=spoil(made[1]))
    assert answer.status_code == 400, answer.text
    assert why in answer.json()["detail"]
    assert len(otto.get("/sessions", params={"limit": 200}).json()["sessions"]) == count, "nothing of it came in"


def test_a_session_that_still_runs_can_be_exported_and_not_be_imported(rosa: Client, otto: Client) -> None:
    session_id = rosa.run_task(LONG)
    rosa.until(session_id, "agent_start")
    file = exported(rosa, session_id)
    rosa.post(f"/sessions/{session_id}/cancel")
    answer = otto.post("/sessions/import", content=file)
    assert "is running; one can be imported when its last run has ended" in answer.json()["detail"]
