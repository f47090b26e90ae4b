"""Sessions of the demo agent that outlive its process."""

import os

from tests.demo.speaking import of_kind, text_of


def test_load_replays_the_history_before_its_answer_in_a_new_process(agent, start, workspace):
    first, _ = agent.turn("slow 0.1 one")
    second, _ = agent.turn("flood 3 tools 2 two")
    agent.process.kill()

    later = start()
    *replayed, answer = later.response(
        later.request("session/load", sessionId=agent.session, cwd=str(workspace), mcpServers=[])
    )
    assert answer["result"] == {}
    replay = [message["params"]["update"] for message in replayed]
    assert text_of(replay, "user_message_chunk") == "slow 0.1 oneflood 3 tools 2 two"
    assert text_of(replay, "agent_thought_chunk") == text_of(first, "agent_thought_chunk")
    assert text_of(replay) == text_of(first) + text_of(second)
    ids = [call["toolCallId"] for call in of_kind(first + second, "tool_call")]
    assert [call["toolCallId"] for call in of_kind(replay, "tool_call")] == ids
    assert of_kind(replay, "plan") == of_kind(first, "plan")[-1:]
    assert [update["sessionUpdate"] for update in replay].index("user_message_chunk") == 0

    later.session = agent.session
    updates, _ = later.turn("slow 0.1 three")
    assert "I remember 2 earlier tasks" in text_of(updates)
    assert not set(ids) & {call["toolCallId"] for call in of_kind(updates, "tool_call")}


def test_resume_does_not_replay_and_remembers_all_the_same(agent, start, workspace):
    agent.turn("slow 0.1 one")
    agent.process.kill()
    later = start()
    number = later.request("session/resume", sessionId=agent.session, cwd=str(workspace), mcpServers=[])
    assert later.message() == {"id": number, "result": {}}
    later.session = agent.session
    assert "I remember 1 earlier task " in text_of(later.turn("slow 0.1 two")[0])


def test_a_task_that_crashed_is_remembered_but_not_what_it_said(agent, start, workspace):
    agent.prompt("flood 5 crash")
    assert agent.exit_code() == 1
    later = start()
    *replayed, _ = later.response(later.request("session/load", sessionId=agent.session, cwd=str(workspace)))
    assert [message["params"]["update"]["content"]["text"] for message in replayed] == ["flood 5 crash"]


def test_half_a_line_that_a_kill_left_behind_is_cut_off(agent, start, workspace, tmp_path):
    agent.turn("flood 1")
    agent.process.kill()
    [file] = (tmp_path / "state").iterdir()
    with file.open("ab") as stored:
        stored.write(b'{"sessionUpdate":"agent_mess')
    later = start()
    later.session = agent.session
    for tasks in (1, 2):
        *replayed, answer = later.response(later.request("session/load", sessionId=agent.session, cwd=str(workspace)))
        assert answer["result"] == {}
        updates = [message["params"]["update"] for message in replayed]
        assert len(of_kind(updates, "user_message_chunk")) == tasks
        later.turn("flood 1")


def test_the_history_of_a_flood_is_bounded(agent, workspace):
    agent.turn("tools 3000 flood 10")
    *replayed, _ = agent.response(agent.request("session/load", sessionId=agent.session, cwd=str(workspace)))
    assert len(replayed) <= 1001
    agent.turn("flood 100000")
    *replayed, _ = agent.response(agent.request("session/load", sessionId=agent.session, cwd=str(workspace)))
    text = text_of([message["params"]["update"] for message in replayed])
    assert text.startswith("word-1 word-2 ")
    assert len(text) == 1024 * 1024


def test_a_session_that_cannot_be_stored_is_an_error_and_not_the_end(agent, tmp_path):
    for file in (tmp_path / "state").iterdir():
        file.unlink()
    (tmp_path / "state").rmdir()
    for _ in range(2):
        assert agent.call("session/prompt", sessionId=agent.session, prompt=[])["error"]["code"] == -32603
    (tmp_path / "state").write_text("no folder")
    assert agent.call("session/new", cwd=agent.cwd, mcpServers=[])["error"]["code"] == -32603


def test_list_tells_of_the_stored_sessions(agent, start, workspace, tmp_path):
    agent.turn("flood 1")
    (tmp_path / "state" / "foreign.jsonl").write_text("x")
    later = start()
    [info] = later.call("session/list")["result"]["sessions"]
    assert info["sessionId"] == agent.session
    assert info["cwd"] == str(workspace)
    assert info["title"] == "flood 1"
    assert later.call("session/list", cwd="/elsewhere")["result"]["sessions"] == []


def test_sessions_go_where_xdg_wants_them_unless_told_otherwise():
    from holdfast.demo.store import state_folder

    assert state_folder({"HOLDFAST_DEMO_STATE": "/a", "XDG_STATE_HOME": "/b"}) == "/a"
    assert state_folder({"XDG_STATE_HOME": "/b"}) == "/b/holdfast-demo"
    assert state_folder({"XDG_STATE_HOME": "b"}) == os.path.expanduser("~/.local/state/holdfast-demo")
