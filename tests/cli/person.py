"""Somebody who sits at `holdfast top`: presses keys and looks at the screen, by textual's own pilot."""

import time
from contextlib import asynccontextmanager

from holdfast.cli.dashboard.app import Dashboard
from holdfast.cli.dashboard.listing import SessionList
from holdfast.client import Holdfast
from tests.conftest import TOKEN


class Person:
    """Presses keys and looks at the screen."""

    def __init__(self, app, pilot):
        self.app = app
        self._pilot = pilot

    async def sees(self, condition, seconds=40):
        """Waits, bounded, until that is so; answers it."""
        deadline = time.monotonic() + seconds
        while not (found := condition()):
            assert time.monotonic() < deadline, f"not within {seconds} s; there is:\n{self.text()}"
            await self._pilot.pause(0.05)
        return found

    async def reads(self, words):
        await self.sees(lambda: words in self.text())

    async def press(self, *keys):
        await self._pilot.press(*keys)

    async def resize(self, width, height):
        await self._pilot.resize_terminal(width, height)

    async def at(self, name):
        """Waits until what is called so has the focus: before that, keys go elsewhere."""
        await self.sees(lambda: self.app.focused is not None and self.app.focused.id == name)

    async def types(self, keys, name):
        """Fills in a field, and sees that it has taken the keys: a next one may be meant for somebody else."""
        await self.at(name)
        before = self.app.focused.selected_text
        text = self.app.focused.value.removesuffix(before) + keys
        await self.press(*("space" if key == " " else key for key in keys))
        await self.sees(lambda: self.app.focused.value == text)

    async def finds(self, session_id):
        """Has the session alone on the screen, and chosen."""
        await self.press("f")
        await self.types(session_id[:8], "filter")
        await self.press("enter")
        await self.at("sessions")
        await self.sees(lambda: self.list.chosen == session_id and len(self.list._rows) == 1)

    def row(self, session_id):
        return next(row for row in self.list._rows if row.session_id == session_id)

    @property
    def list(self):
        return self.app.screen_stack[0].query_one(SessionList)

    def text(self):
        """The screen as plain text."""
        width, height = self.app.size
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text[:width] for strip in strips[:height])

    def window(self, kind):
        """One that is only being put up does not have its fields yet, nor takes its keys."""
        return self.sees(lambda: isinstance(self.app.screen, kind) and self.app.screen.is_mounted)

    def left(self, kind):
        return self.sees(lambda: not isinstance(self.app.screen, kind))


@asynccontextmanager
async def sitting_at(url, token=TOKEN, size=(80, 24)):
    async with Holdfast(url, token) as holdfast:
        app = Dashboard(holdfast, theme="textual-dark")
        async with app.run_test(size=size, notifications=True) as pilot:
            try:
                yield Person(app, pilot)
            finally:
                # As when somebody quits: the pilot takes the screens down first, and what comes then would find none.
                app.workers.cancel_all()
