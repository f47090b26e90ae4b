"""An answer that the agent does not take in time: its client is told, and nothing that was answered is lost."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.acp.client import Remote, answers, calls, chosen, ends
from tests.acp.sockets import Socket, opened
from tests.client import Client
from tests.conftest import Server
from tests.runs.agents import note_of


@contextlib.contextmanager
def standing_still(server: Server, session_id: str) -> Iterator[None]:
    """The session's keeper takes nothing, and with it the agent; a machine that is out of memory looks so."""
    note = note_of(server, session_id)
    assert note is not None
    os.kill(note["pid"], signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(note["pid"], signal.SIGCONT)


def test_over_http_the_answer_is_to_be_given_again(
    house: Server, client: Client, remote: Remote, tmp_path: Path
) -> None:
    session_id = remote.new(tmp_path)
    prompted = remote.prompt(session_id, "ask")
    asked = remote.until(calls("session/request_permission"), session_id=session_id)[-1].message
    answer = {"jsonrpc": "2.0", "id": asked["id"], "result": chosen("allow_once")}
    with standing_still(house, session_id):
        refused = remote.post(answer, session_id)
        assert refused.status_code == 503, refused.text
        assert "did not take the answer; try again" in refused.text
    # The keeper may have found the first one by now; then the second says nothing new.
    assert remote.post(answer, session_id).status_code == 202
    told = remote.until(answers(prompted), session_id=session_id)
    assert told[-1].message["result"]["stopReason"] == "end_turn"
    [resolved] = [one for one in client.history(session_id) if one["type"] == "permission_resolved"]
    assert resolved["data"]["decision"] == "allow_once"


def test_a_socket_is_closed_and_who_comes_back_finds_the_request_or_its_answer(
    house: Server, client: Client, tmp_path: Path
) -> None:
    with opened(house) as connection:
        first = Socket(connection)
        session_id, asked = first.asked(tmp_path, "ask")
        with standing_still(house, session_id):
            first.say({"jsonrpc": "2.0", "id": asked["id"], "result": chosen("allow_once")})
            with pytest.raises(ConnectionClosed) as closed:
                first.until(ends(session_id))
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
    with opened(house) as connection:
        assert "result" in Socket(connection).loaded(session_id, tmp_path)[-1]
    assert client.end_of(session_id)["data"]["stop_reason"] == "success"
    [resolved] = [one for one in client.history(session_id) if one["type"] == "permission_resolved"]
    assert resolved["data"]["decision"] == "allow_once"
