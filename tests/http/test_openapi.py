"""The OpenAPI document: valid, complete, and true of what the server really sends."""

import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from tests.client import Client
from tests.conftest import Server
from tests.http.conftest import LONG

PROTOCOL = Path(__file__).parents[2] / "PROTOCOL.md"


@pytest.fixture(scope="module")
def document(shared_server: Server) -> dict[str, Any]:
    with shared_server.client() as client:
        return client.get("/openapi.json").json()


def schema(document: dict[str, Any], name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    )


def stated_events() -> dict[str, list[str]]:
    """Type → fields, as the table of PROTOCOL.md names them."""
    section = PROTOCOL.read_text().partition("## 4. Events")[2].partition("### Ends")[0]
    found = {}
    for type_, data in re.findall(r"^\| `(\w+)` \| ([^|]*) \|", section, re.MULTILINE):
        # What a field may say stands in brackets, and what the parts of one are like behind a colon.
        found[type_] = re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)|(: (each|a )|; the final).*", "", data))
    return found


def test_it_is_a_valid_document_of_version_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    OPENAPI_31_VALIDATOR.validate(document)


def test_every_reference_in_it_leads_somewhere(document: dict[str, Any]) -> None:
    def references(value: Any) -> list[str]:
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [found for item in value.values() for found in references(item)]
        return [found for item in value for found in references(item)] if isinstance(value, list) else []

    found = set(references(document))
    assert found
    for reference in found:
        assert reference.removeprefix("#/components/schemas/") in document["components"]["schemas"], reference


def test_every_endpoint_of_the_protocol_is_in_it(document: dict[str, Any]) -> None:
    protocol = PROTOCOL.read_text()
    stated = set(re.findall(r"`(GET|POST|DELETE) (/api/v1/[\w/{}.]+)`", protocol))
    # `POST …/pause`, `…/resume`: of the same session, to be asked in the same way.
    for method, place, others in re.findall(r"^### `(\w+) (\S+/)\w+`, (.*)$", protocol, re.MULTILINE):
        stated |= {(method, place + name) for name in re.findall(r"`…/(\w+)`", others)}
    assert len(stated) > 19
    described = {
        (method.upper(), re.sub(r"{session_id}", "{id}", path))
        for path, methods in document["paths"].items()
        for method in methods
    }
    # The document does not describe itself.
    assert stated - {("GET", "/api/v1/openapi.json")} == described


@pytest.mark.requirement("R037", "R041", "R042")
def test_every_event_of_the_protocol_is_in_it_with_its_fields(document: dict[str, Any]) -> None:
    stated = stated_events()
    shapes = {
        shape["properties"]["type"]["const"]: shape for shape in document["components"]["schemas"]["Envelope"]["oneOf"]
    }
    assert stated.keys() == shapes.keys()
    for type_, fields in stated.items():
        name = shapes[type_]["properties"]["data"]["$ref"].rpartition("/")[2]
        properties = document["components"]["schemas"][name]["properties"]
        if type_ != "usage":
            assert fields, type_
        assert set(fields) <= properties.keys(), type_
        if type_ in ("agent_complete", "error", "cancelled"):
            assert {"stop_reason", "termination_info", "agent_stop_reason", "agent_session_id"} <= properties.keys()


@pytest.mark.requirement("R021")
def test_every_event_that_is_sent_fits(client: Client, document: dict[str, Any]) -> None:
    envelope = schema(document, "Envelope")
    tasks = ("Say hello, slow 0.1", "garbage", "stderr 120 crash 3", "ask")
    sessions = [client.run_task(task) for task in tasks]
    asking = sessions[-1]
    request_id = client.until(asking, "permission_request")["data"]["request_id"]
    client.post(f"/sessions/{asking}/permissions/{request_id}/answer", json={"decision": "deny"})
    cancelled, discarded = client.run_task(LONG), client.run_task(LONG)
    for session_id in (cancelled, discarded):
        client.until(session_id, "agent_start")
    client.post(f"/sessions/{cancelled}/profile", json={"profile": "careful"})
    client.until(cancelled, "profile_switch")
    client.post(f"/sessions/{cancelled}/cancel")
    for command in ("pause", "discard"):
        assert client.post(f"/sessions/{discarded}/{command}").status_code == 200
    seen = set()
    for session_id in (*sessions, cancelled, discarded):
        for event in client.follow(session_id):
            envelope.validate(event)
            seen.add(event["type"])
    assert seen >= {
        *("user_message", "session_connect", "agent_start", "thinking", "message", "tool_start", "tool_complete"),
        *("todo_update", "permission_request", "permission_resolved", "agent_unparsed", "agent_update"),
        *("hook_triggered", "profile_switch", "discarded"),
        *("conversation_turn", "session_disconnect", "agent_complete", "error", "cancelled"),
    }
    assert not envelope.is_valid({"type": "message", "data": {"text": 7}, "timestamp": "x", "sequence": 1})
    assert not envelope.is_valid({**event, "extra": 1}), "just these fields"


def test_what_the_other_endpoints_answer_fits(local: Client, document: dict[str, Any]) -> None:
    started = local.post("/sessions/run", json={"task": "stderr 2 crash"}).json()
    local.end_of(started["session_id"])
    session_id = started["session_id"]
    asking = local.run_task("ask")
    local.until(asking, "permission_request")
    assert local.get("/permissions").json()["permissions"]
    for name, value in (
        ("Started", started),
        ("Record", local.record(session_id)),
        ("Record", local.record(asking)),
        ("SessionList", local.get("/sessions", params={"limit": 1}).json()),
        ("RecoverableList", local.get("/sessions/recoverable").json()),
        ("History", local.get(f"/sessions/{session_id}/events/history", params={"limit": 2}).json()),
        ("WaitingList", local.get("/permissions").json()),
        ("Health", local.get("/health").json()),
        ("Ticket", local.post("/tickets").json()),
        ("Problem", local.get("/nothing").json()),
    ):
        schema(document, name).validate(value)
    local.post(f"/sessions/{asking}/cancel")
