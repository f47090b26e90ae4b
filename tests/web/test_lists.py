"""The lists beside the page follow what happens elsewhere, however quickly it is over."""

import re

from playwright.sync_api import expect

from tests.web.talking import started


def test_a_run_that_is_over_before_it_is_asked_for_is_in_the_lists_all_the_same(server, visit):
    page = visit(server, "/projects/shop")
    expect(page.get_by_role("button", name="Start the agent")).to_be_visible()
    # While this test waits for the run, nobody lets the page's question for it go on.
    page.route("**/api/v1/sessions/*", lambda route: route.continue_())
    with server.client() as client:
        client.end_of(started(server, "crash 3", project_id="shop"))
    expect(page.get_by_role("link", name=re.compile("crash 3.*Failed")).first).to_be_visible()
    expect(page.get_by_role("definition").filter(has_text="Failed")).to_be_visible()
