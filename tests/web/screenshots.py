"""Makes the README's pictures: `python -m tests.web.screenshots FOLDER`, against a real server and real Chromium."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from tests.conftest import TOKEN, Server
from tests.web.conftest import PHONE, WIDE, launch

TASKS = {
    "done": "Write a note about this folder, read it back, and list what is there",
    "crashed": "Import the price list, even if it must crash 3 after stderr 250",
    "asking": "Tag the release, but ask before you run anything",
    "working": "Go through all the modules, slow 900 tools 120",
}
PICTURES = [
    # name, page, language, theme, on a phone
    ("new-task", "/", "en", "light", False),
    ("conversation", "/sessions/{done}", "en", "light", False),
    ("permission", "/sessions/{asking}", "en", "dark", False),
    ("crash", "/sessions/{crashed}", "en", "light", False),
    ("timeline", "/sessions/{done}/timeline", "en", "dark", False),
    ("phone", "/sessions/{asking}", "de", "light", True),
]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data) / "data").start()
        try:
            with server.client() as client:
                sessions = {
                    name: client.run_task(task, project_id={"done": "garden", "asking": "shop"}.get(name))
                    for name, task in TASKS.items()
                }
                for name in ("done", "crashed"):
                    client.follow(sessions[name])
                client.until(sessions["asking"], "permission_request")
            with sync_playwright() as playwright:
                browser = launch(playwright)
                for name, path, language, theme, phone in PICTURES:
                    take(browser, server, path.format(**sessions), language, theme, phone, folder / f"{name}.png")
                browser.close()
        finally:
            server.close()


def take(browser: Browser, server: Server, path: str, language: str, theme: str, phone: bool, file: Path) -> None:
    context = browser.new_context(
        viewport=PHONE if phone else WIDE,
        is_mobile=phone,
        has_touch=phone,
        color_scheme=theme,
        locale={"en": "en-GB", "de": "de-DE"}[language],
        reduced_motion="reduce",
    )
    context.add_cookies([{"name": "holdfast_token", "value": TOKEN, "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}{path}")
    expect(page.get_by_role("heading").first).to_be_visible(timeout=20_000)
    if path != "/":
        expect(page.locator("[data-row]").last).to_be_visible(timeout=20_000)
    page.wait_for_timeout(1500)  # buttons that wait a moment before they can be pressed, and the colours of code
    page.screenshot(path=file)
    context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images"))
