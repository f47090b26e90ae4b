"""Streams as a scripted server plays them, and a client that talks to it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from holdfast.client import EventStream, Holdfast, Session
from tests.clients.stage import SECONDS, SESSION, Exchange, Script, Stage, on_stage


@asynccontextmanager
async def talking(*scripts: Script) -> AsyncIterator[tuple[Stage, Session]]:
    async with asyncio.timeout(SECONDS), on_stage(*scripts) as stage, Holdfast(stage.url, "t") as holdfast:
        yield stage, holdfast.session(SESSION)


def playing(*parts: bytes, is_finished: bool = False) -> Script:
    """A stream that sends these and breaks, or ends properly."""

    async def play(exchange: Exchange) -> None:
        exchange.open()
        for part in parts:
            await exchange.send(part)
        if is_finished:
            await exchange.finish()
        else:
            exchange.cut()

    return play


def staying(*parts: bytes) -> Script:
    """A stream that sends these, and then nothing."""

    async def play(exchange: Exchange) -> None:
        exchange.open()
        with suppress(ConnectionResetError):  # whoever it is for may have left
            await exchange.send(*parts)
            await asyncio.sleep(SECONDS)

    return play


async def over(exchange: Exchange) -> None:
    await exchange.nothing_more()


async def collect(stream: EventStream, seen: list[int]) -> None:
    async for event in stream:
        seen.append(event.sequence)


async def numbers(session: Session, **options: Any) -> list[int]:
    return [event.sequence async for event in session.events(**options)]
