"""Every screen, in both languages and themes, wide and narrow: without violations of WCAG, and kept as a picture."""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import Server
from tests.web.talking import picture, settle, started

AXE = Path("node_modules/axe-core/axe.min.js")
LOOKS = list(itertools.product(("en", "de"), (False, True)))
GUIDELINES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
ENDED = ("finished", "crashed", "killed", "tools", "cancelled")


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, str]]]:
    """A server with one session of each kind that a screen shows."""
    server = Server(tmp_path_factory.mktemp("screens") / "data").start()
    try:
        sessions = {
            "finished": started(server, "Show me what you can do", project_id="shop"),
            "crashed": started(server, "stderr 250 crash 3"),
            "killed": started(server, "crash SIGKILL"),
            "tools": started(server, "tools 30"),
            "cancelled": started(server, "slow 100 tools 100"),
            "paused": started(server, "slow 100 tools 90", project_id="garden"),
            "asking": started(server, "ask", project_id="boat"),
            "running": started(server, "slow 600 tools 60"),
        }
        with server.client() as client:
            for name in ("finished", "crashed", "killed", "tools"):
                client.follow(sessions[name])
            for name, command in (("cancelled", "cancel"), ("paused", "pause")):
                client.until(sessions[name], "tool_start")
                client.post(f"/sessions/{sessions[name]}/{command}")
            client.until(sessions["asking"], "permission_request")
        yield server, sessions
    finally:
        server.close()


SCREENS: dict[str, Callable[[dict[str, str]], str]] = {
    "list": lambda _: "/",
    "new": lambda _: "/new",
    "finished": lambda sessions: f"/sessions/{sessions['finished']}",
    "crashed": lambda sessions: f"/sessions/{sessions['crashed']}",
    "killed": lambda sessions: f"/sessions/{sessions['killed']}",
    "tools": lambda sessions: f"/sessions/{sessions['tools']}",
    "cancelled": lambda sessions: f"/sessions/{sessions['cancelled']}",
    "asking": lambda sessions: f"/sessions/{sessions['asking']}",
    "running": lambda sessions: f"/sessions/{sessions['running']}",
    "timeline": lambda sessions: f"/sessions/{sessions['finished']}/timeline",
    "inbox": lambda _: "/inbox",
    "projects": lambda _: "/projects",
    "project": lambda _: "/projects/shop",
    "project-paused": lambda _: "/projects/garden",
    "agents": lambda _: "/agents",
    "settings": lambda _: "/settings",
    "missing": lambda _: "/sessions/00000000-0000-4000-8000-000000000000",
    "nothing": lambda _: "/no/such/page",
    "login": lambda _: "/login",
}


def violations(page: Page, *, colours_only: bool = False) -> list[str]:
    """What axe finds. It is put in by the debugger, since the page's own policy allows no foreign script."""
    session = page.context.new_cdp_session(page)
    session.send("Runtime.evaluate", {"expression": AXE.read_text()})
    rules = COLOURS if colours_only else GUIDELINES
    run = f"""axe.run(document, {{runOnly: {json.dumps(rules)}, resultTypes: ['violations']}})
        .then(found => JSON.stringify(found.violations.map(one => ({{id: one.id, help: one.help,
          nodes: one.nodes.map(node => node.html.slice(0, 200) + ' :: ' + node.failureSummary)}}))))"""
    answer = session.send("Runtime.evaluate", {"expression": run, "awaitPromise": True, "returnByValue": True})
    session.detach()
    return [f"{one['id']}: {one['help']}: {one['nodes']}" for one in json.loads(answer["result"]["value"])]


@pytest.mark.parametrize(("language", "phone"), LOOKS)
def test_every_screen_is_without_violations(furnished, visit, language, phone):
    server, sessions = furnished
    page = visit(server, "/settings", language=language, phone=phone)
    found: dict[str, list[str]] = {}
    for name, path in SCREENS.items():
        look = f"{name}-{language}-{'phone' if phone else 'wide'}"
        page.emulate_media(color_scheme="light")
        page.goto(f"{server.url}{path(sessions)}")
        come(page)
        if name in ENDED:
            settle(page)
        picture(page, f"{look}-light")
        problems = violations(page)
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            problems.append("the page is wider than the screen")
        # The theme changes the colours, and nothing else.
        page.emulate_media(color_scheme="dark")
        picture(page, f"{look}-dark")
        problems += [f"dark: {problem}" for problem in violations(page, colours_only=True)]
        if problems:
            found[name] = problems
    assert not found, json.dumps(found, indent=2)


@pytest.mark.parametrize(("language", "phone"), [("en", False), ("de", True)])
def test_every_dialog_is_without_violations(furnished, visit, language, phone):
    server, sessions = furnished
    page = visit(server, f"/sessions/{sessions['running']}", language=language, phone=phone)
    come(page)
    found: dict[str, list[str]] = {}
    for name, key, opened in (
        ("palette", "Control+k", "dialog[open]"),
        ("shortcuts", "?", "dialog[open]"),
        ("find", "f", "main search"),
    ):
        page.locator("h1").first.click()
        page.keyboard.press(key)
        expect(page.locator(opened)).to_be_visible()
        picture(page, f"{name}-{language}-{'phone' if phone else 'wide'}")
        if problems := violations(page):
            found[name] = problems
        page.keyboard.press("Escape")
        expect(page.locator(opened)).to_have_count(0)
    assert not found, json.dumps(found, indent=2)


def test_nothing_moves_for_somebody_who_asks_for_less_motion(furnished, visit):
    server, sessions = furnished
    page = visit(server, f"/sessions/{sessions['running']}")
    come(page)
    moving = page.evaluate("""() => [...document.querySelectorAll('*')].filter((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element)
        return `${transitionDuration}, ${animationDuration}`.split(', ').some((time) => parseFloat(time) > 0.001)
    }).map((element) => element.outerHTML.slice(0, 120))""")
    assert moving == []


def come(page: Page) -> None:
    """Until a page shows what it has, and no grey lines in its place."""
    expect(page.get_by_role("heading").first).to_be_visible()
    expect(page.locator("[role=status][aria-label]")).to_have_count(0)
