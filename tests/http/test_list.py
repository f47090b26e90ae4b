"""GET /sessions: newest first, filtered, a page at a time, and where the combined stream goes on from it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.http.conftest import LENA, LONG


def listed(client: Client, **query: object) -> dict[str, Any]:
    answer = client.get("/sessions", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def ids(client: Client, **query: object) -> list[str]:
    return [record["session_id"] for record in listed(client, **query)["sessions"]]


@pytest.fixture(scope="module")
def lenas(house: Server) -> Iterator[dict[str, list[str]]]:
    """Lena's sessions, oldest first, by what they are; tests that make more add them as `later`."""
    with house.client(LENA) as client:
        made = {
            "quick": [client.run_task(f"quick {n}", agent="quick") for n in range(3)],
            "project": [client.run_task("in a project", agent="quick", project_id=f"list-{n}") for n in range(2)],
            "demo": [client.run_task("tools 1") for _ in range(2)],
        }
        for session_ids in made.values():
            for session_id in session_ids:
                client.end_of(session_id)
        made["long"] = [client.run_task(LONG)]
        client.until(made["long"][0], "session_connect")  # it may have had to wait its turn
        made["later"] = []
        yield made
        client.post(f"/sessions/{made['long'][0]}/cancel")


def test_the_newest_comes_first_and_only_ones_own(lena: Client, lenas: dict[str, list[str]]) -> None:
    made = [session_id for session_ids in lenas.values() for session_id in session_ids]
    assert ids(lena) == made[::-1]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 200])
def test_the_pages_together_are_the_whole_list(lena: Client, lenas: dict[str, list[str]], limit: int) -> None:
    found: list[str] = []
    page = listed(lena, limit=limit)
    pages = 1
    while "next" in page:
        assert len(page["sessions"]) == limit
        found += [record["session_id"] for record in page["sessions"]]
        page = listed(lena, limit=limit, before=page["next"])
        pages += 1
    found += [record["session_id"] for record in page["sessions"]]
    assert found == ids(lena)
    assert pages == -(-len(found) // limit), "the last page has no `next`, even if it is full"


def test_the_filters_choose_and_several_values_are_alternatives(lena: Client, lenas: dict[str, list[str]]) -> None:
    assert ids(lena, agent="demo") == (lenas["demo"] + lenas["long"])[::-1]
    assert ids(lena, agent=["demo", "quick"]) == ids(lena)
    assert ids(lena, status="running") == lenas["long"]
    assert ids(lena, status="failed") == (lenas["quick"] + lenas["project"] + lenas["later"])[::-1]
    assert ids(lena, status=["running", "complete"]) == (lenas["demo"] + lenas["long"])[::-1]
    assert ids(lena, project_id="list-1") == lenas["project"][1:]
    assert ids(lena, project_id=["list-0", "list-1"]) == lenas["project"][::-1]
    assert ids(lena, agent="demo", status="complete") == lenas["demo"][::-1]
    assert ids(lena, agent="nobody") == []
    assert ids(lena, agent="quick", project_id="list-0") == lenas["project"][:1]


def test_it_can_be_searched_a_page_at_a_time_and_together_with_the_filters(
    lena: Client, lenas: dict[str, list[str]]
) -> None:
    assert ids(lena, q="a PROJECT") == lenas["project"][::-1]
    assert ids(lena, q="list-1") == lenas["project"][1:]
    assert ids(lena, q="quick", status="running") == []
    assert ids(lena, q=lenas["demo"][0]) == lenas["demo"][:1]
    assert ids(lena, q="100%") == ids(lena, q="a_project") == []
    first = listed(lena, q="quick", agent="quick", limit=2)
    rest = ids(lena, q="quick", agent="quick", before=first["next"])
    assert [record["session_id"] for record in first["sessions"]] + rest == ids(lena, q="quick", agent="quick")
    assert len(rest) >= 3


def test_a_session_that_comes_between_two_pages_moves_nothing(lena: Client, lenas: dict[str, list[str]]) -> None:
    before = ids(lena, agent="quick")
    first = listed(lena, limit=2, agent="quick")
    lenas["later"].append(lena.run_task("between", agent="quick"))
    lena.end_of(lenas["later"][-1])
    rest = ids(lena, agent="quick", before=first["next"])
    assert [record["session_id"] for record in first["sessions"]] + rest == before


@pytest.mark.requirement("R073")
def test_the_combined_stream_goes_on_where_the_list_stands(lena: Client, lenas: dict[str, list[str]]) -> None:
    position = listed(lena)["position"]
    session_id = lena.run_task("after the list", agent="quick")
    lenas["later"].append(session_id)
    seen = []
    with lena.stream("/events", after=position) as stream:
        for frame in stream:
            if frame.is_event and frame.data["session_id"] == session_id:
                seen.append(frame)
                if frame.data["type"] == "error":
                    break
    assert seen[0].data["type"] == "user_message"
    assert seen[0].id > position
    own = [{key: value for key, value in frame.data.items() if key != "session_id"} for frame in seen]
    assert own == lena.follow(session_id)


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"limit": 0}, "0"),
        ({"limit": 201}, "201"),
        ({"limit": "ten"}, "ten"),
        ({"limit": "-1"}, "-1"),
        ({"limit": "٣"}, "٣"),
        ({"limit": "1" * 5000}, "limit"),
        ({"status": "done"}, "done"),
        ({"status": ["failed", "done"]}, "done"),
        ({"before": "nonsense"}, "nonsense"),
        ({"before": "é"}, "é"),
        ({"before": "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OS4x"}, "before"),  # 999…9.1
        ({"q": "x" * 201}, "201"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_a_wrong_query_is_refused_and_named(lena: Client, query: dict[str, object], named: str) -> None:
    answer = lena.get("/sessions", params=query)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert named in answer.json()["detail"]
