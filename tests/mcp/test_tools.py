"""Every tool: what it says of itself, what it does, and how it refuses."""

from pathlib import Path
from typing import Any

import jsonschema_rs
import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

from tests.client import Client
from tests.conftest import Server
from tests.mcp.tools import Tools, connected, entries

pytestmark = pytest.mark.anyio

READING = ["watch_session", "list_sessions", "show_session", "read_session", "list_waiting", "list_agents"]
WORKING = ["start_session", "send_task", "answer", "cancel_session", "pause_session", "resume_session", "fork_session"]
LONG = "tools 2 slow 600"


async def names(tools: Tools) -> set[str]:
    return {tool.name for tool in (await tools.client.list_tools()).tools}


async def test_each_tool_says_what_it_takes_and_answers(house: Server) -> None:
    async with connected(house) as tools:
        listed = (await tools.client.list_tools()).tools
        assert "start_session" in (tools.client.instructions or "")
    assert {tool.name for tool in listed} == {*READING, *WORKING}
    for tool in listed:
        assert tool.title
        assert tool.description
        for schema in (tool.input_schema, tool.output_schema):
            assert schema is not None
            jsonschema_rs.meta.validate(schema)
            assert schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        hints = tool.annotations
        assert hints is not None
        assert hints.read_only_hint == (tool.name in READING)
        assert not (hints.read_only_hint and hints.destructive_hint)


async def test_a_client_may_be_given_fewer_tools(house: Server) -> None:
    async with connected(house, "stdio", flags=["--read-only"]) as tools:
        assert await names(tools) == set(READING)
        with pytest.raises(MCPError, match=r"There is no tool 'cancel_session' here; there are: watch_session") as told:
            await tools.client.call_tool("cancel_session", {"session_id": "x"})
        assert told.value.error.code == types.INVALID_PARAMS
    async with connected(house, "stdio", flags=["--no-answer"]) as tools:
        assert await names(tools) == {*READING, *WORKING} - {"answer"}


async def test_a_run_is_paused_resumed_and_cancelled(house: Server) -> None:
    async with connected(house) as tools:
        session_id = await tools.start(LONG)
        paused = await tools.call("pause_session", session_id=session_id)
        assert (paused["status"], paused["stop_reason"]) == ("paused", "paused")
        resumed = await tools.call("resume_session", session_id=session_id, how="rerun", max_turns=50)
        assert resumed == {"session_id": session_id, "after": paused["head"]}
        cancelled = await tools.call("cancel_session", session_id=session_id)
        assert (cancelled["status"], cancelled["runs"]) == ("cancelled", 2)
        assert cancelled["end"]["terminated_by"] == "daemon"
        assert await tools.call("cancel_session", session_id=session_id) == cancelled, "again changes nothing"


async def test_a_session_is_forked_if_its_agent_can(house: Server, local: Client, tmp_path: Path) -> None:
    (tmp_path / "forks").touch()
    cannot = local.run_task("tools 1")
    session_id = local.run_task("One way", agent="echoing", workspace=str(tmp_path))
    local.end_of(cannot)
    local.end_of(session_id)
    async with connected(house) as tools:
        code, detail = await tools.refused("fork_session", session_id=cannot, task="The other way")
        assert (code, "'demo'" in detail) == ("unsupported", True)
        forked = await tools.call("fork_session", session_id=session_id, task="The other way", run=1)
        assert (forked["session_id"] != session_id, forked["after"]) == (True, 0)
        [*_, ended] = await tools.digests(forked["session_id"])
        assert ended["end"]["stop_reason"] == "success"
        assert (await tools.call("show_session", session_id=forked["session_id"]))["forked_from"] == session_id


async def test_a_question_is_answered_by_its_items(house: Server) -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"type": "string", "enum": ["red", "blue"]}},
        "required": ["colour"],
    }
    params = {"sessionId": "scripted", "mode": "form", "message": "Which one?", "requestedSchema": schema}
    async with connected(house) as tools:
        task = f"say(repr(ask('elicitation/create', {params!r})['result']))"
        session_id = await tools.start(task, agent="scripted")
        [*_, asked] = await tools.digests(session_id, to="requests")
        [question] = asked["requests"]
        assert (question["type"], question["text"]) == ("question", "Which one?")
        [item] = question["questions"]
        waiting = await tools.call("list_waiting")
        assert question in waiting["requests"]
        request = {"session_id": session_id, "request_id": question["request_id"]}
        code, detail = await tools.refused("answer", **request, answers={item["id"]: "green"})
        assert (code, item["id"] in detail) == ("bad_request", True)
        await tools.call("answer", **request, answers={item["id"]: "blue"})
        code, _ = await tools.refused("answer", **request, answers={item["id"]: "red"})
        assert code == "already_answered"
        [message] = [
            entry
            for entry in entries(await tools.digests(session_id, asked["next_after"]))
            if entry["kind"] == "message"
        ]
    assert "'blue'" in message["text"]


async def test_a_log_is_read_in_pieces_of_any_size_and_texts_are_cut_to_any_width(house: Server, local: Client) -> None:
    session_id = local.run_task("tools 3 " + "x" * 3000)
    local.end_of(session_id)
    async with connected(house) as tools:
        whole = await tools.call("read_session", session_id=session_id, max_chars=100_000, thinking=True)
        assert "next_after" not in whole
        assert whole["head"] == local.record(session_id)["head"]
        for limit in (1, 3):
            after: int | None = 0
            pieces: list[dict[str, Any]] = []
            while after is not None:
                page = await tools.call(
                    "read_session", session_id=session_id, after=after, limit=limit, max_chars=100_000, thinking=True
                )
                assert len(page["entries"]) <= limit
                pieces += page["entries"]
                after = page.get("next_after")
            assert pieces == whole["entries"]
        cut = await tools.call("read_session", session_id=session_id, max_chars=10)
        assert cut["entries"][0]["text"] == (
            "tools 3 xx… [3008 characters; read_session(after=0, limit=1, max_chars=100000)]"
        )
        first = await tools.call("read_session", session_id=session_id, after=0, limit=1, max_chars=100_000)
        assert first["entries"][0]["text"] == "tools 3 " + "x" * 3000


async def test_sessions_are_listed_a_page_at_a_time_and_shown(house: Server, local: Client) -> None:
    made = [local.run_task(f"tools 1 of the lighthouse {number}") for number in range(3)]
    for session_id in made:
        local.end_of(session_id)
    async with connected(house) as tools:
        first = await tools.call("list_sessions", q="lighthouse", limit=2)
        rest = await tools.call("list_sessions", q="lighthouse", limit=2, before=first["next"])
        assert [line["session_id"] for line in first["sessions"] + rest["sessions"]] == made[::-1]
        assert "next" not in rest
        assert (await tools.call("list_sessions", q="lighthouse", status=["failed"]))["sessions"] == []
        shown = await tools.call("show_session", session_id=made[0])
        assert shown == {**first["sessions"][0], **shown, "session_id": made[0]}
        record = local.record(made[0])
        assert {name: shown[name] for name in ("workspace", "head", "created_at", "status", "agent")} == {
            name: record[name] for name in ("workspace", "head", "created_at", "status", "agent")
        }
        assert shown["end"]["stop_reason"] == "success"


async def test_the_agents_and_profiles_there_are_can_be_asked_for(house: Server) -> None:
    async with connected(house) as tools:
        found = await tools.call("list_agents")
    agents = {agent["name"]: agent for agent in found["agents"]}
    assert (agents["demo"]["installed"], agents["demo"]["default"]) == (True, True)
    assert agents["missing"]["installed"] is False
    assert found["profiles"][0] == "standard", "the default comes first"
    assert "trusting" in found["profiles"]


@pytest.mark.parametrize(
    ("name", "arguments", "code", "says"),
    [
        ("show_session", {"session_id": "none"}, "not_found", "'none'"),
        ("show_session", {}, "bad_request", "missing required field `session_id`"),
        ("show_session", {"session_id": 7}, "bad_request", "at `$.session_id`, not 7"),
        ("show_session", {"session_id": "x", "colour": 1}, "bad_request", "unknown field `colour`"),
        ("watch_session", {"session_id": "none"}, "not_found", "'none'"),
        ("watch_session", {"session_id": "x", "wait_s": 3600}, "bad_request", "<= 60.0 - at `$.wait_s`, not 3600"),
        ("watch_session", {"session_id": "x", "until": "noon"}, "bad_request", "not 'noon'"),
        ("read_session", {"session_id": "none"}, "not_found", "'none'"),
        ("read_session", {"session_id": "x", "after": -1}, "bad_request", "at `$.after`, not -1"),
        ("list_sessions", {"status": ["asleep"]}, "bad_request", "'asleep'"),
        ("list_sessions", {"before": "yesterday"}, "bad_request", "yesterday"),
        ("start_session", {"task": ""}, "bad_request", "length >= 1 - at `$.task`, not ''"),
        ("start_session", {"task": "x", "agent": "nobody"}, "unknown_agent", "'nobody'"),
        ("start_session", {"task": "x", "profile": "lax"}, "unknown_profile", "'lax'"),
        ("start_session", {"task": "x", "workspace": "/nowhere/at/all"}, "bad_workspace", "/nowhere/at/all"),
        ("start_session", {"task": "x", "max_turns": 0}, "bad_request", "at `$.max_turns`, not 0"),
        ("send_task", {"session_id": "none", "task": "x"}, "not_found", "'none'"),
        ("resume_session", {"session_id": "none"}, "not_found", "'none'"),
        ("fork_session", {"session_id": "none", "task": "x"}, "not_found", "'none'"),
        ("answer", {"session_id": "none", "request_id": "r", "decision": "deny"}, "not_found", "'none'"),
        ("cancel_session", {"session_id": "none"}, "not_found", "'none'"),
        ("pause_session", {"session_id": "../../health"}, "not_found", "/../../health/pause"),
    ],
)
async def test_what_cannot_be_done_is_refused_with_a_code_and_the_value(
    house: Server, name: str, arguments: dict[str, Any], code: str, says: str
) -> None:
    async with connected(house) as tools:
        found, detail = await tools.refused(name, **arguments)
    assert found == code
    assert says in detail


async def test_a_session_that_is_at_work_takes_no_task_and_one_that_is_complete_nothing_to_resume(
    house: Server, local: Client
) -> None:
    done = local.run_task("tools 1")
    head = local.end_of(done)["sequence"]
    busy = local.run_task(LONG, project_id="taken")
    async with connected(house) as tools:
        assert (await tools.refused("send_task", session_id=busy, task="More"))[0] == "session_busy"
        assert (await tools.refused("start_session", task="More", project_id="taken"))[0] == "project_busy"
        assert (await tools.refused("resume_session", session_id=done))[0] == "not_resumable"
        code, detail = await tools.refused("watch_session", session_id=done, after=head + 1)
        assert (code, detail) == (
            "bad_request",
            f"after={head + 1} lies behind the log's end; the last sequence is {head}",
        )
    local.post(f"/sessions/{busy}/cancel")
