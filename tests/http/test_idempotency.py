"""Idempotency-Key: the same request takes effect once and is answered alike."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.client import Client
from tests.conftest import Server
from tests.http.conftest import LONG


def post(client: Client, path: str, key: str, body: Any = None) -> httpx.Response:
    return client.post(path, json={} if body is None else body, headers={"idempotency-key": key})


def run_body(task: str, **config: object) -> dict[str, object]:
    return {"task": task, "config": {"agent": "quick", **config}}


def started_with(client: Client, task: str) -> list[str]:
    listed = client.get("/sessions", params={"limit": 200}).json()["sessions"]
    return [record["session_id"] for record in listed if record["task"] == task]


def test_the_same_key_and_body_start_one_run_and_get_the_same_answer(local: Client) -> None:
    key, task = str(uuid4()), f"once {uuid4()}"
    first = post(local, "/sessions/run", key, run_body(task))
    local.end_of(first.json()["session_id"])
    second = post(local, "/sessions/run", key, run_body(task))
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert started_with(local, task) == [first.json()["session_id"]]
    assert local.record(first.json()["session_id"])["runs"] == 1


def test_the_same_body_may_be_written_another_way(local: Client) -> None:
    key, task = str(uuid4()), f"once {uuid4()}"
    first = post(local, "/sessions/run", key, run_body(task))
    other = b'{ "config" : {"agent":"quick"},\n "task": "%b"}' % task.encode()
    second = local.post("/sessions/run", content=other, headers={"idempotency-key": key})
    assert first.content == second.content
    assert len(started_with(local, task)) == 1


def test_another_body_or_path_with_the_same_key_is_refused_and_starts_nothing(local: Client) -> None:
    key, task = str(uuid4()), f"once {uuid4()}"
    session_id = post(local, "/sessions/run", key, run_body(task)).json()["session_id"]
    local.end_of(session_id)
    for path, body in (
        ("/sessions/run", run_body(f"{task} else")),
        ("/sessions/run", run_body(task, timeout_s=5)),
        (f"/sessions/{session_id}/task", {"task": task}),
        (f"/sessions/{session_id}/cancel", {}),
    ):
        answer = post(local, path, key, body)
        assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_mismatch")
        assert key in answer.json()["detail"]
    assert started_with(local, f"{task} else") == []
    assert local.record(session_id)["runs"] == 1


def test_requests_at_the_same_time_start_one_run(house: Server) -> None:
    key, task = str(uuid4()), f"at once {uuid4()}"
    callers = 8
    barrier = threading.Barrier(callers)

    def call(_: int) -> bytes:
        with house.client() as client:
            client.get("/health")
            barrier.wait(60)
            answer = post(client, "/sessions/run", key, run_body(task))
            assert answer.status_code == 200, answer.text
            return answer.content

    with ThreadPoolExecutor(callers) as pool:
        answers = set(pool.map(call, range(callers)))
    assert len(answers) == 1
    with house.client() as client:
        assert len(started_with(client, task)) == 1


def test_a_repeated_task_is_one_run_even_while_that_runs(local: Client) -> None:
    session_id = local.run_task("first", agent="forgetful")
    local.end_of(session_id)
    key = str(uuid4())
    answers = [post(local, f"/sessions/{session_id}/task", key, {"task": "second"}) for _ in range(3)]
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
    local.end_of(session_id)
    assert post(local, f"/sessions/{session_id}/task", key, {"task": "second"}).content == answers[0].content
    assert local.record(session_id)["runs"] == 2


def test_a_repeated_cancel_does_not_cancel_the_next_run(local: Client) -> None:
    session_id = local.run_task(LONG)
    local.until(session_id, "agent_start")
    key = str(uuid4())
    first = post(local, f"/sessions/{session_id}/cancel", key)
    assert first.json()["status"] == "cancelled"
    local.next_task(session_id, LONG)
    second = post(local, f"/sessions/{session_id}/cancel", key)
    assert second.content == first.content
    assert local.record(session_id)["status"] == "running"
    local.post(f"/sessions/{session_id}/cancel")


def test_a_request_that_failed_may_be_made_again_with_its_key(local: Client, tmp_path: Path) -> None:
    key, folder = str(uuid4()), tmp_path / "later"
    body = run_body("in a folder", workspace=str(folder))
    assert post(local, "/sessions/run", key, body).json()["code"] == "bad_workspace"
    folder.mkdir()
    first = post(local, "/sessions/run", key, body)
    assert first.status_code == 200
    local.end_of(first.json()["session_id"])
    folder.rmdir()
    assert post(local, "/sessions/run", key, body).content == first.content, "its folder is gone, its answer is not"


def test_keys_of_different_users_have_nothing_to_do_with_each_other(local: Client, ada: Client) -> None:
    key, task = str(uuid4()), f"mine {uuid4()}"
    ours = post(local, "/sessions/run", key, run_body(task)).json()["session_id"]
    theirs = post(ada, "/sessions/run", key, run_body(task)).json()["session_id"]
    assert ours != theirs
    assert started_with(ada, task) == [theirs]


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_a_key_of_another_length_is_refused(local: Client, key: str) -> None:
    answer = post(local, "/sessions/run", key, run_body("x"))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert str(len(key)) in answer.json()["detail"]


def test_a_key_of_200_characters_is_taken(local: Client) -> None:
    answer = post(local, "/sessions/run", f"{uuid4()}".ljust(200, "x"), run_body("x"))
    assert answer.status_code == 200
    local.end_of(answer.json()["session_id"])
