"""Claude Code gets a task's files in the form that it can take."""

import base64

import pytest

from holdfast.agents.acp_calls import CannotStart
from holdfast.agents.claude_options import prompt_of
from holdfast.agents.interface import GivenFile, Task


def told(*files: GivenFile):
    task = Task(session_id="s", agent="claude", text="Look", shown="Look", command=[], cwd="/", files=list(files))
    return prompt_of(task, is_fresh=False)


def test_pictures_are_shown_and_other_files_named(tmp_path):
    picture, table = tmp_path / "a.png", tmp_path / "b.csv"
    picture.write_bytes(b"\x89PNG\xff")
    text, blocks = told(
        GivenFile(path=str(picture), name="a.png", media_type="image/png"),
        GivenFile(path=str(table), name="b.csv", media_type="text/csv"),
    )
    assert text == f"Look\n\nAttached files:\n- {table}"
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(b"\x89PNG\xff").decode()}
    assert blocks == [{"type": "image", "source": source}]


def test_a_picture_that_is_gone_is_named_and_ends_the_start(tmp_path):
    gone = GivenFile(path=str(tmp_path / "1-a.png"), name="a.png", media_type="image/png")
    with pytest.raises(CannotStart, match=r"the attached file 'a\.png' cannot be read: No such file"):
        told(gone)
