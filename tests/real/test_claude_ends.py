"""Every way in which a run of Claude Code ends, as the log tells it: what happened, in whose words, and what to do.

Those of the table are brought about at the beginning, some at a time; each test looks at one.
"""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server, free_port
from tests.models.client import Models
from tests.models.marker import do
from tests.programs import program
from tests.real import agents
from tests.real.claude_ends import ENDS, LOGIN, End
from tests.runs.agents import note_of

Events = list[dict[str, Any]]


# A test may have to wait for those before its own.
pytestmark = pytest.mark.timeout(300)

# A busy machine takes so long for what is a matter of two seconds; the CLI by itself would try for three minutes.
SOON_S = 20


@pytest.fixture(scope="module")
def server(tmp_path_factory, models_process) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("ends")
    server = Server(folder / "data", HOLDFAST_DEFAULT_AGENT="claude")
    server.config.write_text(agents.settings(**tables(folder, models_process)))
    yield server.start()
    server.close()


def tables(folder: Path, models: Models) -> dict[str, agents.AgentTable]:
    def claude(*without: str, command: Path | None = None, cwd: str | None = None, **more: str) -> agents.AgentTable:
        table = agents.claude_agent(folder / "agents", models.url, **more)
        for name in without:
            del table["env"][name]
        if command is not None:
            table["command"] = [str(command)]
        return table | ({"cwd": cwd} if cwd is not None else {})

    bin_ = folder / "bin"
    vanished = program(bin_, "vanished", "")
    vanished.write_text("#!/nowhere/interpreter\n")
    garbled = program(bin_, "garbled", "")
    garbled.write_bytes(b"\x7fNOT A PROGRAM")
    talkative = program(
        bin_,
        "talkative",
        """
        import sys
        for n in range(1, 301):
            print("line", n, file=sys.stderr)
        sys.exit(3)
        """,
    )
    return {
        "claude": claude(),
        "patient": claude("CLAUDE_CODE_MAX_RETRIES"),
        "keyless": claude("ANTHROPIC_API_KEY"),
        "oauth": claude("ANTHROPIC_API_KEY", CLAUDE_CODE_OAUTH_TOKEN="sk-ant-oat01-dummy"),
        "alone": claude(ANTHROPIC_BASE_URL=f"http://127.0.0.1:{free_port()}"),
        "impatient": claude(API_TIMEOUT_MS="1000"),
        "vanished": claude(command=vanished),
        "garbled": claude(command=garbled),
        "talkative": claude(command=talkative),
        "absent": claude(command=bin_ / "absent"),
        # What a sandbox needs is not on this PATH.
        "unboxed": claude(PATH=str(bin_)),
        "homeless": claude(cwd=str(folder / "nowhere")),
    }


@pytest.fixture(scope="module")
def outcomes(server) -> Iterator[dict[str, "Future[Events]"]]:
    def bring_about(end: End) -> Events:
        with server.client() as client:
            return client.follow(client.run_task(end.task, agent=end.agent, timeout_s=120, **end.config))

    # As many at a time as keep two cores busy.
    with ThreadPoolExecutor(3) as threads:
        yield {name: threads.submit(bring_about, end) for name, end in ENDS.items()}


@pytest.fixture
def client(server) -> Iterator[Client]:
    with server.client() as client:
        yield client


@pytest.mark.requirement("R039", "R103", "R104", "R105", "R106", "R114", "R120")
@pytest.mark.parametrize("name", ENDS)
def test_a_run_of_claude_code_says_how_it_ended_and_what_to_do(outcomes, name):
    expected = ENDS[name]
    event = outcomes[name].result()[-1]
    data = event["data"]
    assert event["type"] == expected.type
    assert (data["stop_reason"], data.get("error_type")) == (expected.stop, expected.error)
    assert data.get("api_status") == expected.status
    assert expected.says in data.get("message", "")
    assert expected.advises in data.get("message", "")
    info = data["termination_info"]
    assert info["reason"] == ("completed" if expected.type == "agent_complete" else "error")
    assert info["terminated_by"] == expected.by
    if expected.type == "error":
        assert info["message"] == data["message"]
    else:
        assert data["status"] == ("COMPLETE" if expected.stop == "success" else "FAILED")


@pytest.mark.requirement("R088")
def test_a_wrong_key_is_told_at_once_and_given_up_within_seconds_though_the_cli_would_try_for_minutes(client, models):
    events = client.follow(client.run_task(do("error", status=401), agent="patient"))
    retries = [event for event in events if event["type"] == "agent_retry"]
    assert [(event["data"]["attempt"], event["data"]["status"]) for event in retries] == [(1, 401), (2, 401)]
    end = events[-1]["data"]
    assert (end["stop_reason"], end["error_type"], end["api_status"]) == ("auth_failed", "auth_failed", 401)
    assert LOGIN in end["message"]
    [start] = [event for event in events if event["type"] == "agent_start"]
    assert seconds_between(start, retries[0]) < SOON_S
    assert seconds_between(retries[0], events[-1]) < SOON_S
    asked = [request for request in models.requests("error") if request.arguments.get("status") == 401]
    assert len(asked) <= 3


@pytest.mark.requirement("R088")
def test_a_retry_that_helps_is_told_and_ends_nothing(client, models):
    task = models.failing(1, status=529, then=do("text", text="At last."))
    events = client.follow(client.run_task(task, agent="patient"))
    [retry] = [event["data"] for event in events if event["type"] == "agent_retry"]
    assert (retry["attempt"], retry["status"], retry["message"]) == (1, 529, "overloaded")
    assert retry["delay_ms"] > 0
    assert events[-1]["data"]["stop_reason"] == "success"


def test_a_usage_limit_that_is_reached_is_told_with_the_time_of_its_reset(outcomes):
    events = outcomes["usage limit"].result()
    [limit] = [event["data"] for event in events if event["type"] == "rate_limit"]
    assert (limit["status"], limit["limit_type"]) == ("rejected", "five_hour")
    assert limit["resets_at"] > events[-1]["timestamp"]


@pytest.mark.requirement("R119", "R121", "R122")
@pytest.mark.parametrize(("number", "code", "name"), [(signal.SIGKILL, None, "SIGKILL"), (signal.SIGTERM, 143, None)])
def test_a_cli_that_is_killed_ends_its_run_with_the_exit_as_it_was(client, server, models, number, code, name):
    hold = models.hold(at="text")
    session_id = client.run_task(hold.marker)
    hold.until_reached()
    client.until(session_id, "message")
    os.kill(note_of(server, session_id)["agent_pid"], number)
    end = client.end_of(session_id)
    assert end["type"] == "error"
    assert end["data"]["error_type"] == end["data"]["stop_reason"] == "process_exit"
    info = end["data"]["termination_info"]
    assert (info.get("exit_code"), info.get("signal")) == (code, name)
    assert info["message"].startswith("agent exited with status")


@pytest.mark.requirement("R119", "R123", "R125", "R126")
def test_a_cli_that_dies_at_its_start_leaves_what_it_said_on_stderr(client):
    end = client.end_of(client.run_task("anything", agent="talkative"))["data"]
    assert (end["stop_reason"], end["error_type"]) == ("start_failed", "process_exit")
    info = end["termination_info"]
    assert info["exit_code"] == 3
    assert info["message"].startswith("agent exited with status: code 3")
    stderr = info["stderr"]
    assert stderr["head"].splitlines() == [f"line {n}" for n in range(1, 51)]
    assert stderr["tail"].splitlines() == [f"line {n}" for n in range(251, 301)]
    assert (stderr["total_lines"], stderr["truncated"]) == (300, True)


def test_a_program_that_is_not_there_is_refused_before_a_session_begins(client):
    answer = client.post("/sessions/run", json={"task": "anything", "config": {"agent": "absent"}})
    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_agent")


def seconds_between(first: dict[str, Any], second: dict[str, Any]) -> float:
    then, now = (datetime.fromisoformat(event["timestamp"]) for event in (first, second))
    return (now - then).total_seconds()
