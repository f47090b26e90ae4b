"""The same server on PostgreSQL: a run from end to end, and texts that PostgreSQL itself would not take."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from tests.client import Client
from tests.conftest import Server


@pytest.fixture(scope="module")
def elephant(tmp_path_factory: pytest.TempPathFactory, postgres: Callable[[], str]) -> Iterator[Client]:
    server = Server(tmp_path_factory.mktemp("elephant") / "data", HOLDFAST_STORE=postgres())
    server.config.write_text('[agents.quick]\ncommand = ["/bin/true"]\n')
    try:
        with server.start().client() as client:
            yield client
    finally:
        server.close()


@pytest.mark.requirement("R057", "R074", "R078")
def test_a_run_is_the_same_live_later_in_history_and_in_the_combined_stream(elephant: Client) -> None:
    assert elephant.get("/health").json()["store"] == "postgresql"
    position = elephant.get("/sessions").json()["position"]
    session_id = elephant.run_task("Say hello, tools 300 slow 0.3")
    live = elephant.follow(session_id)
    assert live[-1]["data"]["stop_reason"] == "success"
    assert elephant.follow(session_id) == live
    assert elephant.follow(session_id, after=200) == live[200:]
    finals = [event for event in live if event["data"].get("is_partial") is not True]
    assert elephant.history(session_id, limit=100) == finals
    combined = []
    with elephant.stream("/events", after=position) as stream:
        for frame in stream:
            if frame.is_event:
                combined.append({key: value for key, value in frame.data.items() if key != "session_id"})
                if frame.data["type"] == "agent_complete":
                    break
    assert combined == live


def test_a_repeated_request_is_one_run(elephant: Client) -> None:
    key = str(uuid4())
    body = {"task": "once", "config": {"agent": "quick", "project_id": key}}
    answers = [elephant.post("/sessions/run", json=body, headers={"idempotency-key": key}) for _ in range(2)]
    assert answers[0].status_code == 200
    assert answers[0].content == answers[1].content
    assert elephant.record(answers[0].json()["session_id"])["runs"] == 1


@pytest.mark.requirement("R028")
def test_a_task_with_nul_goes_in_and_comes_out(elephant: Client) -> None:
    session_id = elephant.run_task("a\0b", agent="quick")
    assert elephant.follow(session_id)[0]["data"] == {"text": "a\0b"}
    assert elephant.record(session_id)["task"] == "a\0b"


def test_names_with_nul_name_nothing_and_are_no_fault_of_the_store(elephant: Client) -> None:
    for path in ("/sessions/%00", "/sessions/a%00b/events", "/sessions/%00/events/history"):
        assert elephant.get(path).status_code == 404, path
    for filter_ in ("agent", "project_id"):
        answer = elephant.get("/sessions", params={filter_: "a\0b"})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
        assert filter_ in answer.json()["detail"]
    answer = elephant.post("/sessions/run", json={"task": "x", "config": {"project_id": "a\0b"}})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert "project_id" in answer.json()["detail"]
    assert elephant.post("/sessions/run", json={"task": "x", "config": {"agent": "a\0b"}}).status_code == 422
