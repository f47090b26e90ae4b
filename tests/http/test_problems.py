"""Errors: one shape, and for each row of the protocol's table the code and the status."""

import contextlib
import os
import re
import signal
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from holdfast import errors
from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually
from tests.runs.agents import note_of

PROTOCOL = Path(__file__).parents[2] / "PROTOCOL.md"
ROW = re.compile(r"^\| `(\w+)` \| (\d{3}) \|", re.MULTILINE)


def is_problem(answer: httpx.Response, status: int, code: str) -> bool:
    body = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert body.keys() == {"type", "title", "status", "detail", "code"}, body
    assert all(body.values())
    assert body["status"] == answer.status_code
    return (answer.status_code, body["code"]) == (status, code)


@pytest.fixture(scope="module")
def spare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose store and agents these tests lay hands on."""
    server = Server(tmp_path_factory.mktemp("spare") / "data")
    try:
        yield server.start()
    finally:
        server.close()


def test_the_table_and_the_errors_of_the_server_are_the_same() -> None:
    stated = {code: int(status) for code, status in ROW.findall(PROTOCOL.read_text())}
    assert len(stated) > 15

    def tree(kind: type[errors.HoldfastError]) -> list[type[errors.HoldfastError]]:
        return [kind, *(below for child in kind.__subclasses__() for below in tree(child))]

    # The command line has errors of its own, which are a client's.
    ours = [kind for kind in tree(errors.HoldfastError) if kind.__module__ == errors.__name__]
    known = {kind.code: kind.status for kind in ours}
    assert stated.items() <= known.items()
    # The others never reach a client: they stop the program, or are dealt with where they are raised.
    assert known.keys() - stated.keys() <= {"config", "conflict", "event_refused", "store_too_new", "fenced"}


def test_what_is_not_there_is_a_problem_that_names_it(client: Client) -> None:
    for path in (
        "/nothing",
        "/sessions/",
        "/sessions/unknown",
        "/sessions/unknown/events",
        "/sessions/a%2Fb%00c",
        "/sessions/é",
    ):
        answer = client.get(path)
        assert is_problem(answer, 404, "not_found"), path
    assert "'unknown'" in client.get("/sessions/unknown").json()["detail"]
    assert "/api/v1/nothing" in client.get("/nothing").json()["detail"]


def test_a_method_that_a_path_does_not_have_is_a_problem(client: Client) -> None:
    for method, path, allowed in (
        ("DELETE", "/sessions", "GET"),
        ("PUT", "/health", "GET"),
        ("GET", "/tickets", "POST"),
        ("GET", "/sessions/run", "POST"),
    ):
        answer = client.request(method, path)
        assert is_problem(answer, 405, "method_not_allowed")
        assert method in answer.json()["detail"]
        assert allowed in answer.headers["allow"]


def test_an_unknown_agent_is_refused_with_those_there_are(local: Client) -> None:
    answer = local.post("/sessions/run", json={"task": "x", "config": {"agent": "hal"}})
    assert is_problem(answer, 422, "unknown_agent")
    for name in ("hal", "demo", "quick", "silent"):
        assert name in answer.json()["detail"]


@pytest.mark.parametrize(
    "workspace", ["", "relative", "../up", "~", "/no/such/folder", "/etc/hostname", "/a\0b", "/" + "a" * 300]
)
def test_a_workspace_must_be_the_absolute_path_of_a_folder(local: Client, workspace: str) -> None:
    answer = local.post("/sessions/run", json={"task": "x", "config": {"workspace": workspace}})
    assert is_problem(answer, 422, "bad_workspace")
    assert repr(workspace) in answer.json()["detail"]


def test_the_other_refusals_have_the_same_shape(client: Client, shared_server: Server) -> None:
    plain = httpx.Client(base_url=shared_server.url, timeout=10, verify=False)
    with plain:
        assert is_problem(plain.get("/api/v1/sessions"), 401, "unauthorized")
        assert is_problem(plain.get("/api/v1/sessions", headers={"host": "evil.example"}), 421, "wrong_host")
        cookie = {"cookie": "holdfast_token=test-token", "origin": "http://evil.example"}
        assert is_problem(plain.get("/api/v1/sessions", headers=cookie), 403, "forbidden_origin")
    assert is_problem(client.post("/sessions/run", content=b"?"), 400, "bad_request")


def test_a_defect_is_told_without_what_is_inside(spare: Server) -> None:
    with spare.client() as client:
        session_id = client.run_task("tools 1")
        client.end_of(session_id)
        store = sqlite3.connect(spare.data / "holdfast.db", isolation_level=None)
        [state] = store.execute("select state from sessions where id = ?", (session_id,)).fetchone()
        store.execute("update sessions set state = ? where id = ?", (b"{broken by the test", session_id))
        for path in (f"/sessions/{session_id}", f"/sessions/{session_id}/events", "/sessions"):
            answer = client.get(path)
            assert is_problem(answer, 500, "internal")
            assert "broken" not in answer.text
            assert "Error" not in answer.json()["detail"]
        store.execute("update sessions set state = ? where id = ?", (state, session_id))
        store.close()
        assert client.record(session_id)["status"] == "complete", "the server goes on"


def test_a_store_that_is_locked_refuses_the_writer_and_nobody_else(spare: Server) -> None:
    with spare.client() as client, spare.client() as other:
        before = client.get("/sessions").json()
        store = sqlite3.connect(spare.data / "holdfast.db", isolation_level=None)
        store.execute("begin immediate")
        answers: list[httpx.Response] = []
        writing = threading.Thread(target=lambda: answers.append(client.post("/sessions/run", json={"task": "x"})))
        writing.start()
        while writing.is_alive():
            assert other.get("/sessions").status_code == 200, "reading goes on"
            writing.join(0.5)
        store.execute("rollback")
        store.close()
        assert is_problem(answers[0], 503, "store_unavailable")
        assert client.get("/sessions").json() == before, "nothing was written"
        assert client.post("/sessions/run", json={"task": "tools 1"}).status_code == 200


def test_an_agent_that_cannot_be_reached_is_told_and_may_be_tried_again(spare: Server) -> None:
    with spare.client() as client:
        session_id = client.run_task("ask")
        request_id = client.until(session_id, "permission_request")["data"]["request_id"]
        path = f"/sessions/{session_id}/permissions/{request_id}/answer"
        with standing_still(spare, session_id):
            answer = client.post(path, json={"decision": "allow_once"})
        assert is_problem(answer, 503, "agent_unreachable")
        eventually(lambda: client.post(path, json={"decision": "allow_once"}).status_code in (200, 409))
        assert client.end_of(session_id)["data"]["stop_reason"] == "success"


@contextlib.contextmanager
def standing_still(server: Server, session_id: str) -> Iterator[None]:
    """The session's keeper neither hears nor says anything."""
    keeper = (note_of(server, session_id) or {})["pid"]
    os.kill(keeper, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(keeper, signal.SIGCONT)


def test_a_server_that_is_stopping_takes_no_more_tasks(server: Server) -> None:
    with server.client() as client:
        session_id = client.run_task("hang")
        client.until(session_id, "agent_start")
        # A run that does not end keeps the server stopping for some seconds.
        with standing_still(server, session_id):
            assert server.process is not None
            server.process.terminate()
            refused = eventually(lambda: _refusal(client), what="a start is refused")
            assert is_problem(refused, 503, "shutting_down")
        assert server.process.wait(30) == 0


def _refusal(client: Client) -> httpx.Response | None:
    answer = client.post("/sessions/run", json={"task": "too late"})
    return answer if answer.status_code != 200 else None
