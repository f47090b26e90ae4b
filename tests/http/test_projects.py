"""A project has one session, whose id follows from the project's, and one run at a time."""

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from uuid import RFC_4122, UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.sessions.ids import deterministic_session_id
from tests.client import Client
from tests.conftest import Server
from tests.http.conftest import LONG

VECTORS = {
    "abc123": "7c782d7a-d783-481f-8755-3ae8b3563cfd",
    "project-1": "f7e9e1da-9638-4043-8add-314eb6ff9ecc",
    "demo": "c8b39803-bd2b-45ca-ad79-9409e48a43c6",
    "Ünïcode-项目": "e3d5da2b-e7cd-4a02-9618-1d8057c4f6ed",
    "550e8400-e29b-41d4-a716-446655440000": "57bcb010-c50a-4fed-988d-49eaec292ae9",
}
BUSY = "Agent session already running for this project"


@pytest.mark.requirement("R006")
@pytest.mark.parametrize("project_id", VECTORS)
def test_a_projects_session_has_the_id_that_follows_from_it(local: Client, project_id: str) -> None:
    assert local.run_task("once", agent="quick", project_id=project_id) == VECTORS[project_id]
    record = local.record(VECTORS[project_id])
    assert (record["session_id"], record["project_id"]) == (VECTORS[project_id], project_id)
    local.end_of(VECTORS[project_id])


@pytest.mark.requirement("R006", "R007")
@given(st.text(min_size=1))
def test_every_projects_session_id_is_a_valid_uuid4_made_of_the_hash(project_id: str) -> None:
    made = deterministic_session_id(project_id)
    parsed = UUID(made)
    assert str(parsed) == made
    assert parsed.version == 4
    assert parsed.variant == RFC_4122
    # All but the six bits that say version and variant come from the hash.
    h = int(hashlib.sha256(f"eluma-agent-session:{project_id}".encode()).hexdigest()[:32], 16)
    fixed = (0xF << 76) | (0b11 << 62)
    assert parsed.int & ~fixed == h & ~fixed


@pytest.mark.requirement("R008")
def test_an_empty_project_id_is_refused(local: Client) -> None:
    answer = local.post("/sessions/run", json={"task": "x", "config": {"project_id": ""}})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert "project_id" in answer.json()["detail"]


@pytest.mark.requirement("R009", "R010")
def test_a_second_start_is_refused_while_other_projects_may_run(local: Client) -> None:
    projects = [f"project-{uuid4()}" for _ in range(2)]
    sessions = [local.run_task(LONG, project_id=project_id) for project_id in projects]
    for project_id, session_id in zip(projects, sessions, strict=True):
        answer = local.post("/sessions/run", json={"task": "me too", "config": {"project_id": project_id}})
        assert (answer.status_code, answer.json()["code"]) == (409, "project_busy")
        assert answer.json()["detail"].startswith(BUSY)
        assert local.record(session_id)["runs"] == 1
    for session_id in sessions:
        local.until(session_id, "session_connect")  # each may have had to wait its turn
    assert [local.record(session_id)["status"] for session_id in sessions] == ["running", "running"]
    for session_id in sessions:
        local.post(f"/sessions/{session_id}/cancel")


@pytest.mark.requirement("R011", "R053")
def test_a_project_is_busy_for_another_user_too_and_tells_nothing_of_whose_it_is(local: Client, ada: Client) -> None:
    project_id = f"project-{uuid4()}"
    session_id = local.run_task(LONG, project_id=project_id)
    answer = ada.post("/sessions/run", json={"task": "me too", "config": {"project_id": project_id}})
    assert (answer.status_code, answer.json()["code"]) == (409, "project_busy")
    assert answer.json()["detail"].startswith(BUSY)
    assert "another user" not in answer.text
    assert ada.get(f"/sessions/{session_id}").status_code == 404
    assert local.record(session_id)["runs"] == 1
    local.post(f"/sessions/{session_id}/cancel")


def test_a_project_whose_session_is_another_users_stays_that_users(local: Client, ada: Client) -> None:
    project_id = f"project-{uuid4()}"
    session_id = local.run_task("once", agent="quick", project_id=project_id)
    local.end_of(session_id)
    answer = ada.post("/sessions/run", json={"task": "mine now", "config": {"project_id": project_id}})
    assert (answer.status_code, answer.json()["code"]) == (409, "project_busy")
    assert local.record(session_id)["runs"] == 1


@pytest.mark.requirement("R012")
def test_once_the_end_can_be_read_a_new_start_works_at_once(local: Client) -> None:
    project_id = f"project-{uuid4()}"
    for run in range(1, 9):
        session_id = local.run_task(f"run {run}", agent="quick", project_id=project_id)
        local.end_of(session_id)
        assert local.record(session_id)["runs"] == run


@pytest.mark.requirement("R013")
def test_of_simultaneous_starts_exactly_one_wins(house: Server) -> None:
    """First with a project that nobody knows, then with one whose session has run before."""
    project_id = f"project-{uuid4()}"
    config = {"project_id": project_id}
    starters = 8
    for run in (1, 2):
        barrier = threading.Barrier(starters)

        def start(_: int, barrier: threading.Barrier = barrier) -> tuple[int, str]:
            with house.client() as client:
                client.get("/health")
                barrier.wait(60)
                answer = client.post("/sessions/run", json={"task": LONG, "config": config})
                return answer.status_code, answer.json().get("code", "")

        with ThreadPoolExecutor(starters) as pool:
            answers = sorted(pool.map(start, range(starters)))
        assert answers == [(200, "")] + [(409, "project_busy")] * (starters - 1)
        with house.client() as client:
            session_id = deterministic_session_id(project_id)
            assert client.record(session_id)["runs"] == run
            client.post(f"/sessions/{session_id}/cancel")
            types = [event["type"] for event in client.follow(session_id)]
            assert (types.count("user_message"), types.count("session_connect")) == (run, run)
