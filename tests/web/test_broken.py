"""What broke the web UI once, in the hands of somebody with several tabs, a slow server and little patience."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.conftest import Server
from tests.web.speaker import saying, with_speaker
from tests.web.talking import at_rest, connection_banner, held, next_look, settle, started, transcript

# The longer a server was away, the longer a page waits before it asks again: up to 16 s.
LATER = 60_000


def test_with_several_tabs_open_one_log_in_is_enough_after_the_token_has_changed(
    make_server: Callable[..., Server], visit: Callable[..., Page]
) -> None:
    settings = {"HOLDFAST_TOKEN": "test-token"}
    server = make_server(**settings).start()
    sessions = [started(server, f"Say hello {number}") for number in range(2)]
    one = visit(server, f"/sessions/{sessions[0]}#e1")
    other = one.context.new_page()
    other.goto(f"{server.url}/sessions/{sessions[1]}")
    for page in (one, other):
        settle(page)

    server.stop()
    server._settings["HOLDFAST_TOKEN"] = "another-token"
    server.start()
    for page in (one, other):
        page.wait_for_url("**/login?*", timeout=LATER)
    one.get_by_label("Token", exact=True).fill("another-token")
    one.get_by_role("button", name="Log in").click()

    one.wait_for_url(f"**/sessions/{sessions[0]}#e1", timeout=LATER)
    other.wait_for_url(f"**/sessions/{sessions[1]}", timeout=LATER)
    for page in (one, other):
        settle(page)
        expect(connection_banner(page)).to_be_hidden()


def test_what_is_written_while_a_task_is_on_its_way_stays_in_the_box(
    server: Server, visit: Callable[..., Page]
) -> None:
    session = started(server, "Say hello")
    page = visit(server, f"/sessions/{session}")
    settle(page)
    on_its_way = held(page, "**/task")
    box = page.get_by_role("textbox", name="Message to the agent")
    box.fill("And once more")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()  # the page knows that the run has ended
    box.press("Enter")
    expect(page.get_by_role("button", name="Send")).to_have_attribute("aria-busy", "true")
    box.press_sequentially(", then the docs")
    on_its_way().continue_()
    expect(transcript(page).get_by_text("And once more", exact=True)).to_be_visible()
    expect(box).to_have_value(", then the docs")


def test_a_task_that_was_taken_after_its_person_had_gone_is_no_draft_any_more(
    server: Server, visit: Callable[..., Page]
) -> None:
    page = visit(server, "/new")
    on_its_way = held(page, "**/sessions/run")
    box = page.get_by_role("textbox", name="Task")
    box.fill("Say hello")
    page.get_by_role("button", name="Start", exact=True).click()
    task = on_its_way()
    page.get_by_role("link", name="Settings").first.click()
    with page.expect_response("**/sessions/run") as answer:
        task.continue_()
    answer.value.finished()
    expect(page.get_by_text("Say hello").first).to_be_visible()
    page.get_by_role("link", name="New task").first.click()
    expect(box).to_have_value("")


def test_keys_scroll_as_far_as_they_say_through_rows_that_nobody_has_measured_yet(
    make_server: Callable[..., Server], visit: Callable[..., Page], tmp_path: Path
) -> None:
    server = with_speaker(make_server(), tmp_path / "bin").start()
    paragraphs = [f"Paragraph {number}. {'And so on. ' * (number % 40)}" for number in range(300)]
    (tmp_path / "text").write_text("\n\n".join(paragraphs))
    session_id = started(server, saying(tmp_path / "text"), agent="speaker")
    page = visit(server, f"/sessions/{session_id}")
    settle(page)
    list_ = page.get_by_role("feed").locator("..")
    list_.focus()

    def at(text: str) -> float:
        return page.get_by_text(text, exact=False).first.evaluate("(row) => row.getBoundingClientRect().top")

    before = at_rest(page, lambda: at("Paragraph 299."))
    page.keyboard.press("PageUp")
    expect(page.get_by_role("button", name="To the end")).to_be_visible()
    _rested(page, session_id)
    moved = at("Paragraph 299.") - before
    height = list_.evaluate("(list) => list.clientHeight")
    assert 0.8 * height < moved <= height
    page.keyboard.press("Home")
    expect(transcript(page).get_by_text("Paragraph 0.")).to_be_in_viewport()
    page.keyboard.press("End")
    expect(page.locator("[data-row=end]")).to_be_in_viewport()


def test_a_reload_in_the_middle_of_a_long_answer_comes_back_to_it(make_server, visit, tmp_path):
    server = with_speaker(make_server(), tmp_path / "bin").start()
    text = tmp_path / "long.md"
    text.write_text("\n\n".join(f"Paragraph {number}: " + "words " * 40 for number in range(400)))
    session_id = started(server, saying(text, pieces=50, seconds=1), agent="speaker")
    page = visit(server, f"/sessions/{session_id}")
    settle(page)
    page.get_by_role("region", name="Conversation").focus()
    for _ in range(12):
        page.keyboard.press("PageUp")
    _rested(page, session_id)
    before = _first_in_sight(page)
    assert 100 < int(re.findall(r"\d+", before)[0]) < 395
    # Again and again: it must not drift.
    for _ in range(3):
        page.reload()
        expect(page.get_by_text(before)).to_be_in_viewport()
        _rested(page, session_id)


def _rested(page: Page, session_id: str) -> None:
    """Until the place that the page remembers does not change any more."""
    seen: list[str | None] = []
    for _ in range(40):
        seen.append(page.evaluate("id => sessionStorage.getItem(`holdfast.place.${id}`)", session_id))
        if len(seen) > 4 and seen[-1] is not None and len(set(seen[-4:])) == 1:
            return
        next_look(page, 250)
    raise AssertionError(f"the page does not come to rest: {seen}")


def _first_in_sight(page: Page) -> str:
    """The first paragraph whose beginning is in sight."""
    return page.evaluate(
        """() => {
            const top = document.querySelector('[role=feed]').parentElement.getBoundingClientRect().top
            const rows = [...document.querySelectorAll('[data-row=block]')]
            return rows.find((row) => row.getBoundingClientRect().top > top).innerText.match(/Paragraph \\d+:/)[0]
        }"""
    )
