"""The wire form of an event: nothing in a payload can break it."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.client import Client
from tests.conftest import Server
from tests.stream.reading import event_source, log_of

FRAME = re.compile(rb'id: (\d+)\ndata: (\{"type":"\w+","data":\{.*\},"timestamp":"[^"]+","sequence":\d+\})\n\n')
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.mark.requirement("R026", "R021", "R022", "R023", "R071")
def test_every_event_has_the_four_fields_and_nothing_else(local: Client, river: Server) -> None:
    began = datetime.now(UTC) - timedelta(milliseconds=1)
    session_id = local.run_task("Say hello, slow 0.1")
    local.end_of(session_id)
    local.next_task(session_id, "tools 2 crash")
    local.end_of(session_id)
    raw = local.get(f"/sessions/{session_id}/events").content
    _, _, events = raw.partition(b"event: stream\n")
    events = events.partition(b"\n\n")[2]
    assert b"".join(match[0] for match in FRAME.finditer(events)) == events, "frames and nothing between them"
    for number, match in enumerate(FRAME.finditer(events), 1):
        envelope = json.loads(match[2])
        assert list(envelope) == ["type", "data", "timestamp", "sequence"]
        assert int(match[1]) == envelope["sequence"] == number
        assert STAMP.fullmatch(envelope["timestamp"])
        at = datetime.fromisoformat(envelope["timestamp"])
        assert began <= at <= datetime.now(UTC)
    assert [match[0].decode().removesuffix("\n\n") for match in FRAME.finditer(events)] == log_of(river, session_id)


@pytest.mark.requirement("R022")
def test_the_timestamp_is_the_same_live_later_and_in_history(local: Client) -> None:
    session_id = local.run_task("Say hello, slow 0.3")
    live = local.follow(session_id)
    later = local.follow(session_id)
    assert live == later
    stamps = {event["sequence"]: event["timestamp"] for event in live}
    history = local.history(session_id)
    assert history
    assert all(stamps[event["sequence"]] == event["timestamp"] for event in history)


# What ends a line or a frame somewhere, and what a stream says of itself.
HOSTILE = [
    *(
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        "\r\r",
        "\0",
        "\u2028",
        "\u2029",
        "\u0085",
        "\v",
        "\f",
        "\ufeff",
        "\x1b[31m",
        '"}',
        "\\",
    ),
    *("id: 5\n", "data: {}\n\n", "event: stream\n", ": heartbeat\n\n", "retry: 1\n", "\uffff", "\U0010ffff"),
]


@pytest.mark.requirement("R028")
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.sampled_from(HOSTILE) | st.text(min_size=1), min_size=1, max_size=40)
    .map("".join)
    .filter(re.compile(r"\S").search)
)
@example("".join(HOSTILE))
@example("\n\nid: 5")
def test_any_task_comes_out_of_the_stream_as_it_went_in(river: Server, task: str) -> None:
    with river.client() as client:
        session_id = client.run_task(task, agent="quick")
        raw = client.get(f"/sessions/{session_id}/events").content
        record = client.record(session_id)
    assert b"\r" not in raw
    dispatched = event_source(raw)
    assert [message.event for message in dispatched] == ["stream"] + ["message"] * (len(dispatched) - 1)
    messages = dispatched[1:]
    envelopes = [json.loads(message.data) for message in messages]
    assert [int(message.last_id) for message in messages] == list(range(1, record["head"] + 1))
    assert [envelope["sequence"] for envelope in envelopes] == list(range(1, record["head"] + 1))
    assert [envelope["type"] for envelope in envelopes].count("user_message") == 1
    assert envelopes[0]["data"] == {"text": task}
    assert record["task"] == task
