"""The words by which a task tells the demo agent what to do, and how to misbehave."""

import json
import os
import signal
import time

import pytest

from tests.demo.speaking import END_TURN, SILENCE, is_update, of_kind, text_of


@pytest.mark.parametrize(
    ("prompt", "wanted", "seconds"),
    [
        ("Crash", ["crash 1"], None),
        ("crash 0 CRASH 999", ["crash 0", "crash 255"], None),
        ("stderr flood tools", ["stderr 10", "flood 1000", "tools 100"], None),
        ("flood 0 tools 99999999999", ["flood 1", "tools 10000000"], None),
        ("flood " + "9" * 6000, ["flood 10000000"], None),
        ("please ask, then hang.", ["ask", "hang"], None),
        ("slow flood 5", ["flood 5"], 10),
        ("tools 2 slow 99999", ["tools 2"], 3600),
        ("slow 0.5", [], 0.5),
        ("flood -5", ["flood 1000"], None),
        ("flood\n7.", ["flood 7"], None),
        ("crash SIGNIFICANT", ["crash 1"], None),
        ("crashed src/crash crash.py crash-test task asks slowly _hang", [], None),
    ],
)
def test_words_are_read_with_their_numbers(prompt, wanted, seconds):
    from holdfast.demo.words import read

    acts, slow = read(prompt)
    assert ([str(act) for act in acts], slow) == (wanted, seconds)


@pytest.mark.parametrize(("prompt", "code"), [("crash", 1), ("crash 3", 3), ("crash 0", 0), ("crash 255", 255)])
def test_crash_exits_with_its_code_and_a_traceback(agent, prompt, code):
    agent.prompt(prompt)
    assert agent.exit_code() == code
    assert agent.stderr.read_text().startswith("Traceback (most recent call last):\n")
    assert agent.line() == b""


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSEGV", "SIGINT", "SIGTERM", "SIGPIPE", "sigabrt"])
def test_crash_with_a_signal_dies_of_it(agent, workspace, name):
    agent.prompt(f"stubborn crash {name}")
    assert agent.exit_code() == -signal.Signals[name.upper()]
    assert list(workspace.iterdir()) == []


def test_crash_with_a_signal_that_does_not_kill_ends_all_the_same(agent):
    agent.prompt("crash SIGWINCH")
    assert agent.exit_code() == 128 + signal.SIGWINCH


def test_stderr_writes_numbered_lines(agent):
    updates, response = agent.turn("stderr 25000")
    assert response["result"] == END_TURN
    assert agent.stderr.read_text() == "".join(f"line {n}\n" for n in range(1, 25001))
    assert len(updates) == 1


def test_a_flood_is_whole_and_in_order(agent):
    updates, response = agent.turn("flood 5000")
    assert response["result"] == END_TURN
    *flood, final = updates
    assert [update["content"]["text"] for update in flood] == [f"word-{n} " for n in range(1, 5001)]
    assert len({update["messageId"] for update in flood}) == 1
    assert final["messageId"] != flood[0]["messageId"]
    assert final["content"]["text"] == "Done: `flood 5000`."


def test_tool_calls_that_do_nothing_have_distinct_ids_and_are_completed(agent):
    updates, response = agent.turn("tools 1000 tools 500")
    assert response["result"] == END_TURN
    more, _ = agent.turn("tools 10")
    calls = of_kind(updates + more, "tool_call")
    ends = of_kind(updates + more, "tool_call_update")
    ids = [call["toolCallId"] for call in calls]
    assert len(set(ids)) == 1510
    assert [end["toolCallId"] for end in ends] == ids
    assert {end["status"] for end in ends} == {"completed"}
    kinds = [update["sessionUpdate"] for update in updates[:4]]
    assert kinds == ["tool_call", "tool_call_update"] * 2


@pytest.mark.parametrize("prompt", ["slow 1 flood 10 tools 10", "flood 10 tools 10 slow 1"])
def test_slow_spreads_the_work_evenly_over_its_seconds(agent, prompt):
    took = []
    while len(took) < 5 and max(took, default=0) <= 0.5:  # who was stopped meanwhile finds all of it at once
        sent = time.monotonic()
        *messages, response = agent.response(agent.prompt(prompt))
        assert response["result"] == END_TURN
        times = agent.arrived[-len(messages) - 1 :]
        for step, moment in enumerate(times[:10], 1):  # the deltas; none comes before its time
            assert moment - sent > step / 20 - 0.02
        for step, moment in enumerate(times[10:30:2], 11):  # the calls
            assert moment - sent > step / 20 - 0.02
        assert times[0] < times[9] < times[28]
        took.append(times[28] - times[0])
    assert max(took) > 0.5


def test_slow_delays_a_crash(agent):
    begin = time.monotonic()
    agent.prompt("slow 0.5 crash 7")
    assert agent.exit_code() == 7
    assert time.monotonic() - begin > 0.5


def test_hang_answers_nothing_and_ignores_a_cancel_but_dies_of_sigterm(agent):
    agent.prompt("flood 1 hang flood 1")
    assert agent.message()["params"]["update"]["content"]["text"] == "word-1 "
    agent.cancel()
    agent.request("session/list")
    agent.send_line(b"x" * 1_000_000)  # more than a pipe holds: it still reads
    assert agent.line(SILENCE) is None
    os.kill(agent.pid, signal.SIGTERM)
    assert agent.exit_code() == -signal.SIGTERM


def test_garbage_is_really_garbage_and_then_it_goes_on(agent):
    number = agent.prompt("flood 1 garbage flood 1")
    assert is_update("agent_message_chunk")(agent.message())
    lines = [agent.line() for _ in range(10)]
    parsed = []
    for line in lines:
        try:
            parsed.append(json.loads(line))
        except ValueError:
            parsed.append(None)
    assert b"\xff" in lines[1]
    assert parsed[0] is None
    assert parsed[1] is None
    assert parsed[2:5] == [[1, 2, 3], 42, None]
    assert lines[5].startswith(b'{"jsonrpc"')
    assert parsed[5] is None
    assert "id" not in parsed[6]
    assert parsed[7]["id"] == "garbage-1"
    assert parsed[8]["result"] == {}
    assert parsed[9]["params"]["update"]["sessionUpdate"] == "unheard_of"
    agent.send({"id": "garbage-1", "error": {"code": -32601, "message": "what?"}})
    *updates, response = agent.response(number)
    assert response["result"] == END_TURN
    assert updates[0]["params"]["update"]["content"]["text"] == "word-1 "


def test_words_are_done_in_the_order_in_which_they_stand(agent):
    updates, response = agent.turn("First tools 1, then flood 1, then tools 1 again; stderr 1.")
    assert response["result"] == END_TURN
    assert [update["sessionUpdate"] for update in updates] == [
        "tool_call",
        "tool_call_update",
        "agent_message_chunk",
        "tool_call",
        "tool_call_update",
        "agent_message_chunk",
    ]
    assert text_of(updates[-1:]) == "Done: `tools 1`, `flood 1`, `tools 1`, `stderr 1`."
