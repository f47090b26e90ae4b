"""The Python client, `holdfast.client`, as a driver."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
from lines import Lines

from holdfast.client import Event, Holdfast, HoldfastError, Notice

PAGE = 100


class PythonClient:
    def __init__(self, said: dict[str, Any]) -> None:
        self._holdfast = Holdfast(said["url"], said["token"])
        self._quiet = {"quiet_s": said["quiet_s"]} if said["quiet_s"] else {}

    async def order(self, do: str, fields: dict[str, Any]) -> Any:
        body = fields.get("body", {})
        if do == "run":
            session = await self._holdfast.run(body["task"], **body["config"])
            return {"session_id": session.id}
        session = self._holdfast.session(fields["session_id"])
        match do:
            case "history":
                events: list[dict[str, Any]] = []
                async for page in session.all_history():
                    events += [json.loads(event.raw) for event in page.events]
                return {"events": events}
            case "fork":
                return {"session_id": (await session.fork(**body)).id}
            case "answer":
                return _plain(await session.answer(fields["request_id"], **body))
            case _:
                return _plain(await getattr(session, do)(**body))

    async def follow(
        self,
        session_id: str | None,
        after: int | None,
        *,
        partials: bool,
        on_state: Callable[[str], None],
        on_notice: Callable[[dict[str, Any]], None],
    ) -> AsyncIterator[list[dict[str, Any]]]:
        def noticed(notice: Notice) -> None:
            on_notice({name: value for name, value in _plain(notice).items() if value is not None})

        told: dict[str, Any] = {"on_state": lambda state, _: on_state(state), "on_notice": noticed, **self._quiet}
        if session_id is None:
            stream = self._holdfast.events(after, **told)
        else:
            stream = self._holdfast.session(session_id).events(after or 0, partials=partials, **told)
        async with stream:
            async for batch in stream.batches():
                yield [_event(event, combined=session_id is None) for event in batch]

    async def close(self) -> None:
        await self._holdfast.aclose()

    def problem(self, error: Exception) -> dict[str, Any] | None:
        if not isinstance(error, HoldfastError):
            return None
        return {"code": error.code, "status": error.status, "detail": str(error)}


def _event(event: Event, *, combined: bool) -> dict[str, Any]:
    """As a program sees it: what the client calls type, sequence and so on, not what stood in the bytes."""
    seen = {"type": event.type, "data": event.plain(), "timestamp": event.timestamp, "sequence": event.sequence}
    return {**seen, "session_id": event.session_id, "position": event.position} if combined else seen


def _plain(value: Any) -> Any:
    """Without what is not set: the protocol knows no null."""
    return msgspec.json.decode(msgspec.json.encode(value))


if __name__ == "__main__":
    asyncio.run(Lines(PythonClient).serve())
