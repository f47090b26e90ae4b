"""An agent that uses Holdfast, from the start of a session to its second task, in every way in which it can."""

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.mcp.tools import MODES, Way, connected, entries

pytestmark = pytest.mark.anyio

# What tells an agent nothing.
SILENT = {
    *("session_connect", "session_disconnect", "agent_start", "agent_update"),
    *("conversation_turn", "thinking", "todo_update", "usage"),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["stdio", "http"])
async def test_a_session_is_started_watched_answered_and_given_its_next_task(
    house: Server, local: Client, way: Way, mode: str
) -> None:
    async with connected(house, way, mode=mode) as tools:
        started = await tools.call("start_session", task="ask", project_id=f"shop-{way}-{mode}")
        session_id = started["session_id"]
        assert started["after"] == 0
        asked = await tools.digests(session_id, to="requests")
        [request] = asked[-1]["requests"]
        assert (asked[-1]["status"], request["type"]) == ("waiting", "permission_request")
        assert (request["session_id"], request["tool_name"]) == (session_id, "execute")
        assert request["tool_input"].startswith('{"command":"touch ')
        assert request["options"][0]["kind"] == "allow_once"
        assert asked[-1]["waiting_on"]["kind"] == "person"
        answered = await tools.call(
            "answer", session_id=session_id, request_id=request["request_id"], decision="allow_once"
        )
        assert answered["session_id"] == session_id
        ended = await tools.digests(session_id, asked[-1]["next_after"])
        assert ended[-1]["status"] == "complete"
        assert (ended[-1]["end"]["stop_reason"], ended[-1]["end"]["terminated_by"]) == ("success", "agent")

        second = await tools.call("start_session", task="stderr 2 crash 3", project_id=f"shop-{way}-{mode}")
        assert second == {"session_id": session_id, "after": ended[-1]["next_after"]}, "the project's next run"
        crashed = await tools.digests(session_id, second["after"])
        end = crashed[-1]["end"]
        assert (end["stop_reason"], end["reason"], end["exit_code"]) == ("process_exit", "error", 3)
        assert end["stderr"].count("\n") >= 1

        third = await tools.call("send_task", session_id=session_id, task="Say hello")
        greeted = await tools.digests(session_id, third["after"], until="done")
        assert {entry["kind"] for entry in entries(greeted)} == {"message", "end"}
        told = entries([*asked, *ended, *crashed])
    # What was watched in pieces is what the log has, each entry once.
    history = {event["sequence"]: event for event in local.history(session_id) if event["sequence"] <= third["after"]}
    sequences = [entry["sequence"] for entry in told]
    assert sequences == sorted(set(sequences))
    untold = {event["type"] for number, event in history.items() if number not in sequences}
    assert untold <= SILENT
    assert set(sequences) <= history.keys()
    kinds = [entry["kind"] for entry in told]
    assert (kinds[0], kinds.count("end"), kinds.count("task")) == ("task", 2, 2)
    assert {"permission_request", "answer", "tool_call", "tool_result", "message"} <= set(kinds)
