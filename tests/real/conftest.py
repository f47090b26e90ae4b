"""What the tests with real agents share: the scripted API that stands for the models, and the agents' settings."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.models.client import Models
from tests.real import agents
from tests.real.acp import AcpClient
from tests.real.agents import AgentTable

# What a developer has set for agents of their own must reach none of ours: keys least of all.
_FOREIGN = ("ANTHROPIC_", "CLAUDE", "CODEX_", "GOOSE_", "OPENAI_", "IS_SANDBOX")


@pytest.fixture(scope="session", autouse=True)
def _own_environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(_FOREIGN):
                patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def models_process() -> Iterator[Models]:
    api = Models().start()
    yield api
    api.stop()


@pytest.fixture
def models(models_process: Models) -> Models:
    """The scripted API, shared; a test sees the requests that came since it began."""
    return models_process.since_now()


@pytest.fixture
def own_models() -> Iterator[Models]:
    """A scripted API of this test's own, which it may stop and start again."""
    api = Models().start()
    yield api
    api.stop()


@pytest.fixture
def claude_environment(tmp_path: Path, models: Models) -> Callable[..., dict[str, str]]:
    """claude_environment(NAME=value …): the variables that point Claude Code at the scripted API."""
    return lambda **more: agents.claude_environment(tmp_path / "agents", more.pop("url", models.url), **more)


@pytest.fixture
def claude_agent(tmp_path: Path, models: Models) -> Callable[..., AgentTable]:
    """claude_agent(NAME=value …): the table [agents.claude] of a server's settings."""
    return lambda **more: agents.claude_agent(tmp_path / "agents", more.pop("url", models.url), **more)


@pytest.fixture
def codex_agent(tmp_path: Path, models: Models) -> Callable[..., AgentTable]:
    """codex_agent(NAME=value …): the table [agents.codex] of a server's settings."""
    return lambda **more: agents.codex_agent(tmp_path / "agents", more.pop("url", models.url), **more)


@pytest.fixture
def goose_agent(tmp_path: Path, models: Models) -> Callable[..., AgentTable]:
    """goose_agent(NAME=value …): the table [agents.goose] of a server's settings."""
    return lambda **more: agents.goose_agent(tmp_path / "agents", more.pop("url", models.url), **more)


@pytest.fixture(params=["codex", "goose"])
def agent(request: pytest.FixtureRequest) -> AgentTable:
    """Each of the real ACP agents; whoever asks for it is run with both."""
    return request.getfixturevalue(f"{request.param}_agent")()


@pytest.fixture
def spoken(tmp_path: Path) -> Iterator[Callable[..., AcpClient]]:
    """spoken(agent): an agent that was started and initialised, to be spoken to directly."""
    clients: list[AcpClient] = []

    def speak(agent: AgentTable, **more: str) -> AcpClient:
        work = tmp_path / "work"
        work.mkdir(exist_ok=True)
        clients.append(AcpClient(agent, work, **more))
        clients[-1].initialize()
        return clients[-1]

    yield speak
    for client in clients:
        client.kill()


@pytest.fixture(scope="module")
def claude_server(tmp_path_factory: pytest.TempPathFactory, models_process: Models) -> Iterator[Server]:
    """One server for the tests of a file that neither stop it nor count what is in it; its agent is Claude Code."""
    # A silence that a test can wait for, and what no agent may see.
    more = {"HOLDFAST_STALL_S": "1", "DEPLOY_TOKEN": "correct-horse-battery-staple"}
    with agents.serving_claude(tmp_path_factory.mktemp("claude"), models_process.url, **more) as server:
        yield server


@pytest.fixture
def claude(claude_server: Server) -> Iterator[Client]:
    """A client of the server whose agent is Claude Code."""
    with claude_server.client() as client:
        yield client
