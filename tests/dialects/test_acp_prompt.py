"""A prompt's content blocks as a task."""

import base64
from typing import Any

import pytest

from holdfast.dialects.acp_prompt import work_of
from holdfast.errors import BadRequest

PNG = base64.b64encode(b"png").decode()


def test_texts_and_links_are_the_task_in_their_order() -> None:
    text, files = work_of(
        [
            {"type": "text", "text": "Look at "},
            {"type": "resource_link", "name": "a.py", "uri": "file:///x/a.py"},
            {"type": "text", "text": " and "},
            {"type": "resource_link", "uri": "file:///x/b%20c.py"},
        ]
    )
    assert text == "Look at [@a.py](file:///x/a.py) and [@b c.py](file:///x/b%20c.py)"
    assert files == []


def test_a_text_that_is_no_address_is_a_name() -> None:
    text, [file] = work_of(
        [
            {"type": "resource_link", "uri": "http://[::1"},
            {"type": "resource", "resource": {"uri": "file://[x", "text": "?"}},
        ]
    )
    assert text == "[@http://[::1](http://[::1)[@file://[x](file://[x)"
    assert file.name == "file://[x"


def test_contents_and_images_are_files() -> None:
    text, files = work_of(
        [
            {"type": "resource", "resource": {"uri": "file:///x/a.md", "text": "Hä?", "mimeType": "text/markdown"}},
            {"type": "resource", "resource": {"uri": "file:///x/b.bin", "blob": PNG}},
            {"type": "image", "data": PNG, "mimeType": "image/png"},
        ]
    )
    assert text == "[@a.md](file:///x/a.md)[@b.bin](file:///x/b.bin)"
    assert [(file.name, file.media_type) for file in files] == [
        ("a.md", "text/markdown"),
        ("b.bin", "application/octet-stream"),
        ("image-3.png", "image/png"),
    ]
    assert base64.b64decode(files[0].data).decode() == "Hä?"


def test_an_image_alone_is_a_task() -> None:
    text, [file] = work_of([{"type": "image", "data": PNG, "mimeType": "image/png", "uri": "file:///x/shot.png"}])
    assert text == "See the attached files."
    assert file.name == "shot.png"


@pytest.mark.parametrize(
    ("blocks", "word"),
    [
        ([], "says nothing"),
        ([{"type": "text", "text": " \n"}], "says nothing"),
        ([{"type": "text"}], "Block 1 of the prompt has no text"),
        (
            [{"type": "text", "text": "x"}, {"type": "audio", "data": ""}],
            "Block 2 of the prompt is of the type 'audio'",
        ),
        (["x"], "None"),
        ([{"type": "resource", "resource": {"text": "x"}}], "no uri"),
        ([{"type": "image", "data": PNG}] * 51, "51 files"),
        ([{"type": "text", "text": "x" * 1_000_001}], "1000001 characters"),
    ],
)
def test_what_is_no_prompt_is_refused_by_name(blocks: list[Any], word: str) -> None:
    with pytest.raises(BadRequest, match=word):
        work_of(blocks)
