"""Files that come with a task: dropped onto the page, or pasted into its box."""

from playwright.sync_api import JSHandle, Page, expect

from tests.web.talking import settle


def transfer(page: Page, name: str, content: str, kind: str = "text/plain") -> JSHandle:
    """What a browser hands to a page of a file that is dropped or pasted."""
    return page.evaluate_handle(
        """([name, content, kind]) => {
            const transfer = new DataTransfer()
            transfer.items.add(new File([content], name, { type: kind }))
            return transfer
        }""",
        [name, content, kind],
    )


def test_files_are_dropped_anywhere_on_the_page_or_pasted_and_come_with_the_task(server, visit):
    page = visit(server, "/new")
    box = page.get_by_role("textbox", name="Task")
    box.fill("Say hello")
    dropped = {"dataTransfer": transfer(page, "notes.txt", "first line")}
    page.locator("h1").dispatch_event("dragenter", dropped)
    expect(page.get_by_text("Drop files to attach them")).to_be_visible()
    page.locator("h1").dispatch_event("drop", dropped)
    expect(page.get_by_role("button", name="Remove notes.txt")).to_be_visible()
    box.evaluate(
        "(box, clipboardData) => box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))",
        transfer(page, "shot.png", "no picture", "image/png"),
    )
    expect(page.get_by_role("button", name="Remove shot.png")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    settle(page)
    sent = page.get_by_role("list", name="Attachments")
    expect(sent).to_contain_text("notes.txt")
    expect(sent).to_contain_text("shot.png")

    # And so with the next task of the session.
    box = page.get_by_role("textbox", name="Message")
    box.fill("And again")
    page.locator("body").dispatch_event("drop", {"dataTransfer": transfer(page, "more.txt", "second")})
    expect(page.get_by_role("button", name="Remove more.txt")).to_be_visible()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("list", name="Attachments").last).to_contain_text("more.txt")
