"""The tables of ACP clients, on SQLite and on PostgreSQL."""

import pytest

from holdfast.log.acp import AttachedRow, ConnectionRow
from holdfast.log.log import Log
from tests.event_values import recorded
from tests.log.author import Author
from tests.stores import open_log

pytestmark = pytest.mark.anyio
ROW = AttachedRow(session_id="s-1", cwd="/a")


async def connected(log: Log, name: str | None = "one", *, client: bytes = b"{}", at_ms: int = 100) -> ConnectionRow:
    return await log.acp.connect("ann", name, None, client, at_ms, stale_before_ms=0)


async def test_a_connection_is_found_by_its_name_and_by_its_id_after_a_restart(store_url: str) -> None:
    async with open_log(store_url) as log:
        made = await connected(log)
        unnamed = await connected(log, None)
    async with open_log(store_url) as log:
        assert await log.acp.named("ann", "one") == made == await log.acp.connection(made.id)
        assert await log.acp.named("ada", "one") is None
        assert await log.acp.connection(unnamed.id) == unnamed
        assert await log.acp.connection("none") is None


async def test_a_name_stands_for_its_last_connection(store_url: str) -> None:
    async with open_log(store_url) as log:
        first = await connected(log)
        assert await connected(log) == first, "nothing has happened in it: it was only sent again"
        await log.acp.attach(first.id, ROW)
        second = await connected(log)
        assert second.id != first.id
        assert await log.acp.connection(first.id) is None
        assert await log.acp.attached(first.id) == []
        assert (await connected(log, client=b'{"a":1}')).id != second.id


async def test_who_was_not_seen_for_long_is_forgotten_when_another_comes(store_url: str) -> None:
    async with open_log(store_url) as log:
        old, fresh = await connected(log, "old"), await connected(log, "fresh")
        await log.acp.seen(fresh.id, 900)
        await log.acp.connect("ann", "new", None, b"{}", 1000, stale_before_ms=500)
        assert await log.acp.connection(old.id) is None
        assert await log.acp.connection(fresh.id) == fresh


async def test_a_session_that_is_taken_up_again_ends_its_earlier_part(store_url: str) -> None:
    async with open_log(store_url) as log:
        one = await connected(log)
        first = await log.acp.attach(one.id, ROW)
        second = await log.acp.attach(one.id, AttachedRow(session_id="s-1", cwd="/a", since=7, joined=7))
        other = await log.acp.attach(one.id, AttachedRow(session_id="s-2", cwd="/b", load_answer=b"{}"))
        assert [row.number for row in (first, second, other)] == [1, 2, 3]
        assert [(row.number, row.until) for row in await log.acp.attached(one.id)] == [(1, 7), (2, None), (3, None)]
        await log.acp.change(one.id, 3, mode="careful")
        assert (await log.acp.attached(one.id))[-1].mode == "careful"
        assert await log.acp.promised("ann", "s-2") is not None
        assert await log.acp.promised("ada", "s-2") is None
        await log.acp.disconnect(one.id)
        assert await log.acp.promised("ann", "s-2") is None


async def test_an_answer_is_given_once_and_in_order(store_url: str) -> None:
    async with open_log(store_url) as log:
        one = await connected(log)
        for request, body in (("1", b"a"), ('"1"', b"b"), ("1", b"c"), ("2", b"d")):
            await log.acp.answer(one.id, request, None, body)
        assert [answer.body for answer in await log.acp.answers(one.id, 0)] == [b"a", b"b", b"d"]
        assert [answer.body for answer in await log.acp.answers(one.id, 2)] == [b"d"]
        assert await log.acp.is_answered(one.id, '"1"')
        assert not await log.acp.is_answered(one.id, "3")


async def test_of_a_clients_answers_the_latest_are_kept(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.log.acp._ANSWERS_KEPT", 3)
    async with open_log(store_url) as log:
        one, other = await connected(log), await connected(log, "other")
        await log.acp.answer(other.id, "1", None, b"x")
        for number in range(10):
            await log.acp.answer(one.id, str(number), None, b"%d" % number)
        assert [(answer.number, answer.body) for answer in await log.acp.answers(one.id, 0)] == [
            (8, b"7"),
            (9, b"8"),
            (10, b"9"),
        ]
        assert len(await log.acp.answers(other.id, 0)) == 1


async def test_a_load_that_is_asked_again_is_the_same_and_an_agent_is_chosen_for_all(store_url: str) -> None:
    async with open_log(store_url) as log:
        one, other = await connected(log), await connected(log, "other")
        load = AttachedRow(session_id="s-1", cwd="/a", joined=7, load_answer=b'{"id":1}')
        first = await log.acp.attach(one.id, load)
        assert await log.acp.attach(one.id, load) == first, "its answer was lost with the server"
        assert (await log.acp.attach(one.id, AttachedRow(session_id="s-1", cwd="/a", load_answer=b"2"))).number == 2
        await log.acp.attach(other.id, ROW)
        await log.acp.choose_agent("s-1", "claude")
        assert {row.agent for id_ in (one.id, other.id) for row in await log.acp.attached(id_)} == {"claude"}


async def test_the_ends_of_a_users_sessions_are_found_where_they_are(store_url: str) -> None:
    async with open_log(store_url) as log:
        mine, hers = Author(log), Author(log, user_id="ada")
        for author in (mine, hers):
            await author.begin()
            await author.end()
        await mine.begin()
        await mine.write(recorded("session_disconnect"), recorded("error"))
        found = await log.acp.ends("ann", 0, log.position, 10)
        assert [(session_id, body[:15]) for _, session_id, body in found] == [
            (mine.id, b'{"type":"agent_'),
            (mine.id, b'{"type":"error"'),
        ]
        first, last = found[0][0], found[1][0]
        assert await log.acp.ends("ann", first, log.position, 10) == found[1:]
        assert await log.acp.ends("ann", last, log.position, 10) == []
        assert await log.acp.ends("ann", 0, log.position, 1) == found[:1]
        assert await log.acp.run_at(mine.key, 0) == (1, 1)
        assert await log.acp.run_at(mine.key, 4) == (1, 1)
        assert await log.acp.run_at(mine.key, mine.head) == (2, 5)
        assert await log.acp.last_final(mine.key, mine.head) == mine.head
