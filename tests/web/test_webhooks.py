"""Webhooks on the screen: added, tried, watched while they fail, mended and deleted, with a real receiver."""

import json
import re

from playwright.sync_api import Locator, Page, expect

from tests.web.screens import violations
from tests.web.talking import picture, started
from tests.webhooks.receiver import Reply, receiving


def test_a_webhook_is_added_tried_watched_while_it_fails_and_deleted(make_server, visit):
    # It is tried again so late that the test is over before.
    server = make_server(HOLDFAST_WEBHOOK_RETRIES_S="600").start()
    with receiving() as receiver:
        page = visit(server, "/new")
        expect(page.get_by_role("textbox", name="Task")).to_be_visible()
        page.keyboard.press("Control+k")
        expect(page.get_by_role("combobox", name="Session or page")).to_be_focused()
        page.keyboard.type("webhook")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="No webhooks yet")).to_be_visible()

        secret = _add(page, receiver.url, "The bell")
        expect(page.get_by_role("heading", name="The bell", level=1)).to_be_visible()
        expect(_state(page)).to_have_text("Active")

        page.get_by_role("button", name="Send a test").click()
        expect(page.get_by_test_id("test-result")).to_contain_text("has arrived. The receiver answered 200.")
        [told] = receiver.wait(1)
        told.verify(secret)
        tried = _deliveries(page).filter(has_text="Test message")
        expect(tried).to_contain_text("Delivered")
        tried.get_by_role("button", name="Message").click()
        expect(tried.get_by_role("group", name="What is sent")).to_contain_text('"type": "webhook.test"')
        expect(tried.get_by_role("group", name="The receiver's answer")).to_have_text("thanks")
        assert violations(page) == []
        picture(page, "webhook-tried")

        receiver.reply = lambda _: Reply(503, b"the database is down")
        session_id = started(server, "Say hello")
        ended = _deliveries(page).filter(has_text="Run ended")
        expect(ended).to_contain_text("Being tried again")
        expect(ended).to_contain_text("The receiver answered 503.")
        expect(ended).to_contain_text(re.compile(r"Next attempt in \d+ (s|min)|Being sent now"))
        expect(_state(page)).to_have_text("Failing")
        expect(page.get_by_role("status").filter(has_text="the receiver has not accepted anything")).to_be_visible()
        expect(ended.get_by_role("link", name="Say hello")).to_have_attribute(
            "href", re.compile(f"/sessions/{session_id}#e")
        )
        picture(page, "webhook-failing")
        page.get_by_role("radio", name="Delivered").check()
        expect(ended).to_have_count(0)
        expect(tried).to_have_count(1)
        page.get_by_role("radio", name="To come").check()
        expect(tried).to_have_count(0)
        expect(ended).to_have_count(1)

        receiver.reply = lambda _: Reply()
        page.get_by_role("radio", name="All").check()
        ended.get_by_role("button", name="Send now").click()
        expect(ended).to_contain_text("Delivered")
        expect(_state(page)).to_have_text("Active")
        came = [one for one in receiver.received if one.message["type"] == "run.ended"]
        assert {one.about[0] for one in came} == {session_id}
        ended.get_by_role("button", name="Send again").click()
        receiver.wait_for(lambda all_: sum(one.message["type"] == "run.ended" for one in all_) > len(came))
        expect(ended).to_contain_text(f"{len(came) + 1} attempts")

        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(page.get_by_role("heading", name="No webhooks yet")).to_be_visible()


def test_what_is_wrong_with_a_webhook_stands_below_its_field(server, visit):
    page = visit(server, "/settings/webhooks")
    page.get_by_role("button", name="New webhook").click()
    dialog = page.get_by_role("dialog")
    address = dialog.get_by_role("textbox", name="Address")
    expect(address).to_be_focused()
    page.keyboard.press("Enter")
    expect(address).to_have_accessible_description("A webhook needs an address.")
    address.fill("http://169.254.169.254/latest")
    page.keyboard.press("Enter")
    expect(address).to_have_accessible_description(re.compile("169.254.169.254: it is link-local"))
    address.fill("http://127.0.0.1:9/")
    expect(address).to_have_accessible_description(re.compile("by POST"))
    for name in ("Run ended", "Permission requested", "Question asked", "Run is stuck"):
        dialog.get_by_role("checkbox", name=name).uncheck()
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_have_text("Choose at least one event.")
    assert violations(page) == []
    picture(page, "webhook-form")
    page.mouse.click(5, 5)
    expect(address).to_have_value("http://127.0.0.1:9/")  # a click beside it loses nothing
    with server.client() as client:
        assert client.get("/webhooks").json() == {"webhooks": []}


def test_a_webhook_is_changed_paused_and_given_a_new_secret(server, visit):
    with receiving() as receiver:
        with server.client() as client:
            webhook = client.post("/webhooks", json={"url": receiver.url}).json()
        page = visit(server, f"/settings/webhooks/{webhook['id']}")
        page.get_by_role("button", name="Edit").click()
        page.get_by_role("textbox", name="Description").fill("Nightly")
        page.get_by_role("checkbox", name="Run is stuck").uncheck()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="Nightly", level=1)).to_be_visible()
        expect(page.get_by_role("list", name="Events")).not_to_contain_text("stuck")

        page.get_by_role("button", name="Pause").click()
        expect(_state(page)).to_have_text("Paused")
        expect(page.get_by_role("button", name="Activate")).to_be_visible()

        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="New secret").click()
        page.get_by_role("button", name="Make a new secret").click()
        secret = page.get_by_test_id("secret").inner_text()
        assert secret != webhook["secret"]
        page.get_by_role("button", name="I have kept it").click()
        expect(page.get_by_text("The one before it is good until")).to_be_visible()
        page.get_by_role("button", name="Send a test").click()  # also while it is paused
        expect(page.get_by_test_id("test-result")).to_contain_text("has arrived")
        receiver.wait(1)[0].verify(secret)

        with server.client() as client:
            shown = client.get(f"/webhooks/{webhook['id']}").json()
            assert (shown["description"], shown["active"]) == ("Nightly", False)
            assert client.delete(f"/webhooks/{webhook['id']}").status_code == 204
        # Somebody else has deleted it: the page notices by itself, and offers nothing that could not work.
        expect(page.get_by_role("heading", name="This webhook is gone")).to_be_visible()
        expect(page.get_by_role("button", name="Send a test")).to_have_count(0)


def _add(page: Page, url: str, description: str) -> str:
    """The secret that the page has shown."""
    page.get_by_role("button", name="New webhook").click()
    page.get_by_role("textbox", name="Address").fill(url)
    page.get_by_role("textbox", name="Description").fill(description)
    page.get_by_role("button", name="Add", exact=True).click()
    secret = page.get_by_test_id("secret").inner_text()
    page.mouse.click(5, 5)
    expect(page.get_by_test_id("secret")).to_be_visible()  # it is shown only once
    assert violations(page) == [], json.dumps(violations(page), indent=2)
    page.get_by_role("button", name="I have kept it").click()
    return secret


def _deliveries(page: Page) -> Locator:
    return page.get_by_role("region", name="Deliveries").locator("li[data-progress]")


def _state(page: Page) -> Locator:
    return page.locator("dl [data-state]")
