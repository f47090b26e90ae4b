"""Every screen in English, in both themes, wide and narrow: without violations of WCAG, and kept as a picture."""

import json

import pytest

from tests.web.screens import come, problems_of_dialogs, problems_of_screens, violations

LANGUAGE = "en"
# Some twenty screens, each looked at twice: on a busy machine that is more than most tests may take.
pytestmark = pytest.mark.timeout(400)


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_every_screen_is_without_violations_in_english(furnished, visit, phone):
    server, sessions = furnished
    page = visit(server, "/settings", language=LANGUAGE, phone=phone)
    found = problems_of_screens(page, server, sessions, f"{LANGUAGE}-{'phone' if phone else 'wide'}", in_dark=True)
    assert found == {}, json.dumps(found, indent=2)


def test_every_dialog_is_without_violations_in_english(furnished, visit):
    server, sessions = furnished
    page = visit(server, f"/sessions/{sessions['running']}", language=LANGUAGE, phone=False)
    found = problems_of_dialogs(page, f"{LANGUAGE}-wide")
    assert found == {}, json.dumps(found, indent=2)


def test_nothing_moves_for_somebody_who_asks_for_less_motion(furnished, visit):
    server, sessions = furnished
    page = visit(server, f"/sessions/{sessions['running']}")
    come(page)
    moving = page.evaluate("""() => [...document.querySelectorAll('*')].filter((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element)
        return `${transitionDuration}, ${animationDuration}`.split(', ').some((time) => parseFloat(time) > 0.001)
    }).map((element) => element.outerHTML.slice(0, 120))""")
    assert moving == []


def test_a_violation_would_be_found(furnished, visit):
    server, _ = furnished
    page = visit(server, "/settings")
    come(page)
    page.evaluate("""() => {
        const pale = document.createElement('p')
        pale.textContent = 'Hardly to be read'
        pale.style.color = 'rgb(200 200 200)'
        pale.style.backgroundColor = 'white'
        document.querySelector('main').append(document.createElement('button'), pale)
    }""")
    assert {found.partition(":")[0] for found in violations(page)} == {"button-name", "color-contrast"}
    assert {found.partition(":")[0] for found in violations(page, colours_only=True)} == {"color-contrast"}
