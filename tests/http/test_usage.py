"""GET /usage: what the caller's runs have cost, over all of them and in parts."""

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.http.conftest import SETTINGS

NORA = "token-of-nora"


@pytest.fixture(scope="module")
def nora(tmp_path_factory: pytest.TempPathFactory):
    """A user whose runs are known: three of two agents in two sessions."""
    server = Server(tmp_path_factory.mktemp("usage") / "data")
    server.config.write_text(f'{SETTINGS}\n[users.nora]\ntoken = "{NORA}"\n')
    try:
        with server.start().client(NORA) as client:
            first = client.run_task("tools 1", project_id="counted")
            client.end_of(first)
            client.next_task(first, "tools 1")
            client.end_of(first)
            client.end_of(client.run_task("anything", agent="quick"))
            with server.client() as local:
                local.end_of(local.run_task("another user's"))
            yield client
    finally:
        server.close()


def parts(client: Client, by: str) -> dict[str, int]:
    return {part["name"]: part["runs"] for part in client.get("/usage", params={"by": by}).json()["parts"]}


def test_every_run_counts_not_only_the_last_one_of_a_session(nora: Client) -> None:
    total = nora.get("/usage").json()["total"]
    ends = [
        event["data"]
        for record in nora.get("/sessions").json()["sessions"]
        for event in nora.history(record["session_id"])
        if event["type"] in ("agent_complete", "error", "cancelled")
    ]
    assert total["runs"] == len(ends) == 3
    assert total["total_cost_usd"] == pytest.approx(sum(end.get("total_cost_usd", 0) for end in ends))
    assert total["num_turns"] == sum(end.get("num_turns", 0) for end in ends)
    assert total["runs_without_cost"] == sum("total_cost_usd" not in end for end in ends)


def test_it_is_told_in_parts(nora: Client) -> None:
    assert parts(nora, "agent") == {"demo": 2, "quick": 1}
    assert parts(nora, "project") == {"counted": 2, "": 1}
    assert sorted(parts(nora, "session").values()) == [1, 2]
    [(day, runs)] = parts(nora, "day").items()
    assert (len(day), runs) == (10, 3)
    assert sum(parts(nora, "model").values()) == 3


def test_it_is_counted_from_a_time_on_and_up_to_one(nora: Client) -> None:
    today = next(iter(parts(nora, "day")))
    assert nora.get("/usage", params={"since": today}).json()["total"]["runs"] == 3
    assert nora.get("/usage", params={"until": today}).json()["total"]["runs"] == 0
    assert nora.get("/usage", params={"since": "2999-01-01T00:00:00+02:00"}).json()["total"]["runs"] == 0
    ever = nora.get("/usage", params={"since": "0001-01-01", "until": "9999-12-31T23:59:59-12:00"}).json()
    assert (ever["total"]["runs"], ever["since"][:4], ever["until"][:4]) == (3, "1970", "9999")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ({"by": "colour"}, "by='colour' is none of: agent, project, model, day, session"),
        ({"since": "lately"}, "since='lately' is not a time"),
        ({"untill": "2026-01-01"}, "'untill' is not known"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_its_value(nora: Client, query: dict[str, str], why: str) -> None:
    answer = nora.get("/usage", params=query)
    assert answer.status_code == 400
    assert why in answer.json()["detail"]
