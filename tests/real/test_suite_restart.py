"""kill -9 of the server while every kind of agent is in the middle of a text, of a tool and of a question.

One server is killed once, with all of them at their places; each test looks at one.
"""

from collections.abc import Iterator

import pytest

from tests.client import Client
from tests.real.actors import AGENTS, PLACES, Asking, Events, Scene, actor_named, new_server, pieces_and_finals

# The first test waits for all of them.
pytestmark = pytest.mark.timeout(300)


class Killed:
    """A session that was at its place when the server was killed, and went on when there was another."""

    def __init__(self, scene: Scene, session_id: str) -> None:
        self.scene, self.session_id = scene, session_id
        self.seen: Events = []
        self.rest: Events = []

    def watch(self, client: Client) -> None:
        """Reads until it is at its place, as a client that is cut off there."""
        last = self.scene.until_reached(client, self.session_id, 0)
        with client.stream(f"/sessions/{self.session_id}/events") as stream:
            for frame in stream:
                if frame.is_event:
                    self.seen.append(frame.data)
                    if frame.data["sequence"] == last["sequence"]:
                        return

    def come_back(self, client: Client) -> None:
        self.rest = client.follow(self.session_id, after=self.seen[-1]["sequence"])


@pytest.fixture(scope="module")
def killed(tmp_path_factory, models_process) -> Iterator[dict[tuple[str, str], Killed]]:
    folder = tmp_path_factory.mktemp("killed")
    server = new_server(folder, models_process)

    def begin(client: Client, name: str, place: str) -> Killed:
        workspace = folder / name / place
        workspace.mkdir(parents=True)
        scene = actor_named(name, models_process).at(place, workspace, seconds=4, is_seen_through=True)
        config = {"agent": name, "workspace": str(workspace), "timeout_s": 120, **scene.config}
        return Killed(scene, client.run_task(scene.task, **config))

    with server.client() as client:
        sessions: dict[tuple[str, str], Killed] = {}
        # The demo agent last, since it waits for nobody. Not all at once: each start of Claude Code takes a core.
        for name in ("claude", "codex", "goose", "demo"):
            for place in PLACES:
                sessions[name, place] = begin(client, name, place)
            for place in PLACES:
                sessions[name, place].watch(client)
        server.kill()
        for session in sessions.values():
            if not isinstance(session.scene, Asking):  # an answer needs a server
                session.scene.let_go(client, session.session_id)
        server.start()
        for session in sessions.values():
            if isinstance(session.scene, Asking):
                session.scene.let_go(client, session.session_id)
            session.scene.see_through(client, session.session_id)
            session.come_back(client)
        yield sessions
    server.close()


@pytest.mark.requirement("R143", "R144", "R081")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_works_on_while_its_server_is_killed_and_nothing_is_lost_or_doubled(killed, name, place):
    session = killed[name, place]
    whole = [*session.seen, *session.rest]
    assert [event["sequence"] for event in whole] == list(range(1, len(whole) + 1))
    assert [event["type"] for event in whole].count("agent_start") == 1
    assert whole[-1]["data"]["stop_reason"] == "success", whole[-1]
    for _, pieces, final in pieces_and_finals(whole):
        assert "".join(pieces).strip() == final.strip()
    starts = [event["data"]["tool_id"] for event in whole if event["type"] == "tool_start"]
    completes = [event["data"] for event in whole if event["type"] == "tool_complete"]
    assert starts == [complete["tool_id"] for complete in completes]
    assert not any(complete["is_error"] for complete in completes)
    assert len(starts) == (0 if place == "text" else 1)
    finals = [final for _, _, final in pieces_and_finals(whole)]
    if place == "text" and name != "demo":
        assert finals == ["Half one. Half two."]
