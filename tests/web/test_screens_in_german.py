"""Every screen in German, wide and narrow: without violations of WCAG, and kept as a picture."""

import json
import os

import pytest

from tests.web.screens import problems_of_dialogs, problems_of_screens

LANGUAGE = "de"
# Colours are those of the English screens; for whoever wants pictures to look at, the dark ones are taken too.
IN_DARK = "HOLDFAST_SCREENSHOTS" in os.environ
# Some twenty screens: on a busy machine that is more than most tests may take.
pytestmark = pytest.mark.timeout(400)


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_every_screen_is_without_violations_in_german(furnished, visit, phone):
    server, sessions = furnished
    page = visit(server, "/settings", language=LANGUAGE, phone=phone)
    found = problems_of_screens(page, server, sessions, f"{LANGUAGE}-{'phone' if phone else 'wide'}", in_dark=IN_DARK)
    assert found == {}, json.dumps(found, indent=2)


def test_every_dialog_is_without_violations_in_german(furnished, visit):
    server, sessions = furnished
    page = visit(server, f"/sessions/{sessions['running']}", language=LANGUAGE, phone=True)
    found = problems_of_dialogs(page, f"{LANGUAGE}-phone")
    assert found == {}, json.dumps(found, indent=2)
