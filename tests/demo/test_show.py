"""What the demo agent shows when its task has no words for it, and how a turn is cancelled."""

import json
import time

import pytest

from tests.demo.speaking import CANCELLED, END_TURN, WAIT, is_permission, is_update, of_kind, text_of

# the usual show


def test_a_plain_prompt_shows_thought_plan_text_and_real_tool_calls(agent, workspace):
    begin = time.monotonic()
    updates, response = agent.turn("Tidy up the \ud83d\ude80 parser")
    assert 1.0 < time.monotonic() - begin < WAIT
    assert response["result"] == END_TURN
    assert len(of_kind(updates, "agent_thought_chunk")) > 3
    assert len(of_kind(updates, "agent_message_chunk")) > 20
    assert all(update["messageId"] for update in updates if update["sessionUpdate"].endswith("_chunk"))
    assert updates[-1]["sessionUpdate"] == "agent_message_chunk"

    states = [[entry["status"] for entry in plan["entries"]] for plan in of_kind(updates, "plan")]
    assert states == [
        ["pending", "pending", "pending"],
        ["in_progress", "pending", "pending"],
        ["completed", "in_progress", "pending"],
        ["completed", "completed", "in_progress"],
        ["completed", "completed", "completed"],
    ]

    calls, ends = of_kind(updates, "tool_call"), of_kind(updates, "tool_call_update")
    assert [call["kind"] for call in calls] == ["edit", "read", "execute"]
    assert [call["toolCallId"] for call in calls] == [end["toolCallId"] for end in ends]
    assert {end["status"] for end in ends} == {"completed"}
    assert all("rawInput" in call for call in calls)
    assert all("rawOutput" in end for end in ends)

    note = workspace / "holdfast-demo.md"
    assert "Tidy up the 🚀 parser" in note.read_text()
    for diff in (calls[0]["content"][0], ends[0]["content"][0]):
        assert diff == {"type": "diff", "path": str(note), "oldText": None, "newText": note.read_text()}
    assert ends[1]["content"][0]["content"]["text"] == note.read_text()
    assert "holdfast-demo.md" in ends[2]["content"][0]["content"]["text"]
    assert calls[2]["rawInput"]["command"] == "ls -la"
    assert ends[2]["rawOutput"]["exitCode"] == 0

    answer = text_of(updates)
    assert "> Tidy up the 🚀 parser" in answer
    assert "wrote `holdfast-demo.md`" in answer
    assert "earlier task" not in answer


def test_the_next_task_of_a_session_edits_its_own_note(agent, workspace):
    agent.turn("slow 0.1 one")
    before = (workspace / "holdfast-demo.md").read_text()
    updates, _ = agent.turn("slow 0.1 two")
    assert [path.name for path in workspace.iterdir()] == ["holdfast-demo.md"]
    assert of_kind(updates, "tool_call")[0]["content"][0]["oldText"] == before
    assert (workspace / "holdfast-demo.md").read_text().startswith(before)
    assert "I remember 1 earlier task of this session; the last one was “slow 0.1 one”" in text_of(updates)


def test_it_never_writes_over_what_it_did_not_write(agent, workspace):
    (workspace / "holdfast-demo.md").write_text("mine")
    (workspace / "holdfast-demo-2.md").symlink_to(workspace / "nowhere")
    agent.turn("slow 0.1")
    assert (workspace / "holdfast-demo-3.md").exists()
    (workspace / "holdfast-demo-3.md").write_text("changed by the user")
    agent.turn("slow 0.1")
    assert (workspace / "holdfast-demo.md").read_text() == "mine"
    assert not (workspace / "nowhere").exists()
    assert (workspace / "holdfast-demo-3.md").read_text() == "changed by the user"
    assert (workspace / "holdfast-demo-4.md").exists()


def test_it_does_not_write_over_what_appears_or_changes_while_it_works(agent, workspace):
    note = workspace / "holdfast-demo.md"
    for text in ("appeared", "changed"):
        # It writes after a good quarter of that; the file must be there before.
        number = agent.prompt("slow 12")
        agent.until(is_update("agent_thought_chunk"))
        note.write_text(text)
        end = agent.until(is_update("tool_call_update"))[-1]["params"]["update"]
        assert end["status"] == "failed"
        assert note.read_text() == text
        agent.cancel()
        agent.response(number)
        note.unlink()
        agent.turn("slow 0.1")  # so that in the second round the file is the session's own


def test_a_tool_call_that_cannot_work_fails_and_the_turn_goes_on(agent, workspace):
    workspace.rmdir()
    updates, response = agent.turn("slow 0.1")
    assert response["result"] == END_TURN
    assert {end["status"] for end in of_kind(updates, "tool_call_update")} == {"failed"}
    assert "could not write" in text_of(updates)


@pytest.mark.parametrize(
    "prompt", ["", "   ", "a" * 10_000, "\ud800 lone", "line\nline\r\n> *x*", "日本語のプロンプト"]
)
def test_any_text_can_be_a_prompt(agent, prompt):
    assert agent.turn(prompt + " slow 0.1")[1]["result"] == END_TURN


# cancelling


@pytest.mark.parametrize(
    ("prompt", "moment"),
    [
        ("a plain task, but slow 60", is_update("agent_thought_chunk")),
        ("flood 2000 slow 600", is_update("agent_message_chunk")),
        ("tools 2000 slow 600", is_update("tool_call")),
        ("flood 10000000", is_update("agent_message_chunk")),
        ("ask", is_permission),
    ],
)
def test_a_cancel_ends_the_turn_at_once_and_the_next_prompt_works(agent, prompt, moment):
    number = agent.prompt(prompt)
    agent.until(moment)
    agent.cancel()
    assert agent.response(number)[-1]["result"] == CANCELLED
    assert agent.turn("flood 3")[1]["result"] == END_TURN


def test_a_cancel_right_behind_its_prompt_is_noticed(agent):
    number = 99
    agent.methods[number] = "session/prompt"
    params = {"sessionId": agent.session, "prompt": [{"type": "text", "text": "slow 600"}]}
    lines = [
        {"jsonrpc": "2.0", "id": number, "method": "session/prompt", "params": params},
        {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": agent.session}},
    ]
    agent.send_line(b"\n".join(json.dumps(line).encode() for line in lines))
    assert agent.response(number)[-1]["result"] == CANCELLED


def test_a_cancelled_turn_leaves_no_tool_call_at_work(agent):
    number = agent.prompt("ask")
    agent.until(is_permission)
    agent.cancel()
    end, response = agent.response(number)
    assert end["params"]["update"]["status"] == "failed"
    assert response["result"] == CANCELLED


def test_a_cancel_for_another_session_is_not_ours(agent, workspace):
    other = agent.call("session/new", cwd=str(workspace), mcpServers=[])["result"]["sessionId"]
    number = agent.prompt("slow 0.5 flood 5")
    agent.send({"method": "session/cancel", "params": {"sessionId": other}})
    assert agent.response(number)[-1]["result"] == END_TURN
