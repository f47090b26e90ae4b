"""A real browser: Debian's Chromium, headless, against a real server with the demo agent."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from tests.conftest import TOKEN, Server
from tests.web.screens import furnish

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
# The machine is shared; what takes long here is still told apart from what never comes.
PATIENCE = int(os.environ.get("HOLDFAST_PATIENCE_MS", "20000"))
expect.set_options(timeout=PATIENCE)
WIDE = {"width": 1360, "height": 860}
PHONE = {"width": 390, "height": 844}


def launch(playwright: Playwright) -> Browser:
    program = shutil.which("chromium")
    assert program, "the tests of the web UI need chromium"
    return playwright.chromium.launch(executable_path=program, headless=True, args=_FLAGS)


# No longer than a file of tests: as long as it is there its event loop counts as running, and no other one may.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests of a file that mind no sessions of others: to start one costs more than most of them."""
    server = Server(tmp_path_factory.mktemp("home") / "data")
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page of a server as a person who is logged in; whatever the page complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(
        server: Server,
        path: str = "/",
        *,
        language: str = "en",
        theme: str = "light",
        phone: bool = False,
        logged_in: bool = True,
        through: str | None = None,
        clock: bool = False,
    ) -> Page:
        """`through`: another address that leads to it; `clock`: the page's time is in the test's hands."""
        url = through or server.url
        context = browser.new_context(
            viewport=PHONE if phone else WIDE,
            has_touch=phone,
            is_mobile=phone,
            device_scale_factor=2 if phone else 1,
            color_scheme=theme,
            locale={"en": "en-GB", "de": "de-DE"}[language],
            timezone_id="Europe/Berlin",
            reduced_motion="reduce",
        )
        contexts.append(context)
        if logged_in:
            context.add_cookies([{"name": "holdfast_token", "value": TOKEN, "url": url}])
        page = context.new_page()
        if clock:
            page.clock.install()
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        page.on("console", lambda message: _hear(complaints, page.url, message.type, message.text))
        page.set_default_timeout(PATIENCE)
        page.goto(f"{url}{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def furnished(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, dict[str, str]]]:
    """A server with one session of each kind that a screen shows, for a file of tests of one LANGUAGE."""
    server = Server(tmp_path_factory.mktemp("screens") / "data").start()
    try:
        yield server, furnish(server, request.module.LANGUAGE)
    finally:
        server.close()


def _hear(complaints: list[str], url: str, kind: str, text: str) -> None:
    # A server that is away or refuses is part of the tests; the browser reports each such request.
    if kind in ("error", "warning") and "Failed to load resource" not in text:
        complaints.append(f"{url}: {text}")
