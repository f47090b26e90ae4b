"""The same session read through every dialect gives the same text, the same tool calls and the same reason of its end.

Each reader leaves and comes back at random, by its tongue's own means. What is expected is what the log says.
"""

import json
import os
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.dialects import tongues, tongues_rpc
from tests.dialects.logs import FOLDER
from tests.dialects.story import Stage, Story, difference, played, story_of

Reader = Callable[[Server, Stage, random.Random], Story]
READERS: tuple[Reader, ...] = (
    *(tongues.envelopes, tongues.history, tongues.python_client, tongues.named, tongues.ag_ui),
    *(tongues.managed, tongues.managed_list, tongues_rpc.acp, tongues_rpc.acp_draft, tongues_rpc.acp_socket),
    *(tongues_rpc.mcp_watch, tongues_rpc.mcp_read),
)
# One whose run is not over cannot be imported.
RECORDINGS = [
    entry["name"] for entry in json.loads((FOLDER / "index.json").read_text()) if entry["status"] != "waiting"
]
ALL_ALIKE = [
    "tools 5 slow 1",
    "flood 150 slow 1",
    "Say hello, slow 0.5",
    "stderr 3 crash 7",
    "Say it again, slow 0.3",
]
TO_BE_CANCELLED = "tools 1200 slow 600"


def seeded(name: str) -> random.Random:
    """Another course each time with HOLDFAST_EXPLORE=1; what is printed repeats it."""
    seed = random.randrange(10**9) if os.environ.get("HOLDFAST_EXPLORE") else 4653
    seed = int(os.environ.get("HOLDFAST_SEED", seed))
    print(f"HOLDFAST_SEED={seed} ({name})")
    return random.Random(f"{seed} {name}")


def compare(stage: Stage, reader: Reader, told: Story) -> None:
    found = difference(stage.expected.result(), told, is_joined=reader is tongues.named)
    assert not found, f"{reader.__name__}: {found}"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("tongues") / "data")
    try:
        yield server.start()
    finally:
        server.close()


def _play_tasks(client: Client, stage: Stage) -> None:
    session_id = client.run_task(ALL_ALIKE[0])
    stage.begin(0)
    stage.session_id.set_result(session_id)
    client.end_of(session_id)
    for number, task in enumerate([*ALL_ALIKE[1:], TO_BE_CANCELLED], start=1):
        after = client.record(session_id)["head"]
        client.next_task(session_id, task)
        stage.begin(number)
        if task == TO_BE_CANCELLED:
            client.until(session_id, "tool_start", after=after)
            client.post(f"/sessions/{session_id}/cancel")
        client.end_of(session_id)


def _play_requests(client: Client, stage: Stage) -> None:
    session_id = client.run_task("ask")
    stage.begin(0)
    stage.session_id.set_result(session_id)
    after = 0
    for number, decision in enumerate(("allow_once", "deny", "allow_session")):
        if number:
            client.next_task(session_id, "ask")
            stage.begin(number)
        asked = client.until(session_id, "permission_request", after=after)
        path = f"/sessions/{session_id}/permissions/{asked['data']['request_id']}/answer"
        assert client.post(path, json={"decision": decision}).status_code == 200
        client.end_of(session_id)
        after = client.record(session_id)["head"]


@pytest.mark.requirement("R057", "R078", "R128", "R184", "R185")
@pytest.mark.parametrize(("play", "runs"), [(_play_tasks, len(ALL_ALIKE) + 1), (_play_requests, 3)])
def test_a_session_that_is_read_while_it_is_played_is_the_same_in_every_tongue(
    house: Server, play: Callable[[Client, Stage], None], runs: int
) -> None:
    stage = Stage(runs)

    def read(reader: Reader) -> Story:
        return reader(house, stage, seeded(f"{play.__name__} {reader.__name__}"))

    with ThreadPoolExecutor(len(READERS)) as pool, house.client() as client:
        told = [(reader, pool.submit(read, reader)) for reader in READERS]
        try:
            play(client, stage)
            stage.expected.set_result(story_of(client.history(stage.session_id.result())))
        except BaseException as error:  # the readers wait for it
            for future in (stage.session_id, stage.expected):
                if not future.done():
                    future.set_exception(error)
            raise
        for reader, story in told:
            compare(stage, reader, story.result(120))
    assert len(stage.expected.result().runs) == runs


@pytest.fixture(scope="module")
def imported(house: Server) -> list[tuple[str, Stage]]:
    """Logs of real runs."""
    with house.client() as client:
        return [(name, _import(client, name)) for name in RECORDINGS]


def _import(client: Client, name: str) -> Stage:
    events: list[dict[str, Any]] = [
        event
        for event in map(json.loads, (FOLDER / f"{name}.jsonl").read_text().splitlines())
        if not event["data"].get("is_partial")
    ]
    session = {"session_id": f"recording-{name}", "agent": "demo", "created_at": events[0]["timestamp"]}
    heading = {"holdfast": 1, "exported_at": events[-1]["timestamp"], "session": session}
    file = "\n".join(json.dumps(line) for line in (heading, *events))
    answer = client.post("/sessions/import", content=file.encode())
    assert answer.status_code == 200, (name, answer.text)
    return played(answer.json()["session_id"], story_of(events))


@pytest.mark.requirement("R057", "R078", "R128", "R184", "R185")
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
def test_every_recording_is_the_same_in_every_tongue(
    house: Server, imported: list[tuple[str, Stage]], reader: Reader
) -> None:
    dice = seeded(reader.__name__)
    for name, stage in imported:
        print(name)
        compare(stage, reader, reader(house, stage, dice))
