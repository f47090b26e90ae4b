"""An agent of Holdfast that uses the tools: it can start others, and not act on the session that it works in."""

import sys

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.mcp.tools import connected

pytestmark = pytest.mark.anyio


async def test_an_agent_cannot_answer_or_stop_itself(house: Server, local: Client) -> None:
    own = local.run_task("ask")
    request = local.until(own, "permission_request")["data"]["request_id"]
    async with connected(house, "stdio", environ={"HOLDFAST_SESSION_ID": own}) as tools:
        for name, what, arguments in (
            ("answer", "answer its own requests", {"request_id": request, "decision": "allow_once"}),
            ("cancel_session", "cancel itself", {}),
            ("pause_session", "pause itself", {}),
            ("resume_session", "resume itself", {}),
            ("send_task", "give itself a task", {"task": "x"}),
            ("fork_session", "fork itself", {"task": "x"}),
        ):
            refused = await tools.refused(name, session_id=own, **arguments)
            said = f"This agent works in the session {own} itself, and cannot {what}; a person can"
            assert refused == ("own_session", said)
        assert (await tools.call("show_session", session_id=own))["status"] == "waiting", "it may look at itself"
        other = await tools.start("tools 2 slow 600")
        assert (await tools.call("cancel_session", session_id=other))["status"] == "cancelled"
    local.post(f"/sessions/{own}/cancel")


async def test_what_an_agent_starts_knows_which_session_it_works_for(house: Server, local: Client) -> None:
    """The real chain: server, keeper, agent, and a child of the agent's that got nothing of its environment."""
    code = "from holdfast.mcp.own import own_session_id as own; print(own())"
    task = f"import subprocess; say(subprocess.check_output([{sys.executable!r}, '-c', {code!r}], env={{}}).decode())"
    session_id = local.run_task(task, agent="scripted")
    local.end_of(session_id)
    said = [event["data"]["text"] for event in local.history(session_id) if event["type"] == "message"]
    assert said == [f"{session_id}\n"]
