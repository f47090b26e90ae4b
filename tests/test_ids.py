"""Session ids: a project's is always the same, and other programs compute the same one."""

import re
from hashlib import sha256
from uuid import RFC_4122, UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.sessions.ids import deterministic_session_id, random_session_id

VECTORS = {
    "abc123": "7c782d7a-d783-481f-8755-3ae8b3563cfd",
    "project-1": "f7e9e1da-9638-4043-8add-314eb6ff9ecc",
    "demo": "c8b39803-bd2b-45ca-ad79-9409e48a43c6",
    "Ünïcode-项目": "e3d5da2b-e7cd-4a02-9618-1d8057c4f6ed",
    "550e8400-e29b-41d4-a716-446655440000": "57bcb010-c50a-4fed-988d-49eaec292ae9",
}


@pytest.mark.requirement("R006")
@pytest.mark.parametrize(("project_id", "session_id"), VECTORS.items())
def test_a_projects_session_id_is_the_one_that_everybody_computes(project_id, session_id):
    assert deterministic_session_id(project_id) == session_id


@pytest.mark.requirement("R006", "R007")
@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8")))
def test_a_projects_session_id_is_a_uuid_made_of_the_digest(project_id):
    found = deterministic_session_id(project_id)
    uuid = UUID(found)
    assert str(uuid) == found
    assert (uuid.version, uuid.variant) == (4, RFC_4122)
    digest = sha256(f"eluma-agent-session:{project_id}".encode()).hexdigest()
    assert (found[:13], found[15:18], found[20:]) == (
        f"{digest[:8]}-{digest[8:12]}",
        digest[13:16],
        f"{digest[17:20]}-{digest[20:32]}",
    )
    assert int(found[19], 16) & 3 == int(digest[16], 16) & 3


@pytest.mark.requirement("R007", "R008")
def test_a_session_without_a_project_has_a_random_uuid():
    found = {random_session_id() for _ in range(100)}
    assert len(found) == 100
    assert all((UUID(id_).version, UUID(id_).variant) == (4, RFC_4122) for id_ in found)


@pytest.mark.requirement("R006", "R008")
def test_the_server_gives_out_these_ids(client):
    project_id = "Ünïcode-项目"
    assert client.run_task("flood 1", project_id=project_id) == VECTORS[project_id]
    first, second = client.run_task("flood 1"), client.run_task("flood 1")
    assert first != second
    assert UUID(first).version == UUID(second).version == 4


@pytest.mark.requirement("R008")
def test_an_empty_project_id_is_refused_and_named(client):
    answer = client.post("/sessions/run", json={"task": "flood 1", "config": {"project_id": ""}})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert re.search("project_id", answer.json()["detail"])
