"""What the tests of the web UI do again and again: start a run, wait for what it shows, take a picture."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, Route, expect

from tests.conftest import Server

# What the tests show is kept here, to be looked at; `.ci` and people may point it elsewhere.
SCREENSHOTS = Path(os.environ.get("HOLDFAST_SCREENSHOTS", "build/screenshots"))


def started(server: Server, task: str, **config: object) -> str:
    """A session of its own with this task."""
    with server.client() as client:
        return client.run_task(task, **config)


def at_work(server: Server, task: str) -> str:
    """A session whose agent has begun: one that is stopped before has nothing that it could go on with."""
    session_id = started(server, task)
    with server.client() as client:
        client.until(session_id, "agent_start")
    return session_id


def transcript(page: Page) -> Locator:
    return page.get_by_role("feed")


def connection_banner(page: Page) -> Locator:
    return page.get_by_test_id("connection")


def read_all(page: Page) -> list[str]:
    """The whole conversation from its beginning to its end, although only what is in sight is on the page."""
    return page.evaluate(_READ_ALL)


def words(page: Page) -> str:
    """The same as one text; without blank lines, since a finished text is one row and a streamed one several."""
    return "\n".join(line for text in read_all(page) for line in text.splitlines() if line.strip())


_READ_ALL = """async () => {
  const list = document.querySelector('[role=feed]').parentElement
  const rows = new Map()
  const shown = () => [...list.querySelectorAll('[data-row]')]
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  // There is some room above the first row and below the last.
  const isFilled = () => {
    const { top, bottom } = list.getBoundingClientRect()
    const boxes = shown().map((row) => row.getBoundingClientRect())
    return boxes.length > 0 && boxes[0].top < top + 48 && boxes.at(-1).bottom > bottom - 48
  }
  const goTo = async (top) => {
    list.scrollTop = top
    list.dispatchEvent(new Event('scroll'))  // at once, as with a reader's own move, not with the next frame
    await frame()
    for (let frames = 0; frames < 60 && !isFilled(); frames++) await frame()
    for (const row of shown()) rows.set(Number(row.dataset.index), row.innerText)
  }
  // A list that follows its end leaves it only for a gesture of the reader.
  list.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, bubbles: true }))
  await goTo(0)
  for (let before = -1; list.scrollTop !== before; ) {
    before = list.scrollTop
    await goTo(before + list.clientHeight * 0.6)
  }
  return [...rows.keys()].sort((one, other) => one - other).map((index) => rows.get(index))
}"""


def settle(page: Page) -> None:
    """Until the run on the page has ended and everything of it is there."""
    expect(page.locator("[data-row=end]").last).to_be_visible(timeout=60_000)


def at_rest(page: Page, look: Callable[[], float]) -> float:
    """What is seen once it does not change any more: rows are measured, and a wheel scrolls for some frames."""
    seen: list[float] = []
    for _ in range(100):
        seen.append(look())
        if len(seen) > 3 and len(set(seen[-3:])) == 1:
            return seen[-1]
        next_look(page)
    raise AssertionError(f"the page does not come to rest: {seen}")


def next_look(page: Page, ms: int = 100) -> None:
    """So much later, and no sooner than two frames are drawn: a busy machine draws none for a while, and all stands."""
    page.wait_for_timeout(ms)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def held(page: Page, address: str) -> Callable[[], Route]:
    """Stops the requests to an address on their way. What this gives waits for the first, which the test lets go."""
    stopped: list[Route] = []
    page.route(address, lambda route: stopped.append(route))

    def first() -> Route:
        deadline = time.monotonic() + 20
        while not stopped:
            assert time.monotonic() < deadline, f"nobody asks for {address}"
            page.wait_for_timeout(20)  # what the browser tells is heard only meanwhile
        return stopped[0]

    return first


def has_tone(element: Locator, tone: str) -> bool:
    """Whether something stands on the colour that the tokens name for this: accent, good, warn or bad."""
    return element.evaluate(
        """(element, tone) => {
            const probe = document.createElement('span')
            probe.style.backgroundColor = `var(--${tone}-soft)`
            document.body.append(probe)
            const wanted = getComputedStyle(probe).backgroundColor
            probe.remove()
            return getComputedStyle(element).backgroundColor === wanted
        }""",
        tone,
    )


def picture(page: Page, name: str) -> Path:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{re.sub(r'[^a-z0-9-]+', '-', name.lower())}.png"
    page.screenshot(path=path)
    return path


def chip(page: Page, text: str) -> Locator:
    """How the run ended, in the head of the page."""
    return page.locator("header").get_by_text(text, exact=True)
