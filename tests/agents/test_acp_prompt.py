"""A task's files go along with its text in the form that the agent can take."""

import base64
import os

import pytest
from acp import schema

from holdfast.agents.acp_calls import CannotStart
from holdfast.agents.acp_prompt import blocks_of
from holdfast.agents.interface import GivenFile, Task

PICTURES, TEXTS = ["images"], ["embedded_context"]


@pytest.fixture
def given(tmp_path):
    def write(name, content, media_type):
        path = tmp_path / name
        path.write_bytes(content)
        return GivenFile(path=str(path), name=name, media_type=media_type)

    return write


def blocks(*files, can=()):
    task = Task(session_id="s", agent="a", text="Look", shown="Look", command=["a"], cwd="/", files=list(files))
    made = blocks_of(task, can)
    schema.PromptRequest.model_validate({"sessionId": "s", "prompt": made})
    assert made[0] == {"type": "text", "text": "Look"}
    return made[1:]


def test_without_files_there_is_only_the_text():
    assert blocks() == []


def test_a_picture_goes_along_if_the_agent_takes_pictures(given):
    picture = given("a.png", b"\x89PNG\xff", "image/png")
    assert blocks(picture, can=PICTURES) == [
        {"type": "image", "data": base64.b64encode(b"\x89PNG\xff").decode(), "mimeType": "image/png"}
    ]
    [link] = blocks(picture, can=TEXTS)
    assert link == {
        "type": "resource_link",
        "uri": f"file://{picture.path}",
        "name": "a.png",
        "mimeType": "image/png",
    }


@pytest.mark.parametrize(
    "media_type", ["text/plain", "text/x-python; charset=utf-8", "application/json", "image/svg+xml"]
)
def test_a_text_goes_along_if_the_agent_takes_texts(given, media_type):
    file = given("a.txt", "grüße\n".encode(), media_type)
    [block] = blocks(file, can=[*TEXTS, *PICTURES])
    assert block == {
        "type": "resource",
        "resource": {"uri": f"file://{file.path}", "mimeType": media_type, "text": "grüße\n"},
    }
    assert [block["type"] for block in blocks(file, can=PICTURES)] == ["resource_link"]


@pytest.mark.parametrize(
    ("size", "media_type", "type_"),
    [
        (99_999, "text/plain", "resource"),
        (100_000, "text/plain", "resource_link"),
        (5_000_000, "image/png", "image"),
        (5_000_001, "image/png", "resource_link"),
    ],
)
def test_what_is_too_large_goes_as_a_link(given, size, media_type, type_):
    assert blocks(given("a", b"x" * size, media_type), can=[*PICTURES, *TEXTS])[0]["type"] == type_


@pytest.mark.parametrize(
    ("content", "media_type"), [(b"caf\xe9", "text/plain"), (b"%PDF", "application/pdf"), (b"text", "")]
)
def test_what_is_no_text_goes_as_a_link(given, content, media_type):
    assert blocks(given("a", content, media_type), can=[*PICTURES, *TEXTS])[0]["type"] == "resource_link"


def test_a_links_address_is_one_whatever_the_file_is_called(given):
    file = given("a b#c?d%é.zip", b"zip", "application/zip")
    [link] = blocks(file)
    assert link["uri"].endswith("/a%20b%23c%3Fd%25%C3%A9.zip")
    assert link["name"] == "a b#c?d%é.zip"


def test_files_keep_their_order(given):
    files = [given(f"{n}.zip", b"zip", "application/zip") for n in range(5)]
    assert [block["name"] for block in blocks(*files)] == [f"{n}.zip" for n in range(5)]


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    gone = GivenFile(path=str(tmp_path / "gone.txt"), name="notes.txt", media_type="text/plain")
    with pytest.raises(CannotStart, match=r"'notes\.txt' cannot be read: No such file"):
        blocks(gone)


@pytest.mark.requirement("R120")
def test_a_task_whose_file_is_gone_is_no_start(stage, tmp_path):
    files = [{"path": os.fspath(tmp_path / "gone"), "name": "gone", "media_type": "text/plain"}]
    played = stage.play("opened(); stay()", task={"files": files})
    assert played.outcome["stop_reason"] == "start_failed"
    assert "'gone' cannot be read" in played.outcome["message"]
    assert played.events == []
