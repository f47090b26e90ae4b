"""`holdfast acp`: an agent for editors, on stdin and stdout."""

import contextlib
import os
import signal
import socket
from pathlib import Path

import acp
import pytest

from tests.acp.client import answers, calls, chosen, ends, said, updates
from tests.acp.editor import COMMAND, Editor, environment
from tests.acp.sdk import SdkClient
from tests.client import Client
from tests.conftest import Server, free_port
from tests.processes import eventually, is_alive, marked

pytestmark = pytest.mark.anyio


async def test_the_protocols_own_sdk_drives_it(house: Server, client: Client, tmp_path: Path) -> None:
    editor = SdkClient()
    given = environment(tmp_path, HOLDFAST_URL=house.url)
    cwd = str(tmp_path)
    # By itself the SDK kills after 4 s what has not ended with its stdin.
    patient = {"shutdown_timeout": 30}
    async with acp.spawn_agent_process(editor, *COMMAND, env=given, cwd=tmp_path, transport_kwargs=patient) as (
        agent,
        process,
    ):
        told = await agent.initialize(protocol_version=1)
        assert told.agent_info is not None
        assert told.agent_info.title == "Holdfast (demo)"
        opened = await agent.new_session(cwd=cwd, mcp_servers=[])
        answer = await agent.prompt(session_id=opened.session_id, prompt=[acp.text_block("flood 5 ask tools 1")])
        assert answer.stop_reason == "end_turn"
        assert [len(options) for options in editor.asked] == [4]
        kinds = [update.session_update for update in editor.updates]
        assert {"session_info_update", "agent_message_chunk", "tool_call", "tool_call_update"} <= set(kinds)
        record = client.record(opened.session_id)
        assert (record["status"], record["workspace"]) == ("complete", cwd), "it is a session like any other"
        listed = await agent.list_sessions(cwd=cwd)
        assert [entry.session_id for entry in listed.sessions] == [opened.session_id]
        editor.updates.clear()
        await agent.load_session(session_id=opened.session_id, cwd=cwd, mcp_servers=[])
        again = [update for update in editor.updates if update.session_update == "user_message_chunk"]
        assert [update.content.text for update in again] == ["flood 5 ask tools 1"]
        with pytest.raises(acp.RequestError) as refused:
            await agent.prompt(session_id="nowhere", prompt=[acp.text_block("x")])
        assert refused.value.code == -32002
        with pytest.raises(acp.RequestError) as refused:
            await agent.prompt(session_id=opened.session_id, prompt=[acp.text_block("crash 3")])
        assert refused.value.code == -32603
    assert process.returncode == 0
    ended = [
        params["data"]["reason"]
        for method, params in editor.notices
        if method == "sandboxagent/session/ended" and params["session_id"] == opened.session_id
    ]
    assert ended[:1] == ["completed"]


def test_an_editor_that_is_killed_leaves_the_work_alone_and_another_takes_it_up(
    house: Server, client: Client, tmp_path: Path
) -> None:
    with Editor(tmp_path, "--url", house.url, "--agent", "demo") as editor:
        editor.initialize()
        session_id = editor.new(tmp_path)
        editor.prompt(session_id, "tools 2 ask tools 3")
        editor.until(calls("session/request_permission"))
        editor.process.kill()
        editor.process.wait(10)
    assert client.record(session_id)["status"] == "waiting"
    with Editor(tmp_path, "--url", house.url) as editor:
        editor.initialize()
        load = editor.begin("session/load", {"sessionId": session_id, "cwd": str(tmp_path), "mcpServers": []})
        history = editor.until(answers(load))
        assert len([update for update in updates(history, session_id) if update["sessionUpdate"] == "tool_call"]) == 3
        asked = editor.until(calls("session/request_permission"))[-1].message
        editor.say({"jsonrpc": "2.0", "id": asked["id"], "result": chosen("allow_once")})
        rest = editor.until(ends(session_id))
        assert "I was allowed to run" in str(said(rest, session_id))
    assert client.end_of(session_id)["data"]["stop_reason"] == "success"


def test_an_editor_that_closes_ends_the_command_and_not_the_work(house: Server, client: Client, tmp_path: Path) -> None:
    with Editor(tmp_path, "--url", house.url) as editor:
        editor.initialize()
        session_id = editor.new(tmp_path)
        editor.prompt(session_id, "tools 1 ask")
        assert editor.process.stdin is not None
        editor.process.stdin.close()  # while the prompt may not even have been sent
        assert editor.process.wait(30) == 0
    assert editor.stderr == ""
    client.until(session_id, "permission_request")
    assert client.record(session_id)["status"] == "waiting"
    assert client.post(f"/sessions/{session_id}/cancel").status_code == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_command(house: Server, tmp_path: Path, number: signal.Signals) -> None:
    with Editor(tmp_path, "--url", house.url) as editor:
        editor.initialize()
        editor.process.send_signal(number)
        assert editor.process.wait(30) == 0


def test_what_is_no_message_is_answered_and_what_is_refused_says_why(house: Server, tmp_path: Path) -> None:
    with Editor(tmp_path, "--url", house.url, "--agent", "nobody") as editor:
        for garbage, code in ((b"{", -32700), (b"[1]", -32600), (b"5", -32600), (b"\xff", -32700)):
            editor.write(garbage)
            assert editor.until(answers(None))[-1].message["error"]["code"] == code
        editor.write(b"")
        assert "'nobody'" in editor.initialize()["error"]["message"]
    with Editor(tmp_path, "--url", house.url, HOLDFAST_TOKEN="wrong") as editor:
        error = editor.initialize()["error"]
        assert error["code"] == -32000
        assert "--token or HOLDFAST_TOKEN" in error["message"]


def test_where_no_server_is_the_editor_is_told_what_to_do(tmp_path: Path) -> None:
    # Bound and not listening: nobody else can come to be there while it is tried again and again.
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        _check_what_to_do(tmp_path, f"http://127.0.0.1:{nobody.getsockname()[1]}")


def _check_what_to_do(tmp_path: Path, url: str) -> None:
    with Editor(tmp_path, HOLDFAST_URL=url) as editor:
        message = editor.initialize()["error"]["message"]
        assert url in message
        assert "holdfast serve" in message
        # What came by another pipe may be read a moment later.
        eventually(lambda: message in editor.stderr, what="the same words for a person")


def test_without_a_server_one_is_started_that_outlives_the_editor(tmp_path: Path) -> None:
    marker = f"XDG_TEST_MARKER={tmp_path.name}-{os.getpid()}"
    settings = {
        "HOLDFAST_DATA": str(tmp_path / "data"),
        "HOLDFAST_PORT": str(free_port()),
        "HOLDFAST_WARM_SESSIONS": "0",
        "HOLDFAST_AUTH_CHECK": "false",
        "HOLDFAST_TOKEN": "",  # it is to make its own, and the editor to find it
        "XDG_TEST_MARKER": marker.partition("=")[2],
    }
    try:
        with Editor(tmp_path, **settings) as editor:
            editor.initialize()
            session_id = editor.new(tmp_path)
            editor.until(answers(editor.prompt(session_id, "tools 1")))
            eventually(lambda: "one was started" in editor.stderr, what="a word on the server that was started")
            editor.process.kill()
        with Editor(tmp_path, **settings) as editor:
            editor.initialize()
            listed = editor.ask("session/list", {})["result"]["sessions"]
            assert [entry["sessionId"] for entry in listed] == [session_id]
        assert "one was started" not in editor.stderr
    finally:
        left = marked(marker)
        for pid in left:
            with contextlib.suppress(ProcessLookupError):  # an agent may just have ended by itself
                os.kill(pid, signal.SIGTERM)
        eventually(lambda: not any(is_alive(pid) for pid in left), 30)
