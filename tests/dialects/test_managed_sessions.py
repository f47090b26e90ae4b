"""The official SDK of Anthropic makes, shows, lists, changes, archives and deletes sessions; errors are its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import anthropic
import httpx
import pytest

from holdfast.sessions.ids import deterministic_session_id
from tests.conftest import Server
from tests.dialects.managed_client import INTERRUPT, sdk, text, until
from tests.dialects.streams import ADA, caller, follow

SHORT = "Say hello, slow 0.1"


@pytest.fixture
def client(house: Server) -> Iterator[anthropic.Anthropic]:
    with sdk(house) as client:
        yield client


@pytest.fixture
def ada(house: Server) -> Iterator[anthropic.Anthropic]:
    with sdk(house, ADA) as client:
        yield client


def create(client: anthropic.Anthropic, **more: Any) -> Any:
    return client.beta.sessions.create(**{"agent": "demo", "environment_id": "local", **more})


def done(client: anthropic.Anthropic, session_id: str, task: str = SHORT) -> list[Any]:
    events = client.beta.sessions.events
    with events.stream(session_id) as stream:
        events.send(session_id, events=[text(task)])
        return until(stream)


def test_a_session_waits_for_its_first_message_and_is_then_a_session_like_any_other(
    client: anthropic.Anthropic, page: httpx.Client, tmp_path: Path
) -> None:
    made = create(client, title="A tide", metadata={"ticket": "7", "holdfast.workspace": str(tmp_path)})
    assert (made.status, made.title, made.agent.id, made.environment_id) == ("idle", "A tide", "demo", "local")
    assert page.get(f"/api/v1/sessions/{made.id}").status_code == 404, "there is no log yet"
    assert list(client.beta.sessions.events.list(made.id)) == []
    done(client, made.id)
    record = page.get(f"/api/v1/sessions/{made.id}").json()
    assert (record["status"], record["workspace"], record["task"]) == ("complete", str(tmp_path), SHORT)
    shown = client.beta.sessions.retrieve(made.id)
    assert shown.metadata == {"ticket": "7", "holdfast.workspace": str(tmp_path)}
    assert (shown.created_at, shown.status) == (made.created_at, "idle")


def test_a_session_of_another_dialect_is_there_too(client: anthropic.Anthropic, page: httpx.Client) -> None:
    project = f"project-{uuid4()}"
    body = {"prompt": SHORT, "projectId": project}
    session_id = page.post("/api/agent/start", json=body).json()["data"]["sessionId"]
    follow(page, "GET", f"/api/agent/stream/{session_id}")
    assert session_id in [one.id for one in client.beta.sessions.list(limit=100)]
    events = list(client.beta.sessions.events.list(session_id))
    assert events[0].content[0].text == SHORT
    assert client.beta.sessions.update(session_id, title="Mine").title == "Mine"
    assert done(client, session_id, "Once more, slow 0.1")[0].content[0].text == "Once more, slow 0.1"
    assert page.get(f"/api/agent/status/{session_id}").json()["data"]["runs"] == 2


def test_settings_of_ours_stand_in_the_metadata(client: anthropic.Anthropic) -> None:
    limited = create(client, metadata={"holdfast.max_turns": "1", "holdfast.profile": "careful"})
    end = done(client, limited.id, "tools 5")[-1]
    assert end.to_dict()["holdfast"]["stop_reason"] == "error_max_turns"
    client.beta.sessions.update(limited.id, metadata={"holdfast.max_turns": "50"})
    assert done(client, limited.id)[-1].to_dict()["holdfast"]["stop_reason"] == "success"
    for metadata, named in (
        ({"holdfast.max_turns": "many"}, "many"),
        ({"holdfast.telepathy": "1"}, "telepathy"),
        ({"holdfast.profile": "reckless"}, "reckless"),
        ({"holdfast.project_id": ""}, "project_id"),
        ({f"key-{n}": "" for n in range(17)}, "at most 16 pairs"),
        ({"long": "x" * 513}, "513"),
    ):
        with pytest.raises(anthropic.BadRequestError, match=named):
            create(client, metadata=metadata)
        with pytest.raises(anthropic.BadRequestError, match=named):
            client.beta.sessions.update(limited.id, metadata=metadata)
    with pytest.raises(anthropic.BadRequestError, match="/no/such/folder"):
        create(client, metadata={"holdfast.workspace": "/no/such/folder"})
    with pytest.raises(anthropic.BadRequestError, match="cannot be changed"):
        client.beta.sessions.update(limited.id, metadata={"holdfast.workspace": "/tmp"})
    assert client.beta.sessions.retrieve(limited.id).metadata["holdfast.profile"] == "careful"


def test_a_project_has_one_session(client: anthropic.Anthropic, ada: anthropic.Anthropic) -> None:
    project = f"project-{uuid4()}"
    made = create(client, metadata={"holdfast.project_id": project})
    assert made.id == deterministic_session_id(project)
    for another in (client, ada):
        with pytest.raises(anthropic.ConflictError, match=made.id):
            create(another, metadata={"holdfast.project_id": project})
    done(client, made.id)
    with pytest.raises(anthropic.ConflictError, match="another user's"):
        create(ada, metadata={"holdfast.project_id": project})
    client.beta.sessions.delete(made.id)
    with pytest.raises(anthropic.ConflictError, match="its log stays"):
        create(client, metadata={"holdfast.project_id": project})


def test_a_session_may_get_its_first_message_when_it_is_made(client: anthropic.Anthropic) -> None:
    made = create(client, initial_events=[text(SHORT)])
    with client.beta.sessions.events.stream(made.id, extra_query={"after": "0"}) as stream:
        assert until(stream)[0].content[0].text == SHORT
    for events in ([INTERRUPT], [text("x"), INTERRUPT], [text("x"), text("y")]):
        with pytest.raises(anthropic.BadRequestError):
            create(client, initial_events=events)


@pytest.mark.parametrize(
    ("given", "error", "named"),
    [
        ({"agent": "nobody"}, anthropic.BadRequestError, "nobody"),
        ({"environment_id": "cloud"}, anthropic.NotFoundError, "cloud"),
        ({"agent": {"type": "agent", "id": "demo", "version": 3}}, anthropic.BadRequestError, "version 3"),
        (
            {"agent": {"type": "agent_with_overrides", "id": "demo", "system": "Be brief"}},
            anthropic.BadRequestError,
            r"agent\.system",
        ),
        ({"vault_ids": ["vlt_1"]}, anthropic.BadRequestError, "vlt_1"),
        ({"resources": [{"type": "file", "file_id": "file_1"}]}, anthropic.BadRequestError, "resources"),
        ({"title": "a\0b"}, anthropic.BadRequestError, "title"),
        ({"extra_body": {"telepathy": 1}}, anthropic.BadRequestError, "telepathy"),
    ],
)
def test_what_cannot_be_made_is_refused_by_name(
    client: anthropic.Anthropic, given: dict[str, Any], error: type[anthropic.APIStatusError], named: str
) -> None:
    with pytest.raises(error, match=named) as refused:
        create(client, **given)
    body: Any = refused.value.body
    assert body["type"] == "error"
    assert body["error"]["type"] == ("not_found_error" if refused.value.status_code == 404 else "invalid_request_error")
    assert refused.value.response.headers["request-id"] == body["request_id"]


def test_a_session_whose_first_message_is_refused_is_not_made(client: anthropic.Anthropic) -> None:
    project = f"project-{uuid4()}"
    broken = {"type": "document", "source": {"type": "base64", "media_type": "text/plain", "data": "?"}}
    first = {"type": "user.message", "content": [broken]}
    with pytest.raises(anthropic.BadRequestError):
        create(client, initial_events=[first], metadata={"holdfast.project_id": project})
    with pytest.raises(anthropic.NotFoundError):
        client.beta.sessions.retrieve(deterministic_session_id(project))
    made = create(client, initial_events=[text(SHORT)], metadata={"holdfast.project_id": project})
    assert made.id == deterministic_session_id(project)


def test_what_one_user_had_in_mind_for_a_project_is_nothing_to_the_one_whose_it_became(
    house: Server, client: anthropic.Anthropic, ada: anthropic.Anthropic
) -> None:
    project = f"project-{uuid4()}"
    made = create(client, title="Mine", metadata={"holdfast.project_id": project, "holdfast.max_turns": "1"})
    with caller(house, ADA) as hers:
        started = hers.post("/api/agent/start", json={"prompt": SHORT, "projectId": project})
        assert started.json()["data"]["sessionId"] == made.id
        follow(hers, "GET", f"/api/agent/stream/{made.id}")
    shown = ada.beta.sessions.retrieve(made.id)
    assert (shown.title, shown.metadata.keys()) == (None, {"holdfast.workspace"})
    assert made.id in [one.id for one in ada.beta.sessions.list(limit=100)]
    with pytest.raises(anthropic.NotFoundError):
        client.beta.sessions.retrieve(made.id)
    assert ada.beta.sessions.update(made.id, title="Hers").title == "Hers"


def test_lists_are_paged_turned_round_and_filtered(ada: anthropic.Anthropic) -> None:
    made = [create(ada, title=f"list {n}").id for n in range(5)]
    done(ada, made[2])
    ada.beta.sessions.archive(made[4])

    def listed(**more: Any) -> list[str]:
        return [one.id for one in ada.beta.sessions.list(**more) if one.id in made]

    assert listed() == made[3::-1]
    assert listed(limit=1) == made[3::-1], "page by page"
    assert listed(limit=3, order="asc") == made[:4]
    assert listed(include_archived=True) == made[::-1]
    assert listed(statuses=["idle"]) == made[3::-1]
    assert listed(statuses=["running"]) == []
    assert listed(agent_id="another") == []
    middle = ada.beta.sessions.retrieve(made[2]).created_at
    assert listed(created_at_gte=middle, order="asc") == made[2:4]
    assert listed(created_at_lt=middle, order="asc") == made[:2]
    for wrong in ({"limit": 0}, {"order": "up"}, {"statuses": ["asleep"]}, {"page": "nowhere"}):
        with pytest.raises(anthropic.BadRequestError):
            ada.beta.sessions.list(**wrong)


def test_an_archived_session_is_read_and_takes_no_more(client: anthropic.Anthropic) -> None:
    made = create(client)
    done(client, made.id)
    archived = client.beta.sessions.archive(made.id)
    assert archived.archived_at is not None
    assert client.beta.sessions.archive(made.id).archived_at == archived.archived_at
    assert list(client.beta.sessions.events.list(made.id))
    with pytest.raises(anthropic.BadRequestError, match="archived"):
        client.beta.sessions.events.send(made.id, events=[text("More")])


def test_a_deleted_session_is_gone_from_here_and_its_log_stays(client: anthropic.Anthropic, page: httpx.Client) -> None:
    made = create(client)
    done(client, made.id)
    assert client.beta.sessions.delete(made.id).id == made.id
    for again in (client.beta.sessions.retrieve, client.beta.sessions.delete, client.beta.sessions.archive):
        with pytest.raises(anthropic.NotFoundError, match=made.id):
            again(made.id)
    with pytest.raises(anthropic.NotFoundError):
        client.beta.sessions.events.list(made.id)
    assert made.id not in [one.id for one in client.beta.sessions.list(limit=100, include_archived=True)]
    assert page.get(f"/api/v1/sessions/{made.id}").json()["status"] == "complete"


def test_others_sessions_are_as_if_they_were_not_there(
    client: anthropic.Anthropic, ada: anthropic.Anthropic, house: Server
) -> None:
    made = create(client)
    done(client, made.id)
    for session_id in (made.id, "nowhere", "a\0b"):
        with pytest.raises(anthropic.NotFoundError):
            ada.beta.sessions.retrieve(session_id)
        with pytest.raises(anthropic.NotFoundError):
            ada.beta.sessions.events.send(session_id, events=[text("x")])
        with pytest.raises(anthropic.NotFoundError):
            ada.beta.sessions.events.stream(session_id)
    assert made.id not in [one.id for one in ada.beta.sessions.list(limit=100)]
    with sdk(house, "wrong") as nobody, pytest.raises(anthropic.AuthenticationError) as refused:
        nobody.beta.sessions.list()
    assert refused.value.body["error"]["type"] == "authentication_error"  # type: ignore[index]


def test_the_agents_and_the_environment_are_those_of_the_settings(client: anthropic.Anthropic) -> None:
    agents = {agent.id: agent for agent in client.beta.agents.list()}
    assert agents["demo"].version == 1
    assert client.beta.agents.retrieve("demo").name == agents["demo"].name
    assert [one.id for one in client.beta.environments.list()] == ["local"]
    assert client.beta.environments.retrieve("local").config.type == "self_hosted"
    with pytest.raises(anthropic.NotFoundError, match="nobody"):
        client.beta.agents.retrieve("nobody")
    with pytest.raises(anthropic.BadRequestError, match="settings"):
        client.beta.agents.create(name="new", model="any")
    with pytest.raises(anthropic.NotFoundError):
        client.messages.create(model="any", max_tokens=1, messages=[{"role": "user", "content": "x"}])


def test_what_is_no_event_is_refused_before_anything_is_done(
    client: anthropic.Anthropic, house: Server, page: httpx.Client
) -> None:
    made = create(client)
    with caller(house) as raw:
        for body in (
            b"{",
            b"[]",
            b'{"events": []}',
            b'{"events": [{"type": "user.telepathy"}]}',
            b'{"events": [{"type": "user.message"}]}',
            b'{"events": [{"type": "user.message", "content": []}]}',
            b'{"events": [{"type": "user.message", "content": [{"type": "text", "text": " "}]}]}',
            b'{"events": [{"type": "user.interrupt"}, {"type": "user.message"}]}',
        ):
            answer = raw.post(f"/v1/sessions/{made.id}/events", content=body)
            assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error"), body
        wrong = raw.get(f"/v1/sessions/{made.id}/events/stream", params={"event_deltas": "agent.telepathy"})
        assert "agent.telepathy" in wrong.json()["error"]["message"]
        assert raw.put("/v1/sessions").json()["error"]["details"] == {"error_code": "method_not_allowed"}
    assert page.get(f"/api/v1/sessions/{made.id}").status_code == 404, "nothing was begun"


@pytest.mark.requirement("R052")
def test_a_ticket_opens_a_stream_and_sends_nothing(
    client: anthropic.Anthropic, house: Server, page: httpx.Client
) -> None:
    made = create(client)
    done(client, made.id)
    ticket = page.post("/api/v1/tickets").json()["ticket"]
    with caller(house, "") as nobody:
        path = f"/v1/sessions/{made.id}/events?ticket={ticket}"
        assert nobody.post(path, json={"events": [text(SHORT)]}).status_code == 401
        query = {"ticket": ticket, "after": "0"}
        with nobody.stream("GET", f"/v1/sessions/{made.id}/events/stream", params=query) as answer:
            assert answer.status_code == 200, answer.read()
    assert page.get(f"/api/v1/sessions/{made.id}").json()["runs"] == 1
