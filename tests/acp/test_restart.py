"""kill -9 of the server in the middle of prompts: clients of every transport come back and are told the rest.

One server is killed once, with all of these prompts under way; each test looks at one of them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.acp.client import Draft, Remote, Told, answers, calls, chosen, done, ends, said, updates
from tests.acp.editor import Editor
from tests.conftest import Server
from tests.runs.agents import configure

# Works before, during and after the server's absence, in the middle of a text and of a tool's call.
BUSY = """
def words(first, last):
    for n in range(first, last):
        say(f"word-{n} ")

def tools(first, last):
    for n in range(first, last):
        update("tool_call", toolCallId=f"call-{n}", title="Work", status="in_progress")
        update("tool_call_update", toolCallId=f"call-{n}", status="completed")

tools(0, 5); words(1, 101); until("down"); words(101, 201); until("up"); words(201, 301); tools(5, 10)
"""
WORDS = [f"word-{n}" for n in range(1, 301)]
# Ends while no server is there.
CRASHES = "say('a'); until('down'); os._exit(3)"


class Story:
    def __init__(self, server: Server, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.named, self.draft, self.asking = Remote(server, "named"), Draft(server), Remote(server, "asking")
        self.crashing = Remote(server, "crashing")
        self.editor = Editor(folder, "--url", server.url)
        self.session: dict[str, str] = {}
        self.prompt: dict[str, int] = {}
        self.before: dict[str, list[Told]] = {}

    def begin(self, name: str, client: Any, task: str) -> None:
        self.session[name] = client.new(self.folder)
        self.prompt[name] = client.prompt(self.session[name], task)

    def watch(self, name: str, client: Remote, word: str) -> None:
        """Up to a message that says a word, as a client that is cut off there."""
        session_id = self.session[name]
        self.before[name] = client.until(
            lambda message: word in str(message) and session_id in str(message), session_id=session_id
        )

    def whole(self, name: str, client: Remote) -> list[Told]:
        """With what came before the kill, and after it."""
        seen, session_id = self.before[name], self.session[name]
        return seen + client.until(answers(self.prompt[name]), after=seen[-1].id, session_id=session_id)

    def close(self) -> None:
        self.editor.__exit__()
        for remote in (self.named, self.draft, self.asking, self.crashing):
            remote.http.close()


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("killed")
    server = configure(Server(folder / "data", HOLDFAST_DEFAULT_AGENT="scripted")).start()
    story = Story(server, folder)
    try:
        for client in (story.named, story.draft, story.editor, story.crashing):
            client.initialize()
        story.asking.initialize(agent="demo")
        story.begin("asking", story.asking, "tools 1 ask")
        story.begin("crashing", story.crashing, CRASHES)
        for name in ("named", "draft", "editor"):
            story.begin(name, getattr(story, name), BUSY)
        story.watch("asking", story.asking, "session/request_permission")
        story.watch("crashing", story.crashing, "agent_message_chunk")
        for name in ("named", "draft"):
            story.watch(name, getattr(story, name), "word-50 ")
        story.before["editor"] = story.editor.until(lambda message: "word-50 " in str(message))
        server.kill()
        (folder / "down").touch()
        # Said while nobody is there.
        story.prompt["list"] = story.editor.begin("session/list", {"cwd": str(folder)})
        server.start()
        (folder / "up").touch()
        yield story
    finally:
        story.close()
        server.close()


@pytest.mark.parametrize("name", ["named", "draft"])
def test_a_client_in_the_middle_of_a_prompt_is_told_the_rest(story: Story, name: str) -> None:
    client: Remote = getattr(story, name)
    session_id = story.session[name]
    told = story.whole(name, client)
    assert told[-1].message["result"]["stopReason"] == "end_turn"
    uncut = client.until(answers(story.prompt[name]), session_id=session_id)
    assert said(told, session_id) == said(uncut, session_id)
    assert done(told, session_id) == done(uncut, session_id)
    [words] = said(told, session_id).values()
    assert words.split() == WORDS


def test_a_question_from_before_can_be_answered_after_it(story: Story) -> None:
    asked = next(one.message for one in story.before["asking"] if calls("session/request_permission")(one.message))
    story.asking.reply(asked, chosen("allow_once"))
    told = story.whole("asking", story.asking)
    assert "I was allowed to run" in str(said(told, story.session["asking"]))
    assert [one.message["id"] for one in told if calls("session/request_permission")(one.message)] == [asked["id"]]


@pytest.mark.requirement("R128")
def test_an_end_that_came_while_no_server_was_there_is_told(story: Story) -> None:
    session_id = story.session["crashing"]
    for client in (story.named, story.draft, story.asking):
        data = client.until(ends(session_id))[-1].message["params"]["data"]
        assert (data["reason"], data["exit_code"]) == ("error", 3)
    error = story.whole("crashing", story.crashing)[-1].message["error"]
    assert error["data"]["stop_reason"] == "process_exit"


def test_an_editor_notices_nothing(story: Story) -> None:
    session_id = story.session["editor"]
    told = story.before["editor"] + story.editor.until(answers(story.prompt["editor"]))
    assert told[-1].message["result"]["stopReason"] == "end_turn"
    [words] = said(told, session_id).values()
    assert words.split() == WORDS
    calls_ = [update["toolCallId"] for update in updates(told, session_id) if update["sessionUpdate"] == "tool_call"]
    assert len(calls_) == len(set(calls_)) == 10
    is_listed = answers(story.prompt["list"])
    if not any(is_listed(one.message) for one in told):
        told += story.editor.until(is_listed)  # asked again after a while, so it may come behind all else
    [listed] = [one.message for one in told if is_listed(one.message)]
    assert len(listed["result"]["sessions"]) == 5
    assert story.editor.process.poll() is None
