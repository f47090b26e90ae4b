"""What somebody sees who watches an agent while the network or the server goes away."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.processes import eventually
from tests.web.cable import Cable
from tests.web.speaker import saying, with_speaker
from tests.web.talking import connection_banner, has_tone, settle, started, transcript, words

PARAGRAPHS = "\n\n".join(f"Paragraph {number}: the quick brown fox jumps over the lazy dog." for number in range(60))


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "story.md"
    path.write_text(PARAGRAPHS)
    return path


@pytest.mark.requirement("R143", "R144", "R159", "R160", "R164")
def test_a_server_killed_in_the_middle_of_a_message_leaves_a_page_that_goes_on(make_server, visit, story, tmp_path):
    server = with_speaker(make_server(), tmp_path / "bin").start()
    gate = tmp_path / "gate"
    session_id = started(server, saying(story, pieces=120, seconds=1, gates=[gate]), agent="speaker")
    page = visit(server, f"/sessions/{session_id}")
    expect(transcript(page)).to_contain_text("Paragraph 28:")

    server.kill()
    expect(connection_banner(page)).to_contain_text("Reconnecting")
    assert has_tone(connection_banner(page), "warn")
    expect(transcript(page)).to_contain_text("Paragraph 28:")  # nothing was cleared
    gate.touch()  # the agent goes on, whoever listens
    server.start()

    settle(page)
    expect(connection_banner(page)).to_have_count(0)
    said = words(page)
    numbers = [int(number) for number in re.findall(r"Paragraph (\d+):", said)]
    assert numbers == list(range(60))
    page.reload()
    settle(page)
    assert words(page) == said


def stop_the_clock(page: Page) -> None:
    """It can only be put forward: by more than goes by until it stands."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)


@pytest.mark.requirement("R157", "R161", "R162", "R163")
def test_a_cable_that_is_pulled_and_plugged_in_again_costs_nothing(make_server, visit, story, tmp_path):
    server = with_speaker(make_server(), tmp_path / "bin").start()
    cable = Cable(server.port)
    gates = [tmp_path / f"gate-{number}" for number in range(3)]
    session_id = started(server, saying(story, pieces=120, seconds=1, gates=gates), agent="speaker")
    page = visit(server, f"/sessions/{session_id}", through=cable.url, clock=True)
    for gate, last in zip(gates, (13, 28), strict=False):
        expect(transcript(page)).to_contain_text(f"Paragraph {last}:")
        stop_the_clock(page)  # a second is soon over, and with it the attempt
        cable.pull()
        expect(connection_banner(page)).to_contain_text("Attempt 1 of 5")
        gate.touch()  # more is said while nobody hears it
        cable.plug()
        page.clock.resume()
        expect(connection_banner(page)).to_have_count(0)
        expect(page.get_by_text("Live", exact=True)).to_be_visible()
    gates[-1].touch()
    settle(page)
    numbers = [int(number) for number in re.findall(r"Paragraph (\d+):", words(page))]
    assert numbers == list(range(60))
    cable.pull()


@pytest.mark.requirement("R155", "R156", "R161")
def test_after_five_attempts_there_is_a_button_to_reconnect(make_server, visit, story, tmp_path):
    server = with_speaker(make_server(), tmp_path / "bin").start()
    cable = Cable(server.port)
    session_id = started(server, saying(story, gates=[tmp_path / "gate"]), agent="speaker")
    page = visit(server, f"/sessions/{session_id}", through=cable.url, clock=True)
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    banner = connection_banner(page)
    stop_the_clock(page)
    cable.pull()
    for attempt in range(1, 6):
        seconds = 2 ** (attempt - 1)
        expect(banner).to_contain_text(f"Attempt {attempt} of 5")
        page.clock.run_for(seconds * 1000 - 300)
        expect(banner).to_contain_text(re.compile(rf"Attempt {attempt} of 5 in [12] s"))  # not before its time
        page.clock.run_for(300)
    expect(banner).to_contain_text("The connection to the server is lost")
    assert has_tone(banner, "bad")
    cable.plug()
    page.clock.resume()
    banner.get_by_role("button", name="Reconnect").click()
    expect(connection_banner(page)).to_have_count(0)
    cable.pull()


def test_a_server_that_is_stopped_ends_its_runs_and_the_page_does_not_say_that_they_go_on(make_server, visit):
    server = make_server().start()
    page = visit(server, f"/sessions/{started(server, 'hang')}")
    expect(page.get_by_text("Waiting for the model")).to_be_visible()
    running = page.get_by_role("link", name=re.compile("hang.*Running"))
    expect(running).to_be_visible()
    server.stop()
    settle(page)
    expect(running).to_have_count(0)
    expect(page.locator("header").get_by_text("Interrupted")).to_be_visible()
    expect(page.get_by_text("Waiting for the model")).to_have_count(0)


@pytest.mark.requirement("R158", "R165", "R166")
def test_a_session_that_is_over_is_followed_by_nobody(server, visit):
    """The page reads the history and the combined stream; no stream of the session itself stays open."""
    session_id = started(server, "Say hello")
    page = visit(server, f"/sessions/{session_id}")
    opened: list[str] = []
    page.on("request", lambda request: opened.append(request.url))
    settle(page)
    # A page that opens catches up, and once more when its feed is open: that is over when nothing is asked for a while.
    with server.client() as client:
        eventually(lambda: client.get("/health").json()["streams"] == 1)
    asked: list[int] = []
    while len(set(asked[-3:])) != 1 or len(asked) < 3:
        asked.append(len(opened))
        page.wait_for_timeout(1_000)
    opened.clear()
    page.get_by_role("link", name="New task").click()
    expect(page.get_by_role("textbox").first).to_be_visible()
    with server.client() as client:
        eventually(lambda: client.get("/health").json()["streams"] == 1)
    assert not [url for url in opened if f"{session_id}/events" in url]


@pytest.mark.requirement("R073")
def test_twenty_tabs_stay_live_over_one_connection(make_server, visit, story, tmp_path):
    server = with_speaker(make_server(), tmp_path / "bin").start()
    gate = tmp_path / "gate"
    session_id = started(server, saying(story, pieces=60, seconds=1, gates=[gate]), agent="speaker")
    first = visit(server, f"/sessions/{session_id}")
    tabs = [first, *(first.context.new_page() for _ in range(19))]
    for tab in tabs[1:]:
        tab.goto(f"{server.url}/sessions/{session_id}", wait_until="commit")
    for tab in tabs:
        expect(transcript(tab)).to_contain_text("Paragraph 28:", timeout=60_000)
    with server.client() as client:
        # Beside the one that leads, a tab may be catching up for a moment.
        eventually(lambda: client.get("/health").json()["streams"] == 1)
    first.close()  # it led; another one takes over
    gate.touch()
    for tab in tabs[1:]:
        settle(tab)
        expect(transcript(tab)).to_contain_text("Paragraph 59:")
