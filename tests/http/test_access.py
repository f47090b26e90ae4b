"""Credentials: bearer, cookie, `?token=` and tickets open what they shall; everything else is 401."""

import time
from datetime import UTC, datetime

import httpx
import pytest

from holdfast.errors import Unauthorized
from holdfast.http.auth import TICKET_S, Doorkeeper
from tests.client import Client
from tests.conftest import TOKEN, Server

ENDPOINTS = [
    ("GET", "/sessions"),
    ("GET", "/sessions/recoverable"),
    ("GET", "/sessions/some-id"),
    ("GET", "/sessions/some-id/events"),
    ("GET", "/sessions/some-id/events/history"),
    ("GET", "/sessions/some-id/files"),
    ("GET", "/sessions/some-id/files/content"),
    ("GET", "/events"),
    ("GET", "/openapi.json"),
    ("GET", "/me"),
    ("GET", "/profiles"),
    ("GET", "/projects"),
    ("GET", "/folders"),
    ("GET", "/nothing-is-here"),
    ("POST", "/tickets"),
    ("POST", "/sessions/run"),
    ("POST", "/sessions/some-id/task"),
    ("POST", "/sessions/some-id/cancel"),
    ("POST", "/sessions/some-id/permissions/some-id/answer"),
]
# Each is (headers, query): what a request may carry instead of a credential.
WRONG = {
    "nothing": ({}, {}),
    "wrong bearer": ({"authorization": "Bearer wrong"}, {}),
    "empty bearer": ({"authorization": "Bearer"}, {}),
    "another scheme": ({"authorization": f"Basic {TOKEN}"}, {}),
    "no scheme": ({"authorization": TOKEN}, {}),
    "part of the token": ({"authorization": f"Bearer {TOKEN[:-1]}"}, {}),
    "more than the token": ({"authorization": f"Bearer {TOKEN}x"}, {}),
    "not ASCII": ({"authorization": "Bearer tökén".encode("latin-1")}, {}),
    "wrong cookie": ({"cookie": "holdfast_token=wrong"}, {}),
    "another cookie": ({"cookie": f"token={TOKEN}"}, {}),
    "broken cookie": ({"cookie": f'"=;,;holdfast token={TOKEN}'}, {}),
    "wrong token": ({}, {"token": "wrong"}),
    "empty token": ({}, {"token": ""}),
    "wrong ticket": ({}, {"ticket": "wrong"}),
    "a token as a ticket": ({}, {"ticket": TOKEN}),
}


def is_refused(answer: httpx.Response) -> bool:
    return (
        answer.status_code == 401
        and answer.json()["code"] == "unauthorized"
        and answer.headers["www-authenticate"].startswith("Bearer")
    )


@pytest.fixture(scope="module")
def url(shared_server: Server) -> str:
    return f"{shared_server.url}/api/v1"


@pytest.mark.requirement("R052")
@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def test_every_endpoint_but_health_and_the_login_needs_a_credential(url: str, method: str, path: str) -> None:
    with httpx.Client(timeout=10, verify=False) as client:
        assert is_refused(client.request(method, url + path))
        with client.stream(method, url + path, headers={"authorization": f"Bearer {TOKEN}"}) as allowed:
            assert allowed.status_code != 401


@pytest.mark.requirement("R052")
@pytest.mark.parametrize("carried", WRONG)
def test_a_wrong_credential_is_refused_everywhere(url: str, carried: str) -> None:
    headers, query = WRONG[carried]
    with httpx.Client(timeout=10, verify=False) as client:
        for path in ("/sessions", "/sessions/some-id/events", "/events"):
            assert is_refused(client.get(url + path, headers=headers, params=query)), path


@pytest.mark.requirement("R052")
def test_bearer_cookie_and_query_are_each_enough(url: str) -> None:
    with httpx.Client(timeout=10, verify=False) as client:
        for headers, query in (
            ({"authorization": f"Bearer {TOKEN}"}, {}),
            ({"authorization": f"bearer {TOKEN}"}, {}),
            ({"cookie": f"holdfast_token={TOKEN}"}, {}),
            ({"cookie": f"theme=dark; holdfast_token={TOKEN}; x=y"}, {}),
            ({}, {"token": TOKEN}),
        ):
            assert client.get(f"{url}/sessions", headers=headers, params=query).status_code == 200


@pytest.mark.requirement("R052")
def test_health_answers_everybody_and_tells_the_rest_to_those_who_may_know(url: str) -> None:
    with httpx.Client(timeout=10, verify=False) as client:
        for headers in ({}, {"authorization": "Bearer wrong"}):
            answer = client.get(f"{url}/health", headers=headers)
            assert answer.status_code == 200
            assert answer.json().keys() == {"status", "version"}
            assert answer.json()["status"] == "ok"
        full = client.get(f"{url}/health", params={"token": TOKEN}).json()
    assert full.keys() >= {"status", "version", "uptime_s", "store", "agents", "sessions"}
    assert full["store"] == "sqlite"
    assert "demo" in full["agents"]
    assert full["uptime_s"] > 0


@pytest.mark.requirement("R052")
def test_a_ticket_opens_one_stream_once_and_nothing_else(client: Client, url: str) -> None:
    session_id = client.run_task("tools 1")
    client.end_of(session_id)
    answer = client.post("/tickets")
    assert answer.json().keys() == {"ticket", "expires_at"}
    left_s = (datetime.fromisoformat(answer.json()["expires_at"]) - datetime.now(UTC)).total_seconds()
    assert 50 < left_s <= 60
    query = {"ticket": answer.json()["ticket"]}
    with httpx.Client(timeout=10, verify=False) as stranger:
        for path in ("/sessions", f"/sessions/{session_id}", f"/sessions/{session_id}/events/history"):
            assert is_refused(stranger.get(url + path, params=query)), "a ticket is for streams only"
        assert is_refused(stranger.post(f"{url}/sessions/{session_id}/cancel", params=query))
        opened = stranger.get(f"{url}/sessions/{session_id}/events", params=query)
        assert opened.status_code == 200
        assert '"type":"agent_complete"' in opened.text
        assert is_refused(stranger.get(f"{url}/sessions/{session_id}/events", params=query)), "once"


@pytest.mark.requirement("R052", "R053")
def test_a_ticket_belongs_to_the_user_who_asked_for_it(house: Server, local: Client, ada: Client) -> None:
    session_id = local.run_task("x", agent="quick")
    local.end_of(session_id)
    ticket = ada.post("/tickets").json()["ticket"]
    answer = httpx.get(
        f"{house.url}/api/v1/sessions/{session_id}/events", params={"ticket": ticket}, timeout=10, verify=False
    )
    assert answer.status_code == 404


@pytest.mark.requirement("R052")
def test_a_ticket_is_valid_for_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is moved, not waited for."""
    now = time.monotonic()
    doorkeeper = Doorkeeper({"token": "ada"})
    tickets = [doorkeeper.issue("ada")[0] for _ in range(2)]
    assert TICKET_S == 60

    def redeem(ticket: str, after_s: float) -> str:
        monkeypatch.setattr(time, "monotonic", lambda: now + after_s)
        return doorkeeper.admit("GET", {}, {"ticket": ticket}, is_stream=True)

    assert redeem(tickets[0], 59) == "ada"
    with pytest.raises(Unauthorized, match="expired"):
        redeem(tickets[1], 61)
