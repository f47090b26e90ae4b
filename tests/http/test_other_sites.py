"""What a page of another site can make a browser send: the cookie, its own Origin, its own name as Host."""

from collections.abc import Iterator

import httpx
import pytest

from tests.client import Client
from tests.conftest import TOKEN, Server

COOKIE = {"cookie": f"holdfast_token={TOKEN}"}


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "") if answer.content else ""


@pytest.fixture
def browser(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{shared_server.url}/api/v1", headers=COOKIE, timeout=10, verify=False) as client:
        yield client


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "https://evil.example",
        "null",
        "",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://evil.example/127.0.0.1:{port}",
        "http://evil@127.0.0.1:{port}",
        "http://[",
    ],
)
def test_a_cookie_from_another_origin_is_refused(browser: httpx.Client, shared_server: Server, origin: str) -> None:
    headers = {"origin": origin.format(port=shared_server.port)}
    for method, path in (("GET", "/sessions"), ("GET", "/events"), ("POST", "/tickets"), ("POST", "/sessions/run")):
        assert code_of(browser.request(method, path, headers=headers)) == (403, "forbidden_origin")


@pytest.mark.requirement("R072")
def test_a_cookie_from_our_own_page_is_let_in(browser: httpx.Client, shared_server: Server, client: Client) -> None:
    own = {"origin": shared_server.url, "sec-fetch-site": "same-origin"}
    session_id = browser.post("/sessions/run", json={"task": "tools 1"}, headers=own).json()["session_id"]
    # EventSource on a relative URL: the browser sends the cookie, and for a GET to its own site no Origin.
    stream = browser.get(
        f"/sessions/{session_id}/events", headers={"sec-fetch-site": "same-origin", "accept": "text/event-stream"}
    )
    assert stream.status_code == 200
    assert stream.text.startswith("retry: 3000\n\n")
    assert '"type":"agent_complete"' in stream.text
    assert browser.get("/sessions").status_code == 200, "typed into the address bar"
    assert client.record(session_id)["status"] == "complete"


def test_a_changing_request_with_the_cookie_must_say_its_origin(browser: httpx.Client) -> None:
    for path in ("/tickets", "/sessions/run", "/sessions/x/task", "/sessions/x/cancel"):
        assert code_of(browser.post(path, json={"task": "x"})) == (403, "forbidden_origin")
    assert code_of(browser.delete("/sessions")) == (403, "forbidden_origin")


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_request_that_the_browser_calls_foreign_is_refused_without_an_origin_too(
    browser: httpx.Client, site: str
) -> None:
    """An <img> or <script> of another page: a GET with the cookie and without an Origin."""
    assert code_of(browser.get("/sessions", headers={"sec-fetch-site": site})) == (403, "forbidden_origin")


def test_a_bearer_may_come_from_anywhere(client: Client) -> None:
    """No browser adds it by itself: who has it was given it."""
    assert client.post("/tickets", headers={"origin": "https://tool.example"}).status_code == 200


def test_a_cookie_of_a_wrong_token_is_unauthorized_wherever_it_comes_from(shared_server: Server) -> None:
    headers = {"cookie": "holdfast_token=wrong", "origin": "http://evil.example"}
    assert (
        httpx.get(f"{shared_server.url}/api/v1/sessions", headers=headers, timeout=10, verify=False).status_code == 401
    )


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "localhost@evil.example",
        "127.0.0.1.",
        "1.2.3",
        "[",
        "[::1",
        "::1]",
        ":",
        "",
    ],
)
def test_another_host_is_refused_before_anything_else(shared_server: Server, host: str) -> None:
    """DNS rebinding: the page's own name means 127.0.0.1 now, and the browser thinks that we are its site."""
    headers = {"host": host.format(port=shared_server.port), "authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=shared_server.url, timeout=10, verify=False) as client:
        for path in ("/", f"/?token={TOKEN}", "/api/v1/health", "/api/v1/sessions", "/api/v1/nothing"):
            answer = client.get(path, headers=headers)
            assert code_of(answer) == (421, "wrong_host"), path
            assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:{port}", "192.168.0.7:80", "[::1]:{port}"])
def test_addresses_and_localhost_are_served(shared_server: Server, host: str) -> None:
    headers = {"host": host.format(port=shared_server.port)}
    assert httpx.get(f"{shared_server.url}/api/v1/health", headers=headers, timeout=10, verify=False).status_code == 200


def test_a_name_in_allowed_hosts_is_served(local: Client) -> None:
    for host, status in (
        ("build.example", 200),
        ("build.example:8080", 200),
        ("BUILD.example", 200),
        ("agents.example", 200),
        ("other.example", 421),
        ("sub.build.example", 421),
    ):
        assert local.get("/health", headers={"host": host}).status_code == status, host
