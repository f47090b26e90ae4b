"""What a request must look like: everything else is refused, and the refusal names what was wrong."""

import httpx
import pytest

from holdfast.http.requests import position
from tests.client import Client

RUN, TASK, ANSWER = "/sessions/run", "/sessions/{id}/task", "/sessions/{id}/permissions/x/answer"
RESUME, FORK, PROFILE = "/sessions/{id}/resume", "/sessions/{id}/fork", "/sessions/{id}/profile"

WRONG = [
    # path, body, what the detail must name
    (RUN, b"", "task"),
    (RUN, b"{}", "task"),
    (RUN, b"[]", "object"),
    (RUN, b"null", "object"),
    (RUN, b"not json", "JSON"),
    (RUN, b'{"task": "x"', "JSON"),
    (RUN, b'{"task": "x"} trailing', "JSON"),
    (RUN, b'{"task": "\xff"}', "JSON"),
    (RUN, b'{"task": "\\ud800"}', "JSON"),
    (RUN, b"[" * 200_000, "object"),
    *((path, b'{"task": "%b"}' % task, "The task is empty") for path in (RUN, TASK, FORK) for task in (b"", b" \\n ")),
    (RUN, b'{"task": 7}', "task"),
    (RUN, b'{"task": null}', "task"),
    (RUN, b'{"task": "' + b"x" * 1_000_001 + b'"}', "task"),
    (RUN, b'{"task": "x", "agent": "demo"}', "agent"),
    (RUN, b'{"task": "x", "Config": {}}', "Config"),
    (RUN, b'{"task": "x", "config": {"projectId": "p"}}', "projectId"),
    (RUN, b'{"task": "x", "config": []}', "config"),
    (RUN, b'{"task": "x", "config": {"agent": 1}}', "agent"),
    (RUN, b'{"task": "x", "config": {"agent": ""}}', "The agent is empty"),
    (RUN, b'{"task": "x", "config": {"max_turns": -1}}', "at `$.config.max_turns`, not -1"),
    (RUN, b'{"task": "x", "config": {"timeout_s": "' + b"5" * 999 + b'"}}', ', not "' + "5" * 99 + "…"),
    (RUN, b'{"task": "x", "config": {"allow": ["Bash", 7]}}', "at `$.config.allow[1]`, not 7"),
    (RUN, b'{"task": "x", "config": {"options": {"a": 1}}}', 'in {"a":1}'),
    (RUN, b'{"task": "x", "config": {"on_limit": "stop"}}', "'stop' - at `$.config.on_limit`; there are: end, pause"),
    (RUN, b'{"task": "x", "config": {"setting_sources": ["no"]}}', "; there are: local, project, user"),
    (RUN, b'{"task": 7, "config": ', "task"),
    (RUN, b'{"task": "x", "config": {"project_id": ""}}', "project_id"),
    (RUN, b'{"task": "x", "config": {"project_id": "' + b"x" * 501 + b'"}}', "project_id"),
    (RUN, b'{"task": "x", "config": {"timeout_s": 0}}', "timeout_s"),
    (RUN, b'{"task": "x", "config": {"timeout_s": -1}}', "timeout_s"),
    (RUN, b'{"task": "x", "config": {"timeout_s": "5"}}', "timeout_s"),
    (RUN, b'{"task": "x", "config": {"timeout_s": 1e300}}', "timeout_s"),
    (RUN, b'{"task": "x", "config": {"timeout_s": 1e999}}', "timeout_s"),
    *(
        (RUN, b'{"task": "x", "config": {"%b": %b}}' % (name.encode(), value), name)
        for name, value in (
            *(("max_turns", b"0"), ("max_turns", b"1.5"), ("max_budget_usd", b"0"), ("idle_s", b"0")),
            *(("max_output_bytes", b"0"), ("max_memory_mb", b"-1"), ("on_limit", b'"stop"')),
            *(("profile", b"7"), ("allow", b'"Bash"'), ("deny", b"[7]"), ("unattended", b'"yes"')),
            *(("allow", b"[" + b'"Bash",' * 1000 + b'"Bash"]'), ("options", b'{"a": 1}'), ("sandbox", b'"on"')),
            *(("setting_sources", b'["everywhere"]'), ("output_schema", b"[]"), ("model", b"[]")),
        )
    ),
    (RUN, b'{"task": "x", "config": {"allow": ["Bash("]}}', "Bash("),
    (RUN, b'{"task": "x", "config": {"deny": [""]}}', "rule"),
    (RUN, b'{"task": "x", "config": {"output_schema": {"a": ' + b"[" * 9_999 + b"]" * 9_999 + b"}}}", "deep"),
    (RUN, b'{"task": "x", "how": "rerun"}', "how"),
    (TASK, b"{}", "task"),
    (TASK, b'{"task": "x", "config": {}}', "config"),
    (TASK, b'{"task": "x", "timeout_s": 0}', "timeout_s"),
    (TASK, b'{"task": "x", "agent": "demo"}', "agent"),
    (TASK, b'{"task": "x", "max_turns": 0}', "max_turns"),
    (TASK, b'{"task": "x", "ask": ["Read("]}', "Read("),
    (RESUME, b'{"how": "again"}', "again"),
    (RESUME, b'{"task": "x"}', "task"),
    (RESUME, b'{"max_turns": 0}', "max_turns"),
    (FORK, b"{}", "task"),
    (FORK, b'{"task": "x", "run": 0}', "run"),
    (FORK, b'{"task": "x", "how": "rerun"}', "how"),
    (PROFILE, b"{}", "profile"),
    (PROFILE, b'{"profile": 7}', "profile"),
    (ANSWER, b"{}", "decision"),
    (ANSWER, b'{"decision": "allow_once", "input": []}', "input"),
    (ANSWER, b'{"answers": {"a": ' + b"[" * 9_999 + b"]" * 9_999 + b"}}", "deep"),
    (ANSWER, b'{"answers": {"a": 123456789012345678901234567890}}', "64 bits"),
    (ANSWER, b'{"decision": "allow_once", "input": {"a": [-9223372036854775809]}}', "64 bits"),
    (ANSWER, b'{"decision": "yes"}', "yes"),
    (ANSWER, b'{"decision": "allow_once", "why": "x"}', "why"),
    ("/sessions/{id}/cancel", b'{"force": true}', "force"),
    ("/sessions/{id}/pause", b'{"force": true}', "force"),
    ("/sessions/{id}/discard", b'{"force": true}', "force"),
]


@pytest.fixture(scope="module")
def session_id(shared_server) -> str:
    with shared_server.client() as client:
        session_id = client.run_task("tools 1")
        client.end_of(session_id)
        return session_id


@pytest.mark.parametrize(("path", "body", "named"), WRONG, ids=[f"{p} {b[:40]!r}" for p, b, _ in WRONG])
def test_a_body_that_does_not_fit_is_refused_by_name(
    client: Client, session_id: str, path: str, body: bytes, named: str
) -> None:
    head = client.record(session_id)["head"]
    answer = client.post(path.format(id=session_id), content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), answer.text
    assert named in answer.json()["detail"]
    assert client.record(session_id)["head"] == head, "nothing was written"


def test_a_body_of_exactly_32_mib_is_read_and_a_larger_one_refused(client: Client) -> None:
    most = 32 * 1024 * 1024
    fits = b'{"task": 7}'.ljust(most)
    assert client.post("/sessions/run", content=fits).json()["code"] == "bad_request"
    answer = client.post("/sessions/run", content=fits + b" ")
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    assert str(most) in answer.json()["detail"]
    # Without a length, too: what counts is what comes.
    answer = client.post("/sessions/run", content=(b" " * 1024 * 1024 for _ in range(33)))
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    assert client.get("/health").status_code == 200


def test_unknown_query_parameters_are_refused_by_name(client: Client, session_id: str) -> None:
    for path in (
        f"/sessions/{session_id}",
        f"/sessions/{session_id}/events",
        f"/sessions/{session_id}/events/history",
        "/sessions",
        "/sessions/recoverable",
        "/permissions",
        "/events",
    ):
        answer = client.get(path, params={"aftre": 3})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), path
        assert "aftre" in answer.json()["detail"]


@pytest.mark.parametrize("digits", [str(10**18), str(2**63 - 1), str(2**64), "9" * 5000])
def test_a_position_of_many_digits_is_one_beyond_the_head(client: Client, session_id: str, digits: str) -> None:
    for path in (f"/sessions/{session_id}/events", "/events"):
        for asked in ({"headers": {"last-event-id": digits}}, {"params": {"after": digits}}):
            with httpx.Client.stream(client, "GET", path, **asked) as answer:
                opening = next(line for line in answer.iter_lines() if line.startswith("data: "))
            assert '"resume":"reset","after":0' in opening


def test_a_position_may_begin_with_zeros() -> None:
    assert (position("0" * 5000 + "7"), position("0"), position("x"), position("٣")) == (7, 0, None, None)


def test_the_limits_of_history_are_checked(client: Client, session_id: str) -> None:
    for query in ({"limit": 0}, {"limit": 1001}, {"limit": "x"}, {"after": -1}, {"after": "x"}, {"after": "9" * 30}):
        answer = client.get(f"/sessions/{session_id}/events/history", params=query)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), query
        assert str(next(iter(query))) in answer.json()["detail"]
    assert client.get(f"/sessions/{session_id}/events", params={"partials": "no"}).status_code == 400


def test_the_least_and_the_most_that_fits_are_taken(client: Client) -> None:
    """A year of time, a million characters, null for what is not set."""
    task = "tools 1 " + "é" * 999_992
    config = {"timeout_s": 31_536_000, "project_id": None, "agent": None, "workspace": None}
    answer = client.post("/sessions/run", json={"task": task, "config": config})
    assert answer.status_code == 200, answer.text
    session_id = answer.json()["session_id"]
    assert client.end_of(session_id)["data"]["stop_reason"] == "success"
    assert client.record(session_id)["task"] == task
    assert "project_id" not in client.record(session_id)
