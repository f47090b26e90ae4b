"""No client at all: plain requests and a few rules of PROTOCOL.md. What it lacks, clients need not have.

Keep the id of the last event; reconnect with it; 204 is the end; repeat an order with the same key, and a read whose
connection broke.
"""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
from lines import Lines

REPEATS = 100


class Refused(Exception):
    def __init__(self, answer: httpx.Response) -> None:
        try:
            self.problem: dict[str, Any] = answer.json()
        except ValueError:
            self.problem = {"code": "foreign", "detail": answer.text[:200]}
        self.problem["status"] = answer.status_code
        super().__init__(str(self.problem))


class Plain:
    def __init__(self, said: dict[str, Any]) -> None:
        self._delay_s = said["delay_ms"] / 1000
        self._http = httpx.AsyncClient(
            base_url=f"{said['url']}/api/v1",
            headers={"authorization": f"Bearer {said['token']}"},
            timeout=httpx.Timeout(60.0, read=said["quiet_s"] or 60.0),
            verify=False,  # noqa: S501 - there is no TLS on the loopback
        )

    async def order(self, do: str, fields: dict[str, Any]) -> Any:
        session = f"/sessions/{fields.get('session_id')}"
        match do:
            case "record":
                return await self._get(session)
            case "history":
                return {"events": await self._history(session)}
            case "end":
                return await self._end_of(fields["session_id"])
            case "run":
                return await self._post("/sessions/run", fields["body"])
            case "answer":
                return await self._post(f"{session}/permissions/{fields['request_id']}/answer", fields["body"])
            case _:
                return await self._post(f"{session}/{do}", fields["body"])

    async def follow(
        self,
        session_id: str | None,
        after: int | None,
        *,
        partials: bool,
        on_state: Callable[[str], None],
        on_notice: Callable[[dict[str, Any]], None],
    ) -> AsyncIterator[list[dict[str, Any]]]:
        path = f"/sessions/{session_id}/events" if session_id else "/events"
        on_state("starting")
        while True:
            headers = {} if after is None else {"last-event-id": str(after)}
            try:
                query = {} if partials else {"partials": "false"}
                async with self._http.stream("GET", path, headers=headers, params=query) as answer:
                    if answer.status_code == 204:
                        return
                    if answer.status_code < 500:
                        if answer.status_code != 200:
                            await answer.aread()
                            raise Refused(answer)
                        on_state("streaming")
                        async for event, position in self._frames(answer, on_notice):
                            after = position
                            if event is not None:
                                yield [event]
            except httpx.TransportError:
                pass
            on_state("reconnecting")
            await asyncio.sleep(self._delay_s)

    async def close(self) -> None:
        await self._http.aclose()

    def problem(self, error: Exception) -> dict[str, Any] | None:
        return error.problem if isinstance(error, Refused) else None

    async def _frames(
        self, answer: httpx.Response, on_notice: Callable[[dict[str, Any]], None]
    ) -> AsyncIterator[tuple[dict[str, Any] | None, int]]:
        buffer = b""
        async for chunk in answer.aiter_bytes():
            buffer += chunk
            *frames, buffer = buffer.split(b"\n\n")
            for frame in frames:
                fields = dict(line.split(b": ", 1) for line in frame.split(b"\n") if b": " in line)
                if b"id" in fields:
                    event = json.loads(fields[b"data"])
                    position = int(fields[b"id"])
                    yield ({**event, "position": position} if "session_id" in event else event), position
                elif fields.get(b"event") == b"stream":
                    notice = json.loads(fields[b"data"])
                    on_notice(notice)
                    if "after" in notice:
                        yield None, notice["after"]

    async def _get(self, path: str, **query: Any) -> Any:
        try:
            answer = await self._http.get(path, params=query)
        except httpx.TransportError:
            answer = await self._http.get(path, params=query)
        if not answer.is_success:
            raise Refused(answer)
        return answer.json()

    async def _post(self, path: str, body: Any) -> Any:
        headers = {"idempotency-key": str(uuid.uuid4())}
        for _ in range(REPEATS):
            try:
                answer = await self._http.post(path, json=body, headers=headers)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code not in (502, 503):
                if not answer.is_success:
                    raise Refused(answer)
                return answer.json()
            await asyncio.sleep(self._delay_s)
        raise TimeoutError(f"no answer to {path}")

    async def _history(self, session: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        after = 0
        while True:
            page = await self._get(f"{session}/events/history", after=after, limit=100)
            found += page["events"]
            if "next_after" not in page:
                return found
            after = page["next_after"]

    async def _end_of(self, session_id: str) -> dict[str, Any]:
        end: dict[str, Any] = {}
        nothing: Callable[[Any], None] = lambda _: None  # noqa: E731
        async for batch in self.follow(session_id, 0, partials=True, on_state=nothing, on_notice=nothing):
            for event in batch:
                if event["type"] in ("agent_complete", "error", "cancelled"):
                    end = {"type": event["type"], **event["data"]}
        return end


if __name__ == "__main__":
    asyncio.run(Lines(Plain).serve())
