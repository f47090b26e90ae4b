"""The published client `acp-http-client`, as it is on npm, drives the demo agent end to end."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.acp.client import Told, said
from tests.conftest import TOKEN, Server

HERE = Path(__file__).parent
MODULE = HERE.parent / "npm" / "node_modules" / "acp-http-client" / "dist" / "index.js"


@pytest.fixture(scope="module")
def told(house: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    cwd = str(tmp_path_factory.mktemp("driven"))
    driven = subprocess.run(
        ["node", str(HERE / "drive.mjs"), str(MODULE), house.url, TOKEN, cwd],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert driven.returncode == 0, driven.stderr
    assert "ACP write error" not in driven.stderr, driven.stderr
    return json.loads(driven.stdout)


def texts(updates: list[dict[str, Any]]) -> dict[str, str]:
    as_told = [Told("", {"method": "session/update", "params": params}) for params in updates]
    return said(as_told, updates[0]["sessionId"])


def kinds(updates: list[dict[str, Any]]) -> list[str]:
    found = [params["update"]["sessionUpdate"] for params in updates]
    return [kind for kind in found if kind.startswith("tool")]


def test_a_prompt_with_texts_tools_and_a_permission(told: dict[str, Any]) -> None:
    assert told["initialized"]["agentInfo"]["title"] == "Holdfast (demo)"
    assert told["answer"]["stopReason"] == "end_turn"
    [asked] = told["asked"]
    assert asked["sessionId"] == told["sessionId"]
    first, *_ = texts(told["updates"]).values()
    assert first.split() == [f"word-{n}" for n in range(1, 21)]
    assert "I was allowed to run" in str(texts(told["updates"]))


def test_errors_and_a_cancel(told: dict[str, Any]) -> None:
    assert told["busy"]["stopReason"] == "cancelled"
    assert [told[name]["code"] for name in ("second", "unknown", "noMethod")] == [-32600, -32002, -32601]
    assert all(told[name]["isRpcError"] for name in ("second", "unknown", "noMethod"))


def test_a_network_that_breaks_every_stream_goes_unnoticed(told: dict[str, Any]) -> None:
    assert told["cutStreams"] > 3
    assert told["cutAnswer"]["stopReason"] == "end_turn"
    assert texts(told["cutUpdates"]).items() <= texts(told["loadedUpdates"]).items()
    assert kinds(told["cutUpdates"]) == kinds(told["loadedUpdates"]) == ["tool_call", "tool_call_update"] * 10


def test_a_load_has_the_whole_history_before_it_is_answered(told: dict[str, Any]) -> None:
    assert told["loaded"]["modes"]["availableModes"]
    prompts = [text for key, text in texts(told["loadedUpdates"]).items() if key.startswith("user")]
    assert prompts == ["slow 2 flood 200 tools 10"]


@pytest.mark.requirement("R128")
def test_all_clients_hear_of_the_crash_and_the_list_says_it(told: dict[str, Any]) -> None:
    assert told["crash"]["code"] == -32603
    assert told["ended"]["method"] == "_sandboxagent/session/ended"
    data = told["ended"]["params"]["data"]
    assert (data["reason"], data["terminated_by"], data["exit_code"]) == ("error", "agent", 3)
    listed = {entry["sessionId"]: entry["_meta"] for entry in told["list"]["sessions"]}
    assert listed[told["sessionId"]]["termination_info"]["exit_code"] == 3
