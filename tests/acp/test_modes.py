"""What an ACP client can choose for a session: its mode, which is a permission profile, and its agent."""

from pathlib import Path

from tests.acp.client import Remote, answers
from tests.client import Client


def test_a_mode_is_a_permission_profile_and_counts_for_the_next_prompt(
    named: Remote, client: Client, tmp_path: Path
) -> None:
    profiles = [profile["name"] for profile in client.get("/profiles").json()["profiles"]]
    opened = named.ask("session/new", {"cwd": str(tmp_path), "mcpServers": []})["result"]
    session_id = opened["sessionId"]
    assert [mode["id"] for mode in opened["modes"]["availableModes"]] == profiles
    other = next(name for name in profiles if name != opened["modes"]["currentModeId"])
    assert named.ask("session/set_mode", {"sessionId": session_id, "modeId": other})["result"] == {}
    named.until(answers(named.prompt(session_id, "tools 1")))
    resumed = named.ask("session/resume", {"sessionId": session_id, "cwd": str(tmp_path), "mcpServers": []})
    assert resumed["result"]["modes"]["currentModeId"] == other


def test_a_mode_that_others_change_while_it_works_is_told(named: Remote, client: Client, tmp_path: Path) -> None:
    opened = named.ask("session/new", {"cwd": str(tmp_path), "mcpServers": []})["result"]
    session_id, before = opened["sessionId"], opened["modes"]["currentModeId"]
    other = next(mode["id"] for mode in opened["modes"]["availableModes"] if mode["id"] != before)
    prompt = named.prompt(session_id, "tools 2 slow 600")
    client.until(session_id, "agent_start")
    assert client.post(f"/sessions/{session_id}/profile", json={"profile": other}).status_code == 200
    told = named.until(lambda message: "current_mode_update" in str(message))
    assert told[-1].message["params"]["update"]["currentModeId"] == other
    assert named.ask("session/set_mode", {"sessionId": session_id, "modeId": before})["result"] == {}
    told = named.until(lambda message: "current_mode_update" in str(message), after=told[-1].id)
    assert told[-1].message["params"]["update"]["currentModeId"] == before
    named.notify("session/cancel", {"sessionId": session_id})
    named.until(answers(prompt), after=told[-1].id)


def test_the_agent_can_be_chosen_until_the_session_has_begun(named: Remote, client: Client, tmp_path: Path) -> None:
    opened = named.ask("session/new", {"cwd": str(tmp_path), "mcpServers": []})["result"]
    [option] = opened["configOptions"]
    assert {"claude", "demo"} <= {choice["value"] for choice in option["options"]}
    choose = {"sessionId": opened["sessionId"], "configId": "agent", "value": "claude"}
    assert named.ask("session/set_config_option", choose)["result"]["configOptions"][0]["currentValue"] == "claude"
    choose["value"] = "demo"
    assert named.ask("session/set_config_option", choose)["result"]["configOptions"][0]["currentValue"] == "demo"
    named.until(answers(named.prompt(opened["sessionId"], "tools 1")))
    assert "has begun" in named.ask("session/set_config_option", choose)["error"]["message"]
    assert client.record(opened["sessionId"])["agent"] == "demo"
