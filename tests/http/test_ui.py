"""The web UI's files and pages: what is served at which path, how it is cached, and what no path gets at."""

import gzip
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import TOKEN, Server

OTHER_FILES = str(Path(__file__).with_name("other_files.py"))
PAGE = '<!doctype html><title>Holdfast</title><script type="module" src="/assets/main-abc.js"></script>'
SCRIPT = "console.log('hello');\n" * 100
PAGES = [
    "/",
    "/new",
    "/inbox",
    "/agents",
    "/settings",
    "/login",
    "/sessions/7c782d7a-d783-481f-8755-3ae8b3563cfd",
    "/projects/my.project",
    "/projects/a%2Fb",
    "/projects/%C3%9Cn%C3%AFcode",
    "/index.html",
]
MISSING = [
    "/assets/main-old.js",
    "/assets/",
    "/assets",
    "/assets/main-abc.js.gz",
    "/favicon.ico",
    "/robots.txt",
    "/.stamp",
    "/.env",
    "/.well-known/security.txt",
    "/assets/../../secret",
    "/assets/..%2f..%2fsecret",
    "/assets/%2e%2e/%2e%2e/secret",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
    "/assets/..%5c..%5csecret",
    "/assets//etc/passwd",
    "/assets/%2fetc%2fpasswd",
    "/assets/main-abc.js%00.css",
    "//etc/passwd",
    "/../secret.txt",
    "/%2e%2e/secret.txt",
]


def put(folder: Path) -> None:
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "logo.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "assets/main-abc.js").write_text(SCRIPT)
    (folder / "assets/main-abc.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (folder / "assets/main-abc.css").write_text("body { margin: 0 }")
    (folder / ".stamp").write_text("the build's own")
    (folder.parent / "secret").write_text("SECRET")
    (folder.parent / "secret.txt").write_text("SECRET")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a web UI of a few files."""
    folder = tmp_path_factory.mktemp("site")
    put(folder / "web")
    server = Server(folder / "data")
    server.program = (OTHER_FILES, str(folder / "web"))
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def browser(site: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=site.url, timeout=10, verify=False) as client:
        yield client


def raw(server: Server, target: str, method: str = "GET") -> tuple[int, str, bytes]:
    """Status, head and body of a request whose target is sent as it stands: httpx would tidy it up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        head = f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode("latin-1"))
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    top, _, body = answer.partition(b"\r\n\r\n")
    return int(top.split(b" ", 2)[1]), top.decode("latin-1").lower(), body


def is_guarded(headers: httpx.Headers) -> bool:
    policy = {part.split()[0]: part.split()[1:] for part in headers["content-security-policy"].split("; ")}
    return (
        policy["default-src"] == ["'none'"]
        and policy["script-src"] == ["'self'"]
        and policy["style-src"] in (["'self'"], *([value] for value in policy["style-src"] if "sha256" in value))
        and policy["connect-src"] == ["'self'"]
        and policy["base-uri"] == ["'none'"]
        and policy["frame-ancestors"] == ["'none'"]
        and policy["require-trusted-types-for"] == ["'script'"]
        and "unsafe" not in headers["content-security-policy"]
        and headers["x-content-type-options"] == "nosniff"
        and headers["referrer-policy"] == "no-referrer"
        and headers["cross-origin-opener-policy"] == "same-origin"
        and all(f"{what}=()" in headers["permissions-policy"] for what in ("camera", "microphone", "geolocation"))
    )


@pytest.mark.parametrize("path", PAGES)
def test_every_path_of_the_app_is_its_page_also_without_a_credential(browser: httpx.Client, path: str) -> None:
    answer = browser.get(path)
    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert "set-cookie" not in answer.headers
    assert is_guarded(answer.headers)


def test_a_file_with_a_hash_in_its_name_is_kept_for_ever(browser: httpx.Client) -> None:
    answer = browser.get("/assets/main-abc.js", headers={"accept-encoding": "identity"})
    assert (answer.status_code, answer.text) == (200, SCRIPT)
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert is_guarded(answer.headers)
    assert browser.get("/assets/main-abc.css").headers["content-type"] == "text/css; charset=utf-8"


def test_a_file_without_one_is_asked_for_again(browser: httpx.Client) -> None:
    answer = browser.get("/logo.svg")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cache-control"] == "no-cache"
    assert is_guarded(answer.headers)


@pytest.mark.parametrize(
    ("accepted", "squeezed"),
    [
        ("gzip", True),
        ("br, GZIP", True),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("identity", False),
        ("", False),
        ("br", False),
    ],
)
def test_what_is_squeezed_goes_to_those_who_take_it(browser: httpx.Client, accepted: str, *, squeezed: bool) -> None:
    answer = browser.get("/assets/main-abc.js", headers={"accept-encoding": accepted})
    assert answer.text == SCRIPT
    assert ("content-encoding" in answer.headers) is squeezed
    assert answer.headers["vary"] == "accept-encoding"
    assert (int(answer.headers["content-length"]) < len(SCRIPT)) is squeezed


def test_what_is_not_squeezed_goes_as_it_is(browser: httpx.Client) -> None:
    assert "content-encoding" not in browser.get("/assets/main-abc.css").headers


@pytest.mark.parametrize("path", ["/", "/logo.svg", "/assets/main-abc.js"])
def test_who_has_it_gets_it_no_second_time(browser: httpx.Client, path: str) -> None:
    etag = browser.get(path).headers["etag"]
    for known in (etag, f'"other", {etag}', f"W/{etag}"):
        again = browser.get(path, headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == etag
        assert is_guarded(again.headers)
    assert browser.get(path, headers={"if-none-match": '"other"'}).status_code == 200


def test_the_two_forms_of_a_file_have_tags_of_their_own(browser: httpx.Client) -> None:
    plain, squeezed = (
        browser.get("/assets/main-abc.js", headers={"accept-encoding": way}) for way in ("identity", "gzip")
    )
    assert plain.headers["etag"] != squeezed.headers["etag"]


@pytest.mark.parametrize("path", ["/", "/new", "/assets/main-abc.js", "/assets/missing.js"])
def test_head_answers_what_get_would_without_its_body(browser: httpx.Client, path: str) -> None:
    whole, head = browser.get(path), browser.head(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert {**head.headers, "date": ""} == {**whole.headers, "date": ""}


@pytest.mark.parametrize("path", MISSING)
def test_a_file_that_is_not_there_is_404_and_nothing_else_is_opened(site: Server, path: str) -> None:
    status, head, body = raw(site, path)
    assert status == 404
    assert b'"code":"not_found"' in body
    assert b"SECRET" not in body
    assert b"root:" not in body
    assert PAGE.encode() not in body
    assert "content-security-policy: default-src 'none'" in head


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_the_pages_can_only_be_looked_at(browser: httpx.Client, method: str) -> None:
    for path in ("/", "/new", "/assets/main-abc.js"):
        answer = browser.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
        assert answer.headers["allow"] == "GET, HEAD"
        assert is_guarded(answer.headers)


@pytest.mark.requirement("R052")
def test_nothing_below_api_is_the_apps(browser: httpx.Client) -> None:
    for path in ("/api", "/api/", "/api/v1", "/api/v2/sessions", "/api/v1/nothing", "/api/index.html"):
        assert browser.get(path).status_code == 401, path
        answer = browser.get(path, headers={"authorization": f"Bearer {TOKEN}"})
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
    assert browser.post("/api/v1/nothing", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 404


@pytest.mark.requirement("R052")
@pytest.mark.parametrize(
    "path",
    ["//api/v1/sessions", "/assets/../api/v1/sessions", "/./api/v1/sessions", "/API/v1/sessions", "/x/api/v1/me"],
)
def test_a_path_that_is_not_quite_the_apis_never_gets_at_it(site: Server, path: str) -> None:
    _, head, body = raw(site, path)
    assert "application/json" not in head
    assert b'"sessions"' not in body
    assert b'"user"' not in body


@pytest.mark.requirement("R052")
@pytest.mark.parametrize("path", ["/api%2fv1%2fsessions", "/%61pi/v1/sessions"])
def test_the_api_written_otherwise_is_still_closed(site: Server, path: str) -> None:
    assert raw(site, path)[0] == 401


def test_a_server_without_the_built_files_says_how_to_build_them(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    server.program = (OTHER_FILES, str(tmp_path / "nothing"))
    try:
        server.start()
        with httpx.Client(base_url=server.url, timeout=10, verify=False) as browser:
            for path in ("/", "/sessions/x"):
                answer = browser.get(path)
                assert answer.status_code == 503
                assert "make ui" in answer.text
                assert answer.headers["cache-control"] == "no-store"
                assert is_guarded(answer.headers)
            assert browser.get("/assets/main.js").status_code == 404
            assert browser.get("/", params={"token": TOKEN}).headers["location"] == "/"
    finally:
        server.close()
