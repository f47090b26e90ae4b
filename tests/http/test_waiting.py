"""`GET /api/v1/permissions`: what waits for the caller's answer, over all sessions."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.http.conftest import ADA, SETTINGS


@pytest.fixture
def desk(make_server: Callable[..., Server]) -> Server:
    """A server in which nothing waits but what the test lets wait."""
    server = make_server()
    server.config.write_text(SETTINGS)
    return server.start()


def waiting(client: Client) -> list[dict[str, Any]]:
    answer = client.get("/permissions")
    assert answer.status_code == 200
    assert answer.json().keys() == {"permissions"}
    return answer.json()["permissions"]


def asking(client: Client, **config: object) -> tuple[str, dict[str, Any]]:
    session_id = client.run_task("ask", **config)
    return session_id, client.until(session_id, "permission_request")


def answer(client: Client, session_id: str, request: dict[str, Any]) -> None:
    path = f"/sessions/{session_id}/permissions/{request['data']['request_id']}/answer"
    assert client.post(path, json={"decision": "deny"}).status_code == 200


@pytest.mark.requirement("R053", "R143")
def test_all_that_waits_for_a_user_is_listed_the_oldest_first_and_nothing_else(desk: Server, tmp_path: Path) -> None:
    with desk.client() as local, desk.client(ADA) as ada:
        assert waiting(local) == waiting(ada) == []
        first, one = asking(local, project_id="shop", workspace=str(tmp_path))
        hers, her_one = asking(ada)
        second, two = asking(local)
        busy = local.run_task("hang")
        local.until(busy, "agent_start")
        assert waiting(local) == [
            {
                "session_id": session_id,
                "type": "permission_request",
                "asked_at": request["timestamp"],
                "request": request["data"],
                "agent": "demo",
                "workspace": local.record(session_id)["workspace"],
                "task": "ask",
                **({"project_id": "shop"} if session_id == first else {}),
            }
            for session_id, request in ((first, one), (second, two))
        ]
        assert [one["session_id"] for one in waiting(ada)] == [hers]
        before = waiting(local)
    desk.kill()
    desk.start()
    with desk.client() as local, desk.client(ADA) as ada:
        assert waiting(local) == before, "it outlives the server"
        answer(local, first, one)
        assert [one["session_id"] for one in waiting(local)] == [second]
        # What is answered by the end of its run waits no longer either.
        local.post(f"/sessions/{second}/cancel")
        assert waiting(local) == []
        assert [one["session_id"] for one in waiting(ada)] == [hers]
        refused = local.post(
            f"/sessions/{hers}/permissions/{her_one['data']['request_id']}/answer", json={"decision": "allow_once"}
        )
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
        for client, session_id in ((local, busy), (ada, hers)):
            client.post(f"/sessions/{session_id}/cancel")


def test_it_needs_a_credential(desk: Server) -> None:
    with desk.client("nobody's token") as stranger:
        assert stranger.get("/permissions").status_code == 401
