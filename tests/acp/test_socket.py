"""/acp as a WebSocket: the whole conversation on one socket."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.acp.client import INITIALIZE, answers, calls, chosen, ends, request
from tests.acp.sockets import Socket, opened, prompt
from tests.client import Client
from tests.conftest import TOKEN, Server
from tests.processes import eventually


@pytest.fixture
def socket(house: Server) -> Iterator[Socket]:
    with opened(house) as connection:
        socket = Socket(connection)
        socket.ask(0, "initialize", INITIALIZE)
        yield socket


def test_a_session_from_its_beginning_to_its_end(socket: Socket, tmp_path: Path) -> None:
    assert socket.socket.response is not None
    assert len(socket.socket.response.headers["Acp-Connection-Id"]) == 32
    session_id = socket.ask(1, "session/new", {"cwd": str(tmp_path), "mcpServers": []})["result"]["sessionId"]
    socket.socket.send(b"\x00\x01")  # a binary frame means nothing
    socket.say(request(2, "session/prompt", prompt(session_id, "ask")))
    asked = socket.until(calls("session/request_permission"))[-1]
    socket.say({"jsonrpc": "2.0", "id": asked["id"], "result": chosen("allow_once")})
    told = socket.until(answers(2))
    assert told[-1]["result"]["stopReason"] == "end_turn"
    assert "I was allowed to run" in str(told)
    assert socket.until(ends(session_id))[-1]["params"]["data"]["reason"] == "completed"


def test_a_cancel_on_the_same_socket(socket: Socket, tmp_path: Path) -> None:
    session_id = socket.ask(1, "session/new", {"cwd": str(tmp_path), "mcpServers": []})["result"]["sessionId"]
    socket.say(request(2, "session/prompt", prompt(session_id, "tools 2 slow 600")))
    socket.say({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session_id}})
    assert socket.until(answers(2))[-1]["result"]["stopReason"] == "cancelled"


def test_a_socket_that_breaks_leaves_the_work_alone_and_another_can_load_it(
    house: Server, client: Client, tmp_path: Path
) -> None:
    with opened(house) as connection:
        session_id, _ = Socket(connection).asked(tmp_path, "tools 1 ask")
        connection.socket.close()
    with opened(house) as connection:
        second = Socket(connection)
        assert "tools 1 ask" in str(second.loaded(session_id, tmp_path)[0])
        asked = second.until(calls("session/request_permission"))[-1]
        second.say({"jsonrpc": "2.0", "id": asked["id"], "result": chosen("allow_once")})
        assert second.until(ends(session_id))[-1]["params"]["data"]["reason"] == "completed"
    assert client.record(session_id)["status"] == "complete"


def test_a_socket_begins_with_initialize_and_survives_what_is_no_message(house: Server) -> None:
    with opened(house) as connection:
        socket = Socket(connection)
        assert socket.ask(1, "session/list", {})["error"]["code"] == -32600
        for text, code in (("{", -32700), ("[]", -32600), ('"x"', -32600)):
            socket.socket.send(text)
            assert socket.until(answers(None))[-1]["error"]["code"] == code, text
        assert socket.ask(2, "initialize", {})["error"]["code"] == -32602
        assert "result" in socket.ask(3, "initialize", INITIALIZE)
        assert socket.ask(4, "no/such", {})["error"]["code"] == -32601
        assert "result" in socket.ask(5, "session/list", {})


def test_who_may_not_come_in_is_told_so_by_a_status(house: Server) -> None:
    url = house.url.replace("http", "ws") + "/acp"
    cookie = f"holdfast_token={TOKEN}"
    for headers, status in (
        ({}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"cookie": cookie, "origin": "https://evil.example"}, 403),
    ):
        with pytest.raises(InvalidStatus) as refused:
            connect(url, additional_headers=headers, open_timeout=30)
        assert refused.value.response.status_code == status
    with connect(url, additional_headers={"cookie": cookie, "origin": house.url}, open_timeout=30) as own:
        assert own.response is not None


def test_a_server_that_stops_tells_how_its_runs_end_and_closes_its_sockets(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = make_server().start()
    with opened(server) as connection:
        socket = Socket(connection)
        socket.ask(0, "initialize", INITIALIZE)
        session_id = socket.ask(1, "session/new", {"cwd": str(tmp_path), "mcpServers": []})["result"]["sessionId"]
        socket.say(request(2, "session/prompt", prompt(session_id, "tools 1 hang")))
        socket.until(calls("session/update"))
        assert server.process is not None
        server.process.terminate()
        told = socket.until(ends(session_id))
        assert told[-1]["params"]["data"]["stop_reason"] == "interrupted"
        assert any(answers(2)(message) for message in told)
        with pytest.raises(Exception, match=r"1001|1012"):
            socket.until(lambda _: False)
    eventually(lambda: server.process is not None and server.process.poll() is not None, 30)
