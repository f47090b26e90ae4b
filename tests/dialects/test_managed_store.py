"""The table of sessions as Anthropic's sessions API has them, on both databases."""

import pytest

from holdfast.errors import Conflict
from holdfast.log.log import Log
from holdfast.log.managed import ManagedRow
from tests.log.author import Author
from tests.stores import open_log

pytestmark = pytest.mark.anyio


def row(id_: str, at_ms: int, *, user: str = "ada", agent: str = "demo") -> ManagedRow:
    return ManagedRow(id=id_, user_id=user, agent=agent, created_ms=at_ms, updated_ms=at_ms)


async def listed(log: Log, **more: object) -> list[str]:
    return [one.id for one in await log.managed.page("ada", limit=10, **more)]  # type: ignore[arg-type]


async def test_a_session_is_made_once_and_one_that_was_deleted_makes_room(store_url: str) -> None:
    async with open_log(store_url) as log:
        await log.managed.create(row("a", 1))
        with pytest.raises(Conflict, match="a"):
            await log.managed.create(row("a", 2))
        await log.managed.change(row("a", 1), lambda _: {"deleted_ms": 5})
        assert await listed(log) == []
        await log.managed.create(row("a", 7))
        found = await log.managed.one("a", "ada")
        assert found == row("a", 7)


async def test_a_change_is_made_of_the_row_as_it_stands_by_then(store_url: str) -> None:
    async with open_log(store_url) as log:
        await log.managed.create(row("a", 1))
        await log.managed.change(row("a", 1), lambda before: {"title": f"{before.title}!"})
        after = await log.managed.change(row("a", 1), lambda before: {"title": f"{before.title}!"})
        assert after.title == "None!!"
        made = await log.managed.change(row("b", 3), lambda _: {"title": "from another dialect"})
        assert await log.managed.one("b", "ada") == made


async def test_the_list_has_those_that_have_begun_and_those_that_have_not_by_their_age(store_url: str) -> None:
    async with open_log(store_url) as log:
        await Author(log, user_id="ada", session_id="begun").begin()
        begun = await log.read.session("begun")
        assert begun is not None
        at_ms = begun.created_ms
        for name, age in (("older", -2), ("twin-a", 5), ("twin-b", 5), ("newer", 9)):
            await log.managed.create(row(name, at_ms + age))
        await log.managed.create(row("lena's", at_ms, user="lena"))
        whole = ["older", "begun", "twin-a", "twin-b", "newer"]
        assert await listed(log, ascending=True) == whole
        assert await listed(log) == whole[::-1]
        for ascending, order in ((True, whole), (False, whole[::-1])):
            seen: list[str] = []
            behind = None
            while page := await log.managed.page("ada", ascending=ascending, behind=behind, limit=2):
                seen += [one.id for one in page]
                behind = page[-1].created_ms, page[-1].id
            assert seen == order, "also between two of the same age"
        assert await listed(log, created=[("gt", at_ms), ("lte", at_ms + 5)], ascending=True) == ["twin-a", "twin-b"]
        assert await listed(log, agent="another") == []
        await log.managed.change(row("newer", at_ms), lambda _: {"archived_ms": 1})
        assert "newer" not in await listed(log)
        assert "newer" in await listed(log, archived=True)
        [one] = [one for one in await log.managed.page("ada", limit=10) if one.id == "begun"]
        assert (one.session, one.managed) == (begun, None)


async def test_a_row_under_another_users_session_counts_for_nobody(store_url: str) -> None:
    async with open_log(store_url) as log:
        await log.managed.create(row("shop", 1, user="lena"))
        await Author(log, user_id="ada", session_id="shop").begin()
        [one] = await log.managed.page("ada", limit=10)
        assert (one.id, one.managed) == ("shop", None)
        assert await log.managed.page("lena", limit=10) == []
        assert await log.managed.one("shop", "ada") is None
        await log.managed.change(row("shop", 5), lambda _: {"title": "Mine"})
        [one] = await log.managed.page("ada", limit=10)
        assert one.managed is not None
        assert (one.managed.title, one.managed.user_id) == ("Mine", "ada")


async def test_only_what_has_not_begun_is_taken_away(store_url: str) -> None:
    async with open_log(store_url) as log:
        await Author(log, user_id="ada", session_id="begun").begin()
        for name in ("begun", "waiting"):
            await log.managed.create(row(name, 1))
            await log.managed.remove(name)
        assert await listed(log) == ["begun"]
        assert await log.managed.one("begun", "ada") is not None
        assert await log.managed.one("waiting", "ada") is None
