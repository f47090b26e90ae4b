"""The rules of both transports over HTTP: statuses, headers, connections."""

import secrets
from typing import Any

import httpx
import pytest

from tests.acp.client import INITIALIZE, Draft, Message, Remote, about, answers, calls, request
from tests.conftest import Server
from tests.dialects.streams import caller

HELLO: Message = request(0, "initialize", INITIALIZE)
LIST: Message = request(1, "session/list", {})
UNKNOWN = "11111111-1111-4111-8111-111111111111"


@pytest.fixture
def http(house: Server) -> Any:
    with caller(house) as client:
        yield client


@pytest.fixture
def draft(house: Server) -> Any:
    with Draft(house) as remote:
        remote.initialize()
        yield remote


# Both


@pytest.mark.parametrize("path", ["/acp", "/v1/acp/x"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_nobody_comes_in_without_a_token(house: Server, method: str, path: str) -> None:
    answer = httpx.request(method, f"{house.url}{path}", headers={"accept": "text/event-stream"}, timeout=30)
    assert answer.status_code == 401
    assert answer.json()["code"] == "unauthorized"


@pytest.mark.parametrize("path", ["/acp", "/v1/acp/x"])
def test_a_batch_is_refused_with_501_and_what_is_no_message_with_400(http: httpx.Client, path: str) -> None:
    assert http.post(path, json=[HELLO]).status_code == 501
    headers = {"content-type": "application/json"}
    for body, word in (
        ("{", "JSON"),
        ('"x"', "no message"),
        ("{}", "jsonrpc"),
        ('{"jsonrpc":"1.0","method":"x"}', "'1.0'"),
        ('{"jsonrpc":"2.0"}', "neither"),
        ('{"jsonrpc":"2.0","id":null,"method":"session/list"}', "null"),
        ('{"jsonrpc":"2.0","id":1.5,"method":"session/list"}', "no message"),
    ):
        answer = http.post(path, content=body, headers=headers)
        assert answer.status_code == 400, body
        assert word in answer.json()["detail"], answer.text


@pytest.mark.parametrize("path", ["/acp", "/v1/acp/x"])
def test_there_is_nothing_but_what_the_transport_has(http: httpx.Client, path: str) -> None:
    answer = http.put(path, json=HELLO)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert http.post(f"{path}?colour=red", json=HELLO).status_code == 400
    assert http.post(f"{path}/more/here", json=HELLO).status_code == 404


@pytest.mark.parametrize("path", ["/acp", "/v1/acp/versions"])
def test_the_newest_version_that_is_spoken_is_offered_and_the_client_decides(http: httpx.Client, path: str) -> None:
    for version in (1, 2, 7):
        answer = http.post(path, json=request(0, "initialize", {**INITIALIZE, "protocolVersion": version}))
        assert answer.json()["result"]["protocolVersion"] == 1


# Of a name that the client chose


def test_a_connection_begins_with_initialize(http: httpx.Client) -> None:
    path = f"/v1/acp/{secrets.token_hex(6)}"
    for method, body in (("POST", LIST), ("DELETE", None)):
        answer = http.request(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert http.post(path, json=HELLO).status_code == 200
    assert http.post(path, json=LIST).status_code == 200
    assert http.delete(path).status_code == 204
    assert http.post(path, json=LIST).status_code == 404


def test_what_initialize_says_must_fit(named: Remote) -> None:
    def refused(params: Any, **query: str) -> Message:
        answer = named.post(request(0, "initialize", params), **query)
        assert answer.status_code == 200
        return answer.json()["error"]

    assert refused({})["code"] == -32602
    assert "protocolVersion" in refused({"protocolVersion": "one"})["message"]
    assert "'nobody'" in refused(INITIALIZE, agent="nobody")["message"]
    assert named.post(LIST).json()["result"], "the connection that was there is not harmed"


def test_a_stream_may_be_opened_before_its_connection(house: Server) -> None:
    with Remote(house, secrets.token_hex(6)) as remote, remote.stream() as stream:
        remote.initialize()
        session_id = remote.new("/tmp")
        prompt = remote.prompt(session_id, "tools 1")
        assert any(answers(prompt)(told.message) for told in stream)


def test_who_initializes_again_begins_anew_and_its_old_stream_ends(house: Server) -> None:
    with Remote(house, secrets.token_hex(6)) as remote:
        first = remote.initialize()
        session_id = remote.new("/tmp")
        with remote.stream() as stream:
            second = remote.initialize()
            assert about(stream, session_id) == []
        assert first["result"]["_meta"] != second["result"]["_meta"]
        prompt = {"sessionId": session_id, "prompt": [{"type": "text", "text": "x"}]}
        assert remote.ask("session/prompt", prompt)["error"]["code"] == -32002, "it is not open here any more"


def test_an_initialize_that_is_sent_again_because_its_answer_was_lost_changes_nothing(named: Remote) -> None:
    assert named.initialize() == named.initialize()


# The draft


def test_initialize_gives_out_the_connection_and_all_else_needs_it(http: httpx.Client) -> None:
    for method, body in (("POST", LIST), ("GET", None), ("DELETE", None)):
        answer = http.request(method, "/acp", json=body, headers={"accept": "application/json, text/event-stream"})
        assert answer.status_code == 400, method
        assert "Acp-Connection-Id" in answer.json()["detail"]
    answer = http.post("/acp", json=HELLO)
    assert answer.status_code == 200
    connection = {"acp-connection-id": answer.headers["acp-connection-id"]}
    assert http.post("/acp", json=HELLO, headers=connection).status_code == 400
    assert http.post("/acp", json=LIST, headers=connection).status_code == 202
    assert http.delete("/acp", headers=connection).status_code == 202
    for method, body in (("POST", LIST), ("GET", None), ("DELETE", None)):
        headers = {**connection, "accept": "application/json, text/event-stream"}
        assert http.request(method, "/acp", json=body, headers=headers).status_code == 404, method


def test_what_the_body_is_and_what_the_answer_may_be_is_checked(draft: Draft) -> None:
    http, headers = draft.http, draft.connection
    assert http.get("/acp", headers={**headers, "accept": "application/json"}).status_code == 406
    assert http.post("/acp", json=LIST, headers={**headers, "accept": "text/html"}).status_code == 406
    as_text = {**headers, "content-type": "text/plain"}
    assert http.post("/acp", content=b"{}", headers=as_text).status_code == 415
    assert http.post("/acp", content=b"{}", headers=headers).status_code == 415


def test_what_is_about_a_session_must_say_which(draft: Draft) -> None:
    session_id, other = draft.new("/tmp"), draft.new("/tmp")
    cancel = {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session_id}}
    for message, header, status in (
        (cancel, None, 400),
        (cancel, other, 400),
        (cancel, UNKNOWN, 400),
        ({**cancel, "params": {"sessionId": UNKNOWN}}, UNKNOWN, 404),
        (cancel, session_id, 202),
        ({"jsonrpc": "2.0", "id": "x", "result": {}}, None, 202),
        ({"jsonrpc": "2.0", "id": "x", "result": {}}, session_id, 202),
    ):
        answer = draft.post(message, header)
        assert answer.status_code == status, (message, header, answer.text)
    accept = {"accept": "text/event-stream", **draft.headers(UNKNOWN)}
    assert draft.http.get("/acp", headers=accept).status_code == 404


def test_answers_come_by_the_stream_once_and_in_order(draft: Draft) -> None:
    for id_ in ("a", "b", "c"):
        for _ in range(2):
            assert draft.post(request(id_, "session/list", {})).status_code == 202
    assert draft.post(request("d", "no/such", {})).status_code == 202
    told = draft.until(answers("d"))
    given = [one.message["id"] for one in told if "method" not in one.message]
    assert given == ["a", "b", "c", "d"]
    assert told[-1].message["error"]["code"] == -32601
    cut = next(one.id for one in told if answers("b")(one.message))
    rest = draft.until(answers("d"), after=cut)
    assert [one.message["id"] for one in rest if "method" not in one.message] == ["c", "d"]


def test_an_id_means_what_was_asked_with_it_however_long_it_is(draft: Draft) -> None:
    long = "i" * 300
    asked: list[tuple[str, Message]] = [("a", {}), (f"{long}1", {}), (f"{long}2", {}), ("a", {"cwd": "/no/such"})]
    for id_, params in [*asked, *asked, ("z", {})]:
        assert draft.post(request(id_, "session/list", params)).status_code == 202
    given = [one.message for one in draft.until(answers("z")) if "method" not in one.message]
    assert [message["id"] for message in given] == ["a", f"{long}1", f"{long}2", "a", "z"]
    assert given[3]["result"]["sessions"] == []


def test_a_session_is_told_on_its_own_stream_only(draft: Draft) -> None:
    one, other = draft.new("/tmp"), draft.new("/tmp")
    prompts = {session_id: draft.prompt(session_id, "tools 1") for session_id in (one, other)}
    for session_id, prompt in prompts.items():
        told = draft.until(answers(prompt), session_id=session_id)
        of = {told.message["params"]["sessionId"] for told in told if calls("session/update")(told.message)}
        assert of == {session_id}
    assert draft.post(request("last", "session/list", {})).status_code == 202
    told = draft.until(answers("last"))
    assert not [one for one in told if calls("session/update")(one.message)]


def test_the_stream_of_a_session_may_be_opened_before_it_is_loaded(house: Server, draft: Draft) -> None:
    session_id = draft.new("/tmp")
    draft.until(answers(draft.prompt(session_id, "tools 1")), session_id=session_id)
    with Draft(house) as other:
        other.initialize()
        with other.stream(session_id=session_id) as stream:
            load = other.begin("session/load", {"sessionId": session_id, "cwd": "/tmp", "mcpServers": []})
            told = []
            for one in stream:
                told.append(one.message)
                if answers(load)(one.message):
                    break
        assert "user_message_chunk" in str(told[0])
        assert "Done: `tools 1`" in str(told[:-1])
