"""Files that come with a task: named in the log, put where the agent can read them, and nowhere else."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.runs.agents import configure

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
# The scripted agent says what came with its prompt, beside the text.
SHOW = "say(json.dumps(message['params']['prompt'][1:]))"


@pytest.fixture(scope="module")
def post_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = configure(Server(tmp_path_factory.mktemp("post") / "data"))
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def sender(post_office: Server) -> Iterator[Client]:
    with post_office.client() as client:
        yield client


def attached(name: str, content: bytes, media_type: str | None = None) -> dict[str, str]:
    given = {"name": name, "data": base64.b64encode(content).decode()}
    return given if media_type is None else {**given, "media_type": media_type}


def send(client: Client, *attachments: dict[str, Any], task: str = SHOW, **config: object) -> Any:
    config = {"agent": "scripted", **config}
    return client.post("/sessions/run", json={"task": task, "config": config, "attachments": list(attachments)})


def got(client: Client, session_id: str) -> list[dict[str, Any]]:
    """What the agent got in the last run."""
    events = client.follow(session_id)
    assert events[-1]["data"]["stop_reason"] == "success", events[-1]
    return json.loads([event["data"]["full_text"] for event in events if event["data"].get("full_text")][-1])


def path_of(block: dict[str, Any]) -> Path:
    uri = block.get("uri") or block["resource"]["uri"]
    assert uri.startswith("file:///")
    return Path(uri.removeprefix("file://"))


def test_files_are_named_in_the_log_and_stand_where_the_agent_can_read_them(
    sender: Client, post_office: Server
) -> None:
    text, picture = attached("notes.txt", b"Hello\n", "text/plain"), attached("view.png", PNG, "image/png")
    anything = attached("data.bin", b"\x00\xff")
    session_id = send(sender, text, picture, anything).json()["session_id"]
    blocks = got(sender, session_id)
    [message] = [event["data"] for event in sender.history(session_id) if event["type"] == "user_message"]
    assert message == {
        "text": SHOW,
        "attachments": [
            {"name": "notes.txt", "media_type": "text/plain", "size": 6},
            {"name": "view.png", "media_type": "image/png", "size": len(PNG)},
            {"name": "data.bin", "media_type": "application/octet-stream", "size": 2},
        ],
    }
    assert [(block["type"], block["name"], block["mimeType"]) for block in blocks] == [
        ("resource_link", "notes.txt", "text/plain"),
        ("resource_link", "view.png", "image/png"),
        ("resource_link", "data.bin", "application/octet-stream"),
    ]
    assert [path_of(block).read_bytes() for block in blocks] == [b"Hello\n", PNG, b"\x00\xff"]
    own = post_office.data / "sessions" / session_id
    assert all(path_of(block).is_relative_to(own) for block in blocks)
    assert list(Path(sender.record(session_id)["workspace"]).glob("*.txt")) == [], "the workspace is the user's"
    # Of other users of the machine nobody can look into them.
    assert own.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "name",
    [
        "../../../../etc/passwd",
        "/etc/passwd",
        "..\\..\\windows\\system32",
        "..",
        ".",
        "/",
        ".ssh/authorized_keys",
        "a\x00b",
        "new\nline",
        "x" * 500,
        "ü" * 300,
        "😀.txt",
        "a;rm -rf ~ `id` $(id).txt",
        "con%2F..%2Fx",
        " ",
    ],
)
def test_whatever_a_file_is_called_it_stays_in_its_folder(sender: Client, post_office: Server, name: str) -> None:
    answer = send(sender, attached(name, b"x"), attached(name, b"y"))
    assert answer.status_code == 200, answer.text
    session_id = answer.json()["session_id"]
    folder = post_office.data / "sessions" / session_id / "attachments" / "1"
    blocks = got(sender, session_id)
    assert [block["name"] for block in blocks] == [name, name], "it is still called what it is called"
    found = sorted(folder.iterdir())
    assert [file.read_bytes() for file in found] == [b"x", b"y"], "two of a name are two files"
    assert [file.resolve().parent for file in found] == [folder.resolve()] * 2


def test_each_run_has_its_own_files(sender: Client) -> None:
    session_id = send(sender, attached("a.txt", b"first")).json()["session_id"]
    first = got(sender, session_id)
    answer = sender.post(
        f"/sessions/{session_id}/task", json={"task": SHOW, "attachments": [attached("a.txt", b"second")]}
    )
    assert answer.status_code == 200
    second = got(sender, session_id)
    sender.next_task(session_id, SHOW)
    assert got(sender, session_id) == []
    assert [path_of(block).read_bytes() for block in (*first, *second)] == [b"first", b"second"]


def test_a_task_that_is_done_again_has_its_files_again(sender: Client) -> None:
    task = f"{SHOW}\nif not Path('now').exists(): os._exit(3)"
    session_id = send(sender, attached("a.txt", b"first"), task=task).json()["session_id"]
    assert sender.end_of(session_id)["data"]["stop_reason"] == "process_exit"
    # To go on is no Python, and so this agent's end.
    sender.post(f"/sessions/{session_id}/resume", json={"how": "continue"})
    assert sender.end_of(session_id)["data"]["stop_reason"] == "process_exit"
    Path(sender.record(session_id)["workspace"], "now").touch()
    assert sender.post(f"/sessions/{session_id}/resume", json={"how": "rerun"}).status_code == 200
    [block] = got(sender, session_id)
    assert path_of(block).read_bytes() == b"first"
    shown = [event["data"].get("resume") for event in sender.history(session_id) if event["type"] == "user_message"]
    assert shown == [None, "continue", "rerun"]


WRONG = [
    # attachments, what the detail must name
    ([{"name": "a.txt", "data": "not base64!"}], "a.txt"),
    ([{"name": "a.txt", "data": "QQ="}], "a.txt"),
    ([{"name": "a.txt", "data": "QQ=="}, {"name": "b.txt", "data": "QQ==\n"}], "b.txt"),
    ([{"name": "a.txt"}], "data"),
    ([{"data": "QQ=="}], "name"),
    ([{"name": "", "data": "QQ=="}], "name"),
    ([{"name": "x" * 501, "data": "QQ=="}], "name"),
    ([{"name": "a", "data": "QQ==", "media_type": "text"}], "media_type"),
    ([{"name": "a", "data": "QQ==", "media_type": "text/plain\r\nx: y"}], "media_type"),
    ([{"name": "a", "data": "QQ==", "path": "/etc/passwd"}], "path"),
    ([{"name": "a", "data": 7}], "data"),
    ({"name": "a", "data": "QQ=="}, "attachments"),
    ([{"name": "a", "data": "QQ=="}] * 51, "attachments"),
]


@pytest.mark.parametrize(("attachments", "named"), WRONG, ids=[str(given)[:60] for given, _ in WRONG])
def test_files_that_are_none_are_refused_by_name_and_nothing_is_started(
    sender: Client, post_office: Server, attachments: Any, named: str
) -> None:
    folders = set((post_office.data / "sessions").glob("*"))
    answer = sender.post("/sessions/run", json={"task": SHOW, "attachments": attachments})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), answer.text
    assert named in answer.json()["detail"]
    assert len(answer.json()["detail"]) < 2_000
    assert set((post_office.data / "sessions").glob("*")) == folders


def test_fifty_files_and_many_megabytes_are_taken(sender: Client) -> None:
    files = [attached(f"{number}.bin", bytes([number]) * 400_000) for number in range(50)]
    session_id = send(sender, *files).json()["session_id"]
    blocks = got(sender, session_id)
    assert [path_of(block).read_bytes()[:1] for block in blocks] == [bytes([number]) for number in range(50)]
    assert [path_of(block).stat().st_size for block in blocks] == [400_000] * 50
