"""Claude Code behind an ACP client: a real agent's edits, permissions and questions, and a fork."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.acp.client import INITIALIZE, Remote, Told, answers, calls, chosen, said, updates
from tests.conftest import Server
from tests.models.actions import Call, Say, Shell
from tests.models.client import Models

COLOUR = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Red", "description": "A warm colour"}, {"label": "Blue", "description": "A cool colour"}],
}
FORMS = {**INITIALIZE, "clientCapabilities": {"elicitation": {"form": {}}}}


class Conversation:
    """A run with a permission and a question, each answered as a client answers it, and a fork of the session."""

    def __init__(self, remote: Remote, models: Models, folder: Path) -> None:
        self.remote = remote
        self.introduction = remote.initialize(FORMS, agent="claude")["result"]
        self.session_id = remote.new(folder)
        assert "result" in remote.ask("session/set_mode", {"sessionId": self.session_id, "modeId": "careful"})
        script = models.add(
            [
                [Shell(command="touch given.txt")],
                [Call(tool="AskUserQuestion", input={"questions": [COLOUR]})],
                [Say(text="Blue it is.")],
            ]
        )
        prompt = remote.prompt(self.session_id, f"Paint it {script}")
        permission = remote.until(calls("session/request_permission"))
        self.permission = permission[-1].message
        remote.reply(self.permission, chosen("allow_once"))
        question = remote.until(calls("elicitation/create"), after=permission[-1].id)
        self.question = question[-1].message
        remote.reply(self.question, {"action": "accept", "content": {"Which colour?": "Blue"}})
        rest = remote.until(answers(prompt), after=question[-1].id)
        self.told: list[Told] = [*permission, *question, *rest]
        fork = {"sessionId": self.session_id, "cwd": str(folder), "mcpServers": []}
        self.fork: str = remote.ask("session/fork", fork)["result"]["sessionId"]
        again = remote.prompt(self.fork, f"Once more {models.add([[Say(text='And green.')]])}")
        self.forked = remote.until(answers(again), after=rest[-1].id)


@pytest.fixture(scope="module")
def conversation(
    claude_server: Server, models_process: Models, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Conversation]:
    with Remote(claude_server, "claude") as remote:
        yield Conversation(remote, models_process, tmp_path_factory.mktemp("work"))


def test_what_it_asks_is_asked_and_answered(conversation: Conversation) -> None:
    call: dict[str, Any] = conversation.permission["params"]["toolCall"]
    assert call["kind"] == "execute"
    assert call["rawInput"]["command"] == "touch given.txt"
    shape = conversation.question["params"]["requestedSchema"]["properties"]["Which colour?"]
    assert [choice["const"] for choice in shape["oneOf"]] == ["Red", "Blue"]
    assert conversation.told[-1].message["result"]["stopReason"] == "end_turn"
    assert "Blue it is." in said(conversation.told, conversation.session_id).values()
    results = [
        update for update in updates(conversation.told, conversation.session_id) if update.get("status") == "completed"
    ]
    assert "Blue" in str(results[-1]["rawOutput"]), "the agent has heard it"


def test_a_session_is_forked_with_its_first_prompt(conversation: Conversation, claude_server: Server) -> None:
    assert conversation.introduction["agentCapabilities"]["sessionCapabilities"]["fork"] == {}
    assert conversation.forked[-1].message["result"]["stopReason"] == "end_turn"
    assert "And green." in said(conversation.forked, conversation.fork).values()
    with claude_server.client() as client:
        log = client.history(conversation.fork)
    [origin] = [event["data"] for event in log if event["type"] == "forked"]
    assert origin["from_session_id"] == conversation.session_id
