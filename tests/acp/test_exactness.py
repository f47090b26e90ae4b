"""Whoever is cut off and comes back with its last id is told exactly the rest, over both transports."""

import random
from pathlib import Path

import pytest

from tests.acp.client import Message, Remote, Told, answers, done, said
from tests.client import Client

TASK = "slow 1.2 flood 300 tools 12"


def read_with_cuts(remote: Remote, session_id: str, prompt: int, chance: random.Random) -> tuple[list[Told], int]:
    """Leaves the stream again and again, each time after a few messages, in the middle of the prompt."""
    found: list[Told] = []
    cuts = 0
    while not found or not answers(prompt)(found[-1].message):
        left = chance.randint(1, 12)
        with remote.stream(found[-1].id if found else None, session_id) as stream:
            for told in stream:
                found.append(told)
                left -= 1
                if left == 0 or answers(prompt)(told.message):
                    break
        cuts += 1
    return found, cuts


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_reader_that_is_cut_off_at_random_is_told_what_one_that_was_not_is_told(
    remote: Remote, tmp_path: Path, seed: int
) -> None:
    session_id = remote.new(tmp_path)
    prompt = remote.prompt(session_id, TASK)
    found, cuts = read_with_cuts(remote, session_id, prompt, random.Random(seed))
    assert cuts > 3
    whole = remote.until(answers(prompt), session_id=session_id)
    assert said(found, session_id) == said(whole, session_id)
    assert done(found, session_id) == done(whole, session_id)
    [text, _] = said(found, session_id).values()
    assert text.split() == [f"word-{n}" for n in range(1, 301)]


def test_what_is_told_is_what_the_log_says(remote: Remote, client: Client, tmp_path: Path) -> None:
    session_id = remote.new(tmp_path)
    prompt = remote.prompt(session_id, "A note, please")
    told = remote.until(answers(prompt), session_id=session_id)
    log = client.history(session_id)
    texts = [event["data"]["full_text"] for event in log if event["type"] in ("message", "thinking")]
    assert list(said(told, session_id).values()) == texts
    assert _calls(told) == [
        (event["type"], event["data"]["tool_id"]) for event in log if event["type"] in ("tool_start", "tool_complete")
    ]
    assert told[-1].message["result"]["stopReason"] == "end_turn"
    assert log[-1]["type"] == "agent_complete"


def test_a_client_that_was_away_for_the_whole_prompt_is_told_all_of_it(
    remote: Remote, client: Client, tmp_path: Path
) -> None:
    session_id = remote.new(tmp_path)
    prompt = remote.prompt(session_id, "tools 3")
    assert client.end_of(session_id)["type"] == "agent_complete"
    told = remote.until(answers(prompt), session_id=session_id)
    assert len(_calls(told)) == 6
    assert told[-1].message["result"]["stopReason"] == "end_turn"


def test_an_id_of_nowhere_is_the_beginning(remote: Remote, tmp_path: Path) -> None:
    session_id = remote.new(tmp_path)
    prompt = remote.prompt(session_id, "tools 1")
    whole = remote.until(answers(prompt), session_id=session_id)
    for strange in ("", "7", "ffffffff;1=99", "%;=~", f"{whole[-1].id.partition(';')[0]};1=999999"):
        with_it = remote.until(answers(prompt), after=strange, session_id=session_id)
        assert done(with_it, session_id) == done(whole, session_id)


def test_a_prompt_that_is_sent_again_because_its_answer_was_lost_is_worked_on_once(
    remote: Remote, client: Client, tmp_path: Path
) -> None:
    session_id = remote.new(tmp_path)
    prompt = remote.prompt(session_id, "tools 1")
    message: Message = {
        "jsonrpc": "2.0",
        "id": prompt,
        "method": "session/prompt",
        "params": {"sessionId": session_id, "prompt": [{"type": "text", "text": "tools 1"}]},
    }
    for _ in range(3):
        assert remote.post(message, session_id).status_code == 202
    told = remote.until(answers(prompt), session_id=session_id)
    assert remote.post(message, session_id).status_code == 202
    second = remote.prompt(session_id, "tools 2")
    rest = remote.until(answers(second), after=told[-1].id, session_id=session_id)
    assert [one.message for one in rest if answers(prompt)(one.message)] == []
    assert client.record(session_id)["runs"] == 2


def _calls(told: list[Told]) -> list[tuple[str, str]]:
    names = {"tool_call": "tool_start", "tool_call_update": "tool_complete"}
    found = [one.message["params"]["update"] for one in told if one.message.get("method") == "session/update"]
    return [
        (names[update["sessionUpdate"]], update["toolCallId"]) for update in found if update["sessionUpdate"] in names
    ]
