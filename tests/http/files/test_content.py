"""One file of a session's workspace: as an attachment, or as a text to look at, and never as a page of ours."""

import itertools
import os
import socket
from pathlib import Path
from urllib.parse import unquote

from holdfast.sessions import files
from tests.conftest import TOKEN, Server
from tests.http.files.conftest import Place
from tests.processes import eventually

# Loops, since each session costs a keeper.
NAMES = ["plain.txt", "with space.html", "ümläut – 项目.svg", 'quote".js', "a;b=c", "-rf", "...x", "new\nline"]


def test_a_file_comes_as_an_attachment_and_as_nothing_that_a_browser_would_show(place: Place) -> None:
    body = bytes(range(256)) * 5000
    for name in NAMES:
        place.put(f"sub/{name}", body)
        answer = place.get(f"sub/{name}")
        assert (answer.status_code, answer.content) == (200, body)
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("sandbox;")
        disposition = answer.headers["content-disposition"]
        assert disposition.isascii()
        kind, _, encoded = disposition.partition("; filename*=UTF-8''")
        assert (kind, unquote(encoded)) == ("attachment", name)
        head = place.client.head(f"/sessions/{place.session_id}/files/content", params={"path": f"sub/{name}"})
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-disposition"] == disposition


def test_a_file_that_is_too_large_is_refused_before_it_is_read(place: Place) -> None:
    with (place.root / "large").open("wb") as file:
        file.truncate(files.DOWNLOAD_BYTES + 1)
    answer = place.get("large")
    assert (answer.status_code, answer.json()["code"]) == (413, "file_too_large")


def test_a_client_that_leaves_in_the_middle_leaves_no_open_file(house: Server, place: Place) -> None:
    with (place.root / "large").open("wb") as file:
        file.truncate(files.DOWNLOAD_BYTES)

    def is_open() -> bool:
        held = []
        for descriptor in Path(f"/proc/{house.pid}/fd").iterdir():
            try:
                held.append(os.readlink(descriptor))
            except OSError:
                continue
        return str(place.root / "large") in held

    with socket.create_connection(("127.0.0.1", house.port), timeout=10) as connection:
        path = f"/api/v1/sessions/{place.session_id}/files/content?path=large&token={TOKEN}"
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        connection.recv(1000)
        assert is_open()
    eventually(lambda: not is_open())


TEXTS = [
    "",
    "plain\n",
    "Ümläut – 项目 🎉\r\n",
    "<script>alert(1)</script>",
    "\x1b[31mred\x1b[0m",
]


def test_a_text_can_be_looked_at_and_is_nothing_but_text(place: Place) -> None:
    for text in TEXTS:
        place.put("text.html", text.encode())
        answer = place.get("text.html", **{"as": "text"})
        assert (answer.status_code, answer.content.decode()) == (200, text)
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("sandbox;")
        assert "x-holdfast-truncated" not in answer.headers


def test_of_a_long_text_the_beginning_is_shown_in_whole_characters(place: Place) -> None:
    for character, shift in itertools.product("aü项🎉", range(4)):
        place.put("long.txt", b"x" * shift + character.encode() * (files.TEXT_BYTES + 1))
        answer = place.get("long.txt", **{"as": "text"})
        assert answer.status_code == 200
        assert set(answer.text) <= {"x", character}
        assert files.TEXT_BYTES - 4 < len(answer.content) <= files.TEXT_BYTES
        assert answer.headers["x-holdfast-truncated"] == "true"
    place.put("long.txt", b"x" * files.TEXT_BYTES)
    assert "x-holdfast-truncated" not in place.get("long.txt", **{"as": "text"}).headers


def test_what_is_no_text_is_not_shown_as_one(place: Place) -> None:
    for content in (b"\x89PNG\r\n\x1a\n\0\0", b"a\0b", b"caf\xe9", b"\xff\xfea\0", b"ends in \xc3"):
        place.put("binary", content)
        answer = place.get("binary", **{"as": "text"})
        assert (answer.status_code, answer.json()["code"]) == (415, "not_text")
        assert place.get("binary").content == content


def test_a_wrong_query_is_refused(place: Place) -> None:
    for query in ({}, {"path": ""}, {"path": "x", "as": "html"}, {"path": "a\0b"}, {"path": "x", "colour": "blue"}):
        answer = place.client.get(f"/sessions/{place.session_id}/files/content", params=query)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), query
