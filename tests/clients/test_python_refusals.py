"""What the Python client does when a server refuses, is not there, or its answers are lost."""

import pytest

from holdfast.client import (
    BadRequest,
    Holdfast,
    NotFound,
    Unauthorized,
    UnknownAgent,
    Unreachable,
)
from tests.clients.stage import cutting
from tests.conftest import TOKEN, Server

pytestmark = pytest.mark.anyio


async def test_refusals_are_the_classes_of_their_codes(holdfast: Holdfast, shared_server: Server) -> None:
    with pytest.raises(NotFound) as not_found:
        await holdfast.session("nobody's").record()
    assert not_found.value.problem["type"] == "urn:holdfast:problem:not_found"
    with pytest.raises(UnknownAgent, match="nobody"):
        await holdfast.run("t", agent="nobody")
    with pytest.raises(BadRequest, match="colour"):
        await holdfast.request("POST", "/sessions/run", body={"task": "t", "colour": "blue"})
    async with Holdfast(shared_server.url, "wrong") as stranger:
        with pytest.raises(Unauthorized, match="the token is that of token= or HOLDFAST_TOKEN"):
            await stranger.sessions()
        with pytest.raises(Unauthorized):
            async for _ in stranger.session("x").events():
                pass


async def test_where_no_server_is_one_sentence_says_so(nobody: str) -> None:
    async with Holdfast(nobody, "t") as holdfast:
        with pytest.raises(Unreachable, match=f"No Holdfast server answers at {nobody}; start one"):
            await holdfast.run("t")


async def test_the_same_key_starts_one_run(holdfast: Holdfast) -> None:
    first = await holdfast.run("tools 1", idempotency_key="the python client's own")
    again = await holdfast.run("tools 1", idempotency_key="the python client's own")
    assert first.id == again.id


async def test_a_start_whose_answer_was_lost_is_repeated_and_starts_one_session(
    holdfast: Holdfast, shared_server: Server
) -> None:
    budgets = [10, 200, None]
    async with (
        cutting(shared_server.port, lambda: budgets.pop(0) if len(budgets) > 1 else None) as proxy,
        Holdfast(proxy.url, TOKEN) as cut_off,
    ):
        session = await cut_off.run("tools 1", project_id="once")
        assert proxy.cuts >= 1
    assert (await holdfast.session(session.id).record()).runs == 1


async def test_through_a_proxy_that_cuts_each_event_comes_once(holdfast: Holdfast, shared_server: Server) -> None:
    session = await holdfast.run("tools 200")
    whole = [event.raw async for event in session.events()]
    size = 1500
    async with (
        cutting(shared_server.port, lambda: size) as proxy,
        Holdfast(proxy.url, TOKEN) as cut_off,
    ):
        seen: list[bytes] = []
        async for event in cut_off.session(session.id).events():
            seen.append(event.raw)
            # So that an event that is longer than the rest of a connection gets through at last.
            size = 1500 + len(seen) % 40 * 200
        assert seen == whole
        assert proxy.cuts > 3
