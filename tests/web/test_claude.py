"""What only Claude Code can do, in the browser: a call that is changed before it is allowed, its questions, a fork."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.conftest import Server
from tests.models.actions import Call, Say, Shell
from tests.models.client import Models
from tests.real.agents import serving_claude
from tests.real.test_claude_permissions import COLOUR, SIZES
from tests.web.talking import settle, started, transcript

# So long may it take on a busy machine until Claude Code has started and said something.
STARTED = 60_000


@pytest.fixture(scope="module")
def models() -> Iterator[Models]:
    api = Models().start()
    yield api
    api.stop()


@pytest.fixture(scope="module")
def claude_server(tmp_path_factory: pytest.TempPathFactory, models: Models) -> Iterator[Server]:
    with serving_claude(tmp_path_factory.mktemp("claude"), models.url) as server:
        yield server


def asking(server: Server, task: str, kind: str, workspace: Path) -> str:
    """A session that has come to its question; to start Claude Code may take longer than anything on a page."""
    session_id = started(server, task, profile="careful", workspace=str(workspace))
    with server.client() as client:
        client.until(session_id, kind)
    return session_id


@pytest.mark.requirement("R182")
def test_a_command_is_changed_before_it_is_allowed_and_runs_so(claude_server, models, visit, tmp_path):
    task = models.add([[Shell(command="touch given.txt")], [Say(text="That was all.")]])
    page = visit(claude_server, f"/sessions/{asking(claude_server, task, 'permission_request', tmp_path)}")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("textbox", name="Change before allowing").fill("touch changed.txt")
    page.get_by_role("button", name="Allow with changes").click()
    settle(page)
    assert (tmp_path / "changed.txt").exists()
    assert not (tmp_path / "given.txt").exists()


def test_questions_are_a_form_and_what_is_answered_reaches_the_model(claude_server, models, visit, tmp_path):
    task = models.add(
        [[Call(tool="AskUserQuestion", input={"questions": [COLOUR, SIZES]})], [Say(text="That was all.")]]
    )
    page = visit(claude_server, f"/sessions/{asking(claude_server, task, 'question', tmp_path)}")
    page.get_by_role("radio", name="Blue").check()
    page.get_by_role("checkbox", name="Large").check()
    page.get_by_role("button", name="Send answer").click()
    settle(page)
    asked = [request for request in models.requests() if request.script in task][-1]
    told = [message.text for message in asked.messages if message.role == "tool"][-1]
    assert "Blue" in told
    assert "Large" in told
    assert "Red" not in told


def test_a_session_is_forked_after_an_earlier_run(claude_server, models, visit, tmp_path):
    session_id = started(claude_server, models.add([[Say(text="I am one.")]]), workspace=str(tmp_path))
    page = visit(claude_server, f"/sessions/{session_id}")
    settle(page)
    with claude_server.client() as client:
        client.next_task(session_id, models.add([[Say(text="I am two.")]]))
    expect(transcript(page)).to_contain_text("I am two.", timeout=STARTED)
    expect(page.locator("[data-row=end]")).to_have_count(2)
    page.get_by_role("button", name="More commands").click()
    page.get_by_role("button", name="Fork…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox").select_option(index=1)
    other = models.add([[Say(text="I went another way.")]])
    dialog.get_by_role("textbox", name="Task").fill(other)
    dialog.get_by_role("button", name="Fork").click()
    expect(transcript(page)).to_contain_text("I went another way.", timeout=STARTED)
    assert session_id not in page.url
    asked = [request for request in models.requests() if request.script in other][-1]
    told = [message.text for message in asked.messages if message.role == "assistant"]
    assert told == ["I am one."]
