"""Where a reader goes on: `Last-Event-ID`, `?after=`, and the law that what comes after N is the rest."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.client import Client
from tests.conftest import Server
from tests.stream.reading import frames_of, log_of, opening_of


@pytest.fixture(scope="module")
def past(river: Server) -> tuple[str, list[str]]:
    """A session of two runs that is over, and its log."""
    with river.client() as client:
        session_id = client.run_task("Say hello, slow 0.1")
        client.end_of(session_id)
        client.next_task(session_id, "tools 300 flood 300")
        client.end_of(session_id)
    return session_id, log_of(river, session_id)


@pytest.mark.requirement("R057", "R058", "R090")
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_after_n_comes_exactly_the_rest(river: Server, past: tuple[str, list[str]], data: st.DataObject) -> None:
    session_id, log = past
    after = data.draw(st.integers(0, len(log) - 1))
    with river.client() as client:
        assert frames_of(client, session_id, after=after) == log[after:]


@pytest.mark.requirement("R058")
def test_without_a_position_it_begins_with_1(local: Client, past: tuple[str, list[str]]) -> None:
    session_id, log = past
    assert frames_of(local, session_id) == log
    assert log[0].startswith("id: 1\n")


@pytest.mark.requirement("R055")
@pytest.mark.parametrize("given", ["", "abc", "-3", "3.5", "0x10", "+4", "1e3", "٣", "3 4", "null", "NaN"])
def test_a_position_that_is_no_number_means_0(local: Client, past: tuple[str, list[str]], given: str) -> None:
    session_id, log = past
    path, begun = f"/sessions/{session_id}/events", {"resume": "ok", "after": 0, "head": len(log)}
    assert opening_of(local, path, last_event_id=given) == begun
    assert opening_of(local, path, query={"after": given}) == begun


@pytest.mark.requirement("R056")
def test_the_query_does_the_same_and_the_header_wins(local: Client, past: tuple[str, list[str]]) -> None:
    session_id, log = past
    path, near = f"/sessions/{session_id}/events", len(log) - 3
    answer = local.get(path, params={"after": near})
    assert answer.text.partition("}\n\n")[2] == "".join(f"{frame}\n\n" for frame in log[near:])
    for query, header, after in ((5, None, 5), (5, 7, 7), (7, 5, 5), (5, 0, 0), (5, "abc", 0)):
        assert opening_of(local, path, query={"after": query}, last_event_id=header)["after"] == after
