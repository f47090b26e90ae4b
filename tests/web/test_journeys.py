"""What people do with it: give a task, watch, answer, cancel, go on, look things up again."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.talking import at_rest, at_work, chip, has_tone, picture, read_all, settle, started, transcript, words


def test_from_the_opened_address_to_the_first_streamed_word_it_takes_two_clicks_at_most(server, visit):
    page = visit(server, "/?token=test-token", logged_in=False)
    assert "token" not in page.url
    page.get_by_role("button", name="Show me what you can do").click()
    expect(page).to_have_url(re.compile(r"/sessions/"))
    expect(page.locator("[data-row=block], [data-row=text]").first).to_be_visible()
    settle(page)


@pytest.mark.requirement("R167", "R169", "R170", "R171", "R176")
def test_a_conversation_shows_the_task_the_answer_the_tools_and_how_it_ended(home, visit):
    page = visit(home, "/new")
    page.get_by_role("textbox", name="Task").fill("Write a note, please")
    page.get_by_role("button", name="Start", exact=True).click()
    settle(page)
    live = words(page)
    assert live.index("Write a note, please") < live.index("Thought") < live.index("Task complete")
    expect(chip(page, "Task complete")).to_be_visible()
    expect(page.locator("header").get_by_text(re.compile(r"\d+ (m?s|min)"))).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    page.reload()
    settle(page)
    assert words(page) == live  # history folds to what the stream gave


@pytest.mark.requirement("R108", "R110", "R173")
def test_a_crash_shows_exit_code_what_it_means_and_the_lines_of_stderr(home, visit):
    session_id = started(home, "stderr 250 crash 3")
    page = visit(home, f"/sessions/{session_id}")
    settle(page)
    end = page.locator("[data-row=end]")
    expect(end).to_contain_text("Exit code 3")
    expect(end).to_contain_text(re.compile(r"\b25\d\b"))  # how many lines there were
    expect(end).to_contain_text("agent exited with status")
    expect(chip(page, "The agent's program ended unexpectedly")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("stderr 250 crash 3.*Failed"))).to_be_visible()
    picture(page, "crash")


@pytest.mark.requirement("R108")
@pytest.mark.parametrize(("task", "tone"), [("Say hello", "accent"), ("crash", "bad")])
def test_the_chip_is_blue_for_success_and_red_for_everything_else(home, visit, task, tone):
    page = visit(home, f"/sessions/{started(home, task)}")
    settle(page)
    assert has_tone(page.locator("header [data-stop]").first, tone)


def test_a_permission_is_asked_above_the_message_box_and_answered_there(server, visit):
    page = visit(server, f"/sessions/{started(server, 'ask')}")
    dock = page.locator("[data-dock]")
    expect(dock.get_by_role("button", name="Allow once")).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.get_by_text("Waiting for you").first).to_be_visible()
    picture(page, "permission")
    dock.get_by_role("button", name="Allow once").click()
    expect(page.locator("[data-dock] button")).to_have_count(0)
    settle(page)
    expect(chip(page, "Task complete")).to_be_visible()
    expect(page).to_have_title(re.compile(r"^(?!\()"))


def test_an_answer_given_in_one_tab_disappears_from_the_other_and_from_the_inbox(server, visit):
    session_id = started(server, "ask")
    one = visit(server, f"/sessions/{session_id}")
    other = visit(server, f"/sessions/{session_id}")
    inbox = visit(server, "/inbox")
    for page in (one, other, inbox):
        expect(page.get_by_role("button", name="Allow once")).to_be_visible()
    one.get_by_role("button", name=re.compile("Deny")).click()
    one.get_by_role("textbox", name="Words for the agent").fill("Not today")
    one.keyboard.press("Enter")
    for page in (one, other, inbox):
        expect(page.get_by_role("button", name="Allow once")).to_have_count(0)
    settle(other)
    with server.client() as client:
        resolved = [event for event in client.follow(session_id) if event["type"] == "permission_resolved"]
    assert [event["data"]["message"] for event in resolved] == ["Not today"]


def test_a_run_is_cancelled_after_a_question_and_can_go_on(home, visit):
    page = visit(home, f"/sessions/{at_work(home, 'slow 60 tools 100')}")
    expect(transcript(page)).to_contain_text("slow 60")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel run").click()
    settle(page)
    expect(chip(page, "Cancelled")).to_be_visible()
    page.get_by_role("textbox", name="Message to the agent").fill("Say hello")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator("[data-row=user]").last).to_contain_text("Say hello")
    expect(chip(page, "Task complete")).to_be_visible(timeout=40_000)


def test_a_run_is_paused_and_resumed(home, visit):
    page = visit(home, f"/sessions/{at_work(home, 'slow 40 tools 100')}")
    page.get_by_role("button", name="Pause").click()
    expect(chip(page, "Paused")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("Can go on"))).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("dialog").get_by_role("button", name="Go on").click()
    # The demo agent has little left to do; nobody may be looking while it is at work.
    expect(chip(page, "Task complete")).to_be_visible(timeout=40_000)
    expect(page.locator("[data-row=end]")).to_have_count(2)


@pytest.mark.requirement("R174")
def test_a_follow_up_on_a_session_that_cannot_go_on_offers_a_fresh_one(home, visit):
    """A discarded session has nothing left to continue."""
    session_id = started(home, "slow 40 tools 100")
    with home.client() as client:
        client.until(session_id, "agent_start")
        client.post(f"/sessions/{session_id}/pause")
        client.post(f"/sessions/{session_id}/discard")
        assert client.record(session_id)["resumable"] is False
    page = visit(home, f"/sessions/{session_id}")
    page.get_by_role("textbox", name="Message to the agent").fill("Say hello")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile(session_id))
    settle(page)
    expect(page.locator("[data-row=user]")).to_have_count(1)
    expect(page.locator("[data-row=user]")).to_contain_text("Say hello")


@pytest.mark.requirement("R177", "R178")
def test_a_projects_page_starts_a_session_and_hides_the_form_while_it_runs(server, visit):
    page = visit(server, "/projects/shop")
    box = page.get_by_role("textbox", name="Task")
    expect(box).to_have_value("Analyze this project and suggest next steps")
    box.fill("Say hello")
    others: list[str] = []

    def somebody_is_faster(route: Route) -> None:
        others.append(started(server, "slow 30 tools 50", project_id="shop"))
        route.continue_()

    page.route("**/sessions/run", somebody_is_faster)
    with page.expect_response("**/sessions/run") as answer:
        page.get_by_role("button", name="Start the agent").click()
    assert answer.value.status == 409
    expect(page.get_by_text(re.compile("at work")).first).to_be_visible()
    expect(page.get_by_role("button", name="Start the agent")).to_have_count(0)
    with server.client() as client:
        client.post(f"/sessions/{others[0]}/cancel")
    expect(page.get_by_role("button", name="Start the agent")).to_be_visible()
    with server.client() as client:
        assert [session["session_id"] for session in client.get("/sessions").json()["sessions"]] == others


def test_the_list_is_live_and_can_be_searched(server, visit):
    page = visit(server, "/agents")
    started(server, "First of them")
    expect(page.get_by_role("link", name=re.compile("First of them.*Finished"))).to_be_visible()
    started(server, "slow 30 tools 30 second")
    running = page.get_by_role("region", name=re.compile("Running"))
    expect(running.get_by_role("link", name=re.compile("second"))).to_be_visible()
    page.get_by_role("searchbox", name="Search sessions").fill("first")
    expect(page.get_by_role("link", name=re.compile("second"))).to_have_count(0)
    expect(page.get_by_role("link", name=re.compile("First of them"))).to_be_visible()


def test_what_can_go_on_is_offered_after_a_restart(make_server, visit):
    server = make_server().start()
    started(server, "slow 60 tools 100")
    with server.client() as client:
        session_id = client.get("/sessions").json()["sessions"][0]["session_id"]
        client.until(session_id, "agent_start")
    server.stop()
    server.start()
    page = visit(server, "/agents")
    group = page.get_by_role("region", name=re.compile("Can go on"))
    expect(group.get_by_role("link", name=re.compile("slow 60"))).to_be_visible()


def test_a_link_to_an_event_leads_to_it_and_a_reload_comes_back_to_the_place(home, visit):
    session_id = started(home, "tools 200")
    with home.client() as client:
        client.until(session_id, "agent_complete")
        events = client.follow(session_id)
    wanted = next(event for event in events if event["type"] == "tool_start" and event["sequence"] > 150)
    page = visit(home, f"/sessions/{session_id}#e{wanted['sequence']}")
    target = page.locator("[data-target]")
    expect(target).to_be_in_viewport()
    page.reload()
    expect(target).to_be_in_viewport()


def test_a_reader_leaps_to_any_place_and_stays_there(home, visit):
    session_id = started(home, "tools 300")
    page = visit(home, f"/sessions/{session_id}")
    settle(page)
    page.locator("[data-row=group]").first.get_by_role("button").first.click()
    feed = transcript(page)
    feed.hover()
    page.mouse.wheel(0, -100_000)
    expect(page.locator("[data-row=user]")).to_be_in_viewport()
    page.mouse.wheel(0, 5_000)  # far beyond the rows that are on the page
    expect(page.locator("[data-row=user]")).to_have_count(0)
    expect(page.locator("[data-row=tool]").first).to_be_attached()
    place = at_rest(page, lambda: feed.evaluate("feed => feed.parentElement.scrollTop"))
    assert 4_500 < place < 5_500
    assert len(read_all(page)) > 300


def test_a_session_is_searched_exported_and_its_files_are_downloaded(home, visit):
    session_id = started(home, "Write a note")
    page = visit(home, f"/sessions/{session_id}")
    settle(page)
    page.keyboard.press("f")
    page.get_by_role("textbox", name="Find in this session").fill("note")
    expect(page.get_by_text(re.compile(r"1 of \d+"))).to_be_visible()
    page.keyboard.press("Escape")

    downloads = {}
    for name in ("Markdown", "JSON"):
        page.get_by_role("button", name="Export").first.click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=re.compile(name)).click()
        downloads[name] = download.value.path().read_text()
    assert "Write a note" in downloads["Markdown"]
    with home.client() as client:
        assert [event["sequence"] for event in json.loads(downloads["JSON"])["events"]] == [
            event["sequence"] for event in client.get(f"/sessions/{session_id}/events/history").json()["events"]
        ]
    files = page.get_by_role("complementary", name="Details")
    expect(files.get_by_text("Changed files")).to_be_visible()
    files.get_by_role("button", name=re.compile(r"\.md")).click()
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("link", name="Download").click()
    assert "A note from the Holdfast demo agent" in download.value.path().read_text()


def test_a_session_is_replayed_on_its_timeline(home, visit):
    session_id = started(home, "tools 20")
    with home.client() as client:
        client.end_of(session_id)  # the first of one event is the last as well, and the end of a run is followed
    page = visit(home, f"/sessions/{session_id}/timeline")
    slider = page.get_by_role("slider", name="Moment in the session")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.get_by_text(re.compile(r"Event 1 of \d+")).first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile(r"Event 2 of \d+")).first).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?]at=\d+$"))
    at = page.url
    page.reload()
    expect(page.get_by_text(re.compile(r"Event 2 of \d+")).first).to_be_visible()
    assert page.url == at
    page.get_by_role("button", name="Replay").first.click()
    expect(page.locator("[data-row=end]").first).to_be_visible(timeout=40_000)


@pytest.mark.requirement("R179", "R180")
def test_the_language_is_switched_at_run_time(home, visit):
    session_id = started(home, "Say hello twice")
    page = visit(home, f"/sessions/{session_id}")
    settle(page)
    expect(chip(page, "Task complete")).to_be_visible()
    _choose(page, "Deutsch")
    page.get_by_role("link", name=re.compile("Say hello twice")).first.click()
    expect(chip(page, "Aufgabe abgeschlossen")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"
    page.reload()
    expect(chip(page, "Aufgabe abgeschlossen")).to_be_visible()


def _choose(page: Page, language: str) -> None:
    page.get_by_role("link", name="Settings").click()
    page.get_by_label(language).check()


@pytest.mark.requirement("R168", "R172")
def test_tools_are_grouped_and_todos_stand_with_icons(home, visit):
    session_id = started(home, "Show me everything")
    page = visit(home, f"/sessions/{session_id}")
    settle(page)
    expect(page.get_by_text(re.compile(r"\d of \d done")).first).to_be_visible()
    many = started(home, "tools 30")
    page.goto(f"{home.url}/sessions/{many}")
    settle(page)
    group = page.locator("[data-row=group]").first
    expect(group).to_contain_text("30")
    group.get_by_role("button").first.click()
    expect(page.locator("[data-row=tool]").first).to_be_visible()
