"""The browser's cookie: how a token in an address or in a form sets it, how it goes, and that no answer repeats it."""

from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest

from tests.conftest import TOKEN, Server
from tests.http.conftest import ADA


@pytest.fixture
def browser(house: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=house.url, timeout=10, verify=False) as client:
        yield client


def is_let_in(answer: httpx.Response, token: str = TOKEN) -> bool:
    [cookie] = answer.headers.get_list("set-cookie")
    parts = [part.strip().lower() for part in cookie.split(";")]
    # No script may read it, no other site may send it, and it counts for the API as for the pages.
    assert {"httponly", "samesite=strict", "path=/"} <= set(parts)
    assert not any(part.startswith("domain") for part in parts)
    return cookie.startswith(f"holdfast_token={token};")


@pytest.mark.requirement("R052", "R072")
@pytest.mark.parametrize(
    ("asked", "led_to"),
    [
        ("/?token={}", "/"),
        ("/sessions/some-id?token={}", "/sessions/some-id"),
        ("/sessions/some-id?at=42&token={}&side=files", "/sessions/some-id?at=42&side=files"),
        ("/new?token={}&task=a%20%26%20b&empty=", "/new?task=a+%26+b&empty="),
        ("/projects/%C3%9Cn%C3%AF?token={}", "/projects/%C3%9Cn%C3%AF"),
        ("/projects/a%5Cb%0d%0aX-Evil:1?token={}", "/projects/a%5Cb%0D%0AX-Evil%3A1"),
        ("/?token=wrong&token={}", "/"),
    ],
)
def test_an_address_with_the_token_sets_the_cookie_and_leads_away_from_the_token(
    browser: httpx.Client, asked: str, led_to: str
) -> None:
    answer = browser.get(asked.format(TOKEN))
    assert (answer.status_code, answer.headers["location"]) == (303, led_to)
    assert is_let_in(answer)
    assert "content-security-policy" in answer.headers
    assert answer.headers["cache-control"] == "no-store"
    assert browser.get("/api/v1/me").json() == {"user": "local"}


@pytest.mark.requirement("R052")
@pytest.mark.parametrize("path", ["/", "/sessions/some-id", "/login"])
@pytest.mark.parametrize("token", ["wrong", "", f"{TOKEN}x", "ü"])
def test_an_address_with_a_wrong_token_leads_to_the_login_without_it(
    browser: httpx.Client, path: str, token: str
) -> None:
    answer = browser.get(path, params={"token": token, "keep": "x"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?wrong=1")
    assert "set-cookie" not in answer.headers
    assert "content-security-policy" in answer.headers


@pytest.mark.requirement("R052")
@pytest.mark.parametrize("path", ["//evil.example/", "//evil.example/%2e%2e", "/assets/x.js", "/.well-known/x"])
def test_an_address_that_is_no_page_of_ours_leads_nowhere(house: Server, path: str) -> None:
    answer = httpx.get(f"{house.url}{path}?token={TOKEN}", timeout=10, verify=False)
    assert answer.status_code == 404
    assert "location" not in answer.headers
    assert "set-cookie" not in answer.headers
    assert TOKEN not in answer.text


@pytest.mark.requirement("R052")
@pytest.mark.parametrize(
    "path", ["/%5Cevil.example", "/%5C%5Cevil.example", "/%09/evil.example", "/http:%2F%2Fevil.example"]
)
def test_no_path_makes_of_the_redirect_one_to_another_site(house: Server, path: str) -> None:
    answer = httpx.get(f"{house.url}{path}?token={TOKEN}", timeout=10, verify=False)
    if answer.status_code == 303:
        target = httpx.URL(house.url).join(answer.headers["location"])
        assert target.netloc == httpx.URL(house.url).netloc
        assert "\\" not in answer.headers["location"]
        assert answer.headers["location"].startswith("/")
        assert not answer.headers["location"].startswith("//")
    else:
        assert answer.status_code == 404


@pytest.mark.requirement("R052")
def test_a_form_with_the_token_sets_the_cookie_of_its_user(browser: httpx.Client, house: Server) -> None:
    own = {"origin": house.url}
    for token, user in ((TOKEN, "local"), (ADA, "ada")):
        answer = browser.post("/api/v1/login", json={"token": token}, headers=own)
        assert (answer.status_code, answer.content) == (204, b"")
        assert is_let_in(answer, token)
        assert browser.get("/api/v1/me").json() == {"user": user}


@pytest.mark.requirement("R052")
def test_a_form_with_a_wrong_token_sets_none(browser: httpx.Client, house: Server) -> None:
    for token in ("wrong", f"{TOKEN}x", "ü"):
        answer = browser.post("/api/v1/login", json={"token": token}, headers={"origin": house.url})
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
        assert "set-cookie" not in answer.headers
        assert token not in answer.text
    for body in ({}, {"token": ""}, {"token": 7}, {"token": TOKEN, "next": "/"}, {"token": "x" * 1001}):
        answer = browser.post("/api/v1/login", json=body, headers={"origin": house.url})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/api/v1/login", "/api/v1/logout"])
@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://localhost:{port}"])
def test_another_sites_page_can_neither_log_in_nor_out(
    browser: httpx.Client, house: Server, path: str, origin: str | None
) -> None:
    headers = {} if origin is None else {"origin": origin.format(port=house.port)}
    answer = browser.post(path, json={"token": TOKEN} if "login" in path else {}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden_origin")
    assert "set-cookie" not in answer.headers
    assert "with the cookie" not in answer.json()["detail"], "it had none"


@pytest.mark.requirement("R052")
def test_logging_out_takes_the_cookie_away_also_one_that_is_not_valid(browser: httpx.Client, house: Server) -> None:
    own = {"origin": house.url}
    browser.post("/api/v1/login", json={"token": TOKEN}, headers=own)
    answer = browser.post("/api/v1/logout", headers=own)
    assert answer.status_code == 204
    assert "max-age=0" in answer.headers["set-cookie"].lower()
    assert browser.get("/api/v1/me").status_code == 401
    with httpx.Client(timeout=10, verify=False, cookies={"holdfast_token": "old"}) as other:
        assert other.post(f"{house.url}/api/v1/logout", headers=own).status_code == 204


@pytest.mark.requirement("R052")
def test_no_answer_of_a_page_repeats_the_token(house: Server) -> None:
    """Nor its beginning in another place: in the location, the page, a problem."""
    for path in ("/", "/new", "/x/y", "/assets/x.js", "/x.txt", "//x", f"/{quote(TOKEN)}y"):
        for method in ("GET", "HEAD", "POST"):
            answer = httpx.request(method, f"{house.url}{path}?token={TOKEN}&a=b", timeout=10, verify=False)
            assert TOKEN not in answer.headers.get("location", "").removeprefix(f"/{TOKEN}y")
            assert f"token={TOKEN}" not in answer.text
