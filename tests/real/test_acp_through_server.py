"""Real ACP agents as sessions of a real server: what is promised for agents holds for those that others wrote."""

from pathlib import Path

import pytest

from tests.conftest import Server
from tests.models.marker import do
from tests.processes import eventually
from tests.real import agents


@pytest.fixture(scope="module", params=["codex", "goose"])
def agent_server(request, tmp_path_factory, models_process):
    """A server whose default agent is one of the real ones, and each of them in turn."""
    folder = tmp_path_factory.mktemp(request.param)
    agent = getattr(agents, f"{request.param}_agent")(folder / "agents", models_process.url)
    server = Server(folder / "data", HOLDFAST_DEFAULT_AGENT="real")
    server.config.write_text(agents.settings(real=agent))
    try:
        yield server.start()
    finally:
        server.close()


def texts(events):
    return [event["data"]["text"] for event in events if event["type"] == "message" and not event["data"]["is_partial"]]


@pytest.mark.requirement("R001", "R033", "R085")
def test_a_real_agent_asks_runs_its_command_and_completes(agent_server, models):
    hold = models.hold(at="result", command="touch made.txt", text="The command has run.")
    with agent_server.client() as client:
        session_id = client.run_task(hold.marker)
        asked = client.until(session_id, "permission_request")["data"]
        path = f"/sessions/{session_id}/permissions/{asked['request_id']}/answer"
        assert client.post(path, json={"decision": "allow_once"}).status_code == 200
        # codex forgets to tell what became of a command of 150 ms or more if the model is done a moment after it.
        client.until(session_id, "tool_complete")
        hold.release()
        events = client.follow(session_id)
        assert texts(events) == ["I will run a command.", "The command has run."]
        assert [event["data"]["is_error"] for event in events if event["type"] == "tool_complete"] == [False]
        assert events[-1]["data"]["stop_reason"] == "success"
        assert Path(client.record(session_id)["workspace"], "made.txt").exists()


@pytest.mark.requirement("R143", "R144")
def test_a_real_agent_works_on_while_its_server_is_killed_in_the_middle_of_a_text(agent_server, models):
    hold = models.hold(at="text", text="Half one. Half two.")
    with agent_server.client() as client:
        session_id = client.run_task(hold.marker)
        first = client.until(session_id, "message")
        assert first["data"]["text"] == "Half one. "
    agent_server.kill()
    hold.release()
    assert models.until_ended(models.until_request("hold")).ended == "complete"
    agent_server.start()
    with agent_server.client() as client:
        events = client.follow(session_id, after=first["sequence"])
        assert events[0]["sequence"] == first["sequence"] + 1
        assert texts(events) == ["Half one. Half two."]
        assert events[-1]["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R091")
def test_a_real_agent_is_cancelled_in_the_middle_of_a_text_and_leaves_nothing(agent_server, models):
    hold = models.hold(at="text")
    with agent_server.client() as client:
        session_id = client.run_task(hold.marker)
        client.until(session_id, "message")
        assert client.post(f"/sessions/{session_id}/cancel").status_code == 200
        assert client.end_of(session_id)["type"] == "cancelled"
    assert models.until_ended(models.until_request("hold")).ended == "left"
    eventually(lambda: not agent_server.below())


@pytest.mark.requirement("R004", "R005")
def test_a_real_agent_remembers_what_was_said_when_it_gets_its_next_task(agent_server, models):
    with agent_server.client() as client:
        session_id = client.run_task(do("text", text="The word is heather."))
        assert texts(client.follow(session_id)) == ["The word is heather."]
        client.next_task(session_id, do("think", text="I remember."))
        assert texts(client.follow(session_id))[-1] == "I remember."
    said = [message.text for message in models.until_request("think").messages if message.role == "assistant"]
    assert said == ["The word is heather."]
