"""Every screen and every dialog: what they are, and how one looks at them all, for the tests of each language.

A language has a file of tests of its own, so that two workers can look at once.
"""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.conftest import Server, free_port
from tests.web.talking import picture, settle, started

AXE = Path("node_modules/axe-core/axe.min.js")
GUIDELINES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
ENDED = ("finished", "crashed", "killed", "tools", "cancelled")

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
    "project": lambda sessions: f"/projects/{sessions['shop']}",
    "project-paused": lambda sessions: f"/projects/{sessions['garden']}",
    "agents": lambda _: "/agents",
    "settings": lambda _: "/settings",
    "webhooks": lambda _: "/settings/webhooks",
    "webhook": lambda sessions: f"/settings/webhooks/{sessions['webhook']}",
    "missing": lambda _: "/sessions/00000000-0000-4000-8000-000000000000",
    "nothing": lambda _: "/no/such/page",
    "login": lambda _: "/login",
}

# What the sessions must be for the screens to show what they are named after.
STATUSES = {
    "finished": "complete",
    "crashed": "failed",
    "killed": "failed",
    "tools": "complete",
    "cancelled": "cancelled",
    "paused": "paused",
    "asking": "waiting",
    "running": "running",
}

# name, the key that opens it, what is then there
DIALOGS = [
    ("palette", "Control+k", "dialog[open]"),
    ("shortcuts", "?", "dialog[open]"),
    ("find", "f", "main search"),
]


def furnish(server: Server, language: str) -> dict[str, str]:
    """One session of each kind that a screen shows, by its kind; and the projects, by what they are called otherwise.

    No other server that runs at the same time has projects of these names.
    """
    projects = {name: f"{name}-{language}" for name in ("shop", "garden", "boat")}
    webhook = _webhooks(server, projects["shop"])  # first, so that it hears of the sessions
    sessions = {
        "finished": started(server, "Show me what you can do", project_id=projects["shop"]),
        "crashed": started(server, "stderr 250 crash 3"),
        "killed": started(server, "crash SIGKILL"),
        "tools": started(server, "tools 30"),
        "cancelled": started(server, "slow 100 tools 100"),
        "paused": started(server, "slow 100 tools 90", project_id=projects["garden"]),
        "asking": started(server, "ask", project_id=projects["boat"]),
        # Longer than all the tests of a file may take, with a tool every ten seconds.
        "running": started(server, "slow 3600 tools 360"),
    }
    with server.client() as client:
        for name in ("finished", "crashed", "killed", "tools"):
            client.follow(sessions[name])
        for name, command in (("cancelled", "cancel"), ("paused", "pause")):
            client.until(sessions[name], "tool_start")
            assert client.post(f"/sessions/{sessions[name]}/{command}").status_code == 200
        client.until(sessions["asking"], "permission_request")
        client.until(sessions["running"], "tool_start")
    check_furniture(server, sessions)
    return {**sessions, **projects, "webhook": webhook}


def _webhooks(server: Server, project: str) -> str:
    """A webhook that nobody answers, so that its deliveries are being tried again, and one that is paused."""
    with server.client() as client:
        nobody = f"http://127.0.0.1:{free_port()}/hooks/holdfast"
        failing = client.post("/webhooks", json={"url": nobody, "description": "Chat of the team"}).json()
        client.post(f"/webhooks/{failing['id']}/test")
        paused = client.post("/webhooks", json={"url": nobody, "events": ["run.ended"], "project_id": project}).json()
        client.post(f"/webhooks/{paused['id']}", json={"active": False})
        return failing["id"]


def check_furniture(server: Server, sessions: dict[str, str]) -> None:
    with server.client() as client:
        assert {name: client.record(sessions[name])["status"] for name in STATUSES} == STATUSES


def problems_of_screens(
    page: Page, server: Server, sessions: dict[str, str], look: str, *, in_dark: bool
) -> dict[str, list[str]]:
    """What is wrong with which screen, in one theme or both; `look` names the pictures."""
    found: dict[str, list[str]] = {}
    for name, path in SCREENS.items():
        page.emulate_media(color_scheme="light")
        page.goto(f"{server.url}{path(sessions)}")
        come(page)
        if name in ENDED:
            settle(page)
        picture(page, f"{name}-{look}-light")
        problems = violations(page)
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            problems.append("the page is wider than the screen")
        if in_dark:
            # The theme changes the colours, and nothing else.
            page.emulate_media(color_scheme="dark")
            picture(page, f"{name}-{look}-dark")
            problems += [f"dark: {problem}" for problem in violations(page, colours_only=True)]
        if problems:
            found[name] = problems
    check_furniture(server, sessions)  # still
    return found


def problems_of_dialogs(page: Page, look: str) -> dict[str, list[str]]:
    """The same of the dialogs of the page that is open."""
    come(page)
    found: dict[str, list[str]] = {}
    for name, key, opened in DIALOGS:
        page.locator("h1").first.click()
        page.keyboard.press(key)
        expect(page.locator(opened)).to_be_visible()
        picture(page, f"{name}-{look}")
        if problems := violations(page):
            found[name] = problems
        page.keyboard.press("Escape")
        expect(page.locator(opened)).to_have_count(0)
    return found


def violations(page: Page, *, colours_only: bool = False) -> list[str]:
    """What axe finds. It is put in by the debugger, since the page's own policy allows no foreign script."""
    session = page.context.new_cdp_session(page)
    if not page.evaluate("'axe' in window"):
        session.send("Runtime.evaluate", {"expression": AXE.read_text()})
    rules = COLOURS if colours_only else GUIDELINES
    run = f"""axe.run(document, {{runOnly: {json.dumps(rules)}, resultTypes: ['violations']}})
        .then(found => JSON.stringify(found.violations.map(one => ({{id: one.id, help: one.help,
          nodes: one.nodes.map(node => node.html.slice(0, 200) + ' :: ' + node.failureSummary)}}))))"""
    answer = session.send("Runtime.evaluate", {"expression": run, "awaitPromise": True, "returnByValue": True})
    session.detach()
    return [f"{one['id']}: {one['help']}: {one['nodes']}" for one in json.loads(answer["result"]["value"])]


def come(page: Page) -> None:
    """Until a page shows what it has, and no grey lines in its place."""
    expect(page.get_by_role("heading").first).to_be_visible()
    expect(page.locator("[role=status][aria-label]")).to_have_count(0)
