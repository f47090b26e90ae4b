"""A session that could not be connected ahead of its task leaves nothing behind."""

import asyncio
from pathlib import Path

import pytest
import structlog

from holdfast.agent_settings import AgentSettings
from holdfast.config import Settings
from holdfast.keeper.messages import Hello
from holdfast.sessions.agents import Agents
from holdfast.sessions.keepers import Keepers
from holdfast.sessions.session import Session
from holdfast.sessions.warm import WarmPool
from tests.processes import eventually
from tests.programs import claude_program

pytestmark = pytest.mark.anyio


async def nobody(_hello: Hello) -> Session | None:
    return None


async def test_the_folders_of_one_that_could_not_be_started_are_removed(tmp_path: Path) -> None:
    program = claude_program(tmp_path / "opt", {})
    settings = Settings(data=tmp_path, agents={"claude": AgentSettings(kind="claude", command=(str(program),))})
    (tmp_path / "runs").write_text("no keeper's folder can be made in a file")
    pool = WarmPool(settings, Agents(settings), Keepers(tmp_path, nobody))
    made = tmp_path / "sessions"
    with structlog.testing.capture_logs() as logged:
        pool.prepare("claude", None)
        # Not before it has failed: the folder is empty also in the moment before its own one is made.
        await asyncio.to_thread(eventually, lambda: logged and not list(made.iterdir()), 30, "its folder is gone")
    assert [line["event"] for line in logged] == ["a session could not be prepared"]
    assert pool.close() == []
