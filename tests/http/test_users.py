"""One user's sessions do not exist for another."""

from collections.abc import Iterator

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.http.conftest import LONG


@pytest.fixture(scope="module")
def others(house: Server) -> Iterator[str]:
    """A running session of the user `local`."""
    with house.client() as client:
        session_id = client.run_task(LONG)
        client.until(session_id, "agent_start")
        yield session_id
        client.post(f"/sessions/{session_id}/cancel")


REQUESTS = [
    ("GET", "/sessions/{id}", None),
    ("GET", "/sessions/{id}/events", None),
    ("GET", "/sessions/{id}/events?after=10000", None),
    ("GET", "/sessions/{id}/events/history", None),
    ("POST", "/sessions/{id}/task", {"task": "mine"}),
    ("POST", "/sessions/{id}/cancel", {}),
    ("POST", "/sessions/{id}/permissions/x/answer", {"decision": "allow_once"}),
]


@pytest.mark.requirement("R053")
@pytest.mark.parametrize(("method", "path", "body"), REQUESTS)
def test_anothers_session_and_none_are_answered_alike(
    ada: Client, local: Client, others: str, method: str, path: str, body: object
) -> None:
    unknown = "11111111-1111-4111-8111-111111111111"
    answers = [ada.request(method, path.format(id=id_), json=body) for id_ in (others, unknown)]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].json()["code"] == "not_found"
    assert answers[0].text.replace(others, unknown) == answers[1].text
    without = [
        [(name, value) for name, value in answer.headers.items() if name not in ("date", "content-length")]
        for answer in answers
    ]
    assert without[0] == without[1]
    record = local.record(others)
    assert (record["status"], record["runs"]) == ("running", 1)


@pytest.mark.requirement("R053")
def test_the_list_has_only_ones_own(ada: Client, local: Client, others: str) -> None:
    mine = ada.run_task("x", agent="quick")
    ada.end_of(mine)
    listed = {record["session_id"] for record in ada.get("/sessions").json()["sessions"]}
    assert mine in listed
    assert others not in listed
    assert mine not in {record["session_id"] for record in local.get("/sessions").json()["sessions"]}
    assert ada.get("/sessions/recoverable").status_code == 200


@pytest.mark.requirement("R053", "R073")
def test_the_combined_stream_has_only_ones_own(ada: Client, local: Client) -> None:
    with ada.stream("/events") as stream:
        assert next(frame for frame in stream if frame.event == "stream").data["resume"] == "ok"
        not_hers = local.run_task("not hers", agent="quick")
        local.end_of(not_hers)
        hers = ada.run_task("hers", agent="quick")
        seen = set()
        for frame in stream:
            if frame.is_event:
                seen.add(frame.data["session_id"])
                if frame.data["type"] == "error" and frame.data["session_id"] == hers:
                    break
    with ada.stream("/events", after=0) as stream:
        seen |= {next(frame for frame in stream if frame.is_event).data["session_id"] for _ in range(5)}
    assert hers in seen
    assert not_hers not in seen
    assert seen <= {record["session_id"] for record in ada.get("/sessions", params={"limit": 200}).json()["sessions"]}
