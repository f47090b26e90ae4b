"""Plain requests and streams, held to the protocol byte by byte: what a server owes to clients that nobody knows."""

import json
import re
from typing import Any

import httpx

from conformance.checks import Event, Failed, each_once, has, same, shown
from conformance.reference import Reference
from conformance.steps import Request, Stream

OPENING = re.compile(rb"retry: \d+\n\nevent: stream\ndata: (\{[^\n]*\})\n\n")
EVENT = re.compile(rb"id: (\d+)\ndata: (\{[^\n]*\})\n\n")
NOTICE = re.compile(rb"event: stream\ndata: (\{[^\n]*\})\n\n")
HEARTBEAT = b": heartbeat\n\n"
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
SHORT = 100
ENVELOPE = {"type", "data", "timestamp", "sequence"}


async def request(step: Request, reference: Reference, path: str, body: Any) -> None:
    headers = {**_credential(step.token, reference), **step.headers}
    if isinstance(body, bytes):
        answer = await reference.http.request(step.method, path, headers=headers, content=body)
    else:
        answer = await reference.http.request(step.method, path, headers=headers, json=body)
    what = f"{step.method} {path}"
    _status(answer, step.status, step.answer_headers, what)
    if step.code is not None:
        _problem(answer, step.code, what)
    if step.answer:
        has(answer.json(), step.answer, what)


async def stream(step: Stream, reference: Reference, path: str, log: list[Event] | None) -> None:
    headers = {**reference.headers, **({} if step.last_event_id is None else {"last-event-id": step.last_event_id})}
    what = f"the stream {path}"
    async with reference.http.stream("GET", path, headers=headers) as answer:
        if step.status != 200:
            await answer.aread()
        _status(answer, step.status, step.answer_headers, what)
        if step.status != 200:
            if answer.content:
                raise Failed(f"{what} is over and says {answer.content[:SHORT]!r} all the same")
            return
        events = await _read(step, answer, what)
    if log is not None:
        same(events, log, what)


async def _read(step: Stream, answer: httpx.Response, what: str) -> list[Event]:
    buffer, events, positions, beats, opened = b"", [], [], 0, False
    async for piece in answer.aiter_raw():
        buffer += piece
        while buffer:
            if not opened:
                if not (match := OPENING.match(buffer)):
                    break
                opened = True
                has(json.loads(match[1]), step.place, f"{what}: what it says of itself")
                buffer = buffer[match.end() :]
            elif buffer.startswith(HEARTBEAT):
                beats += 1
                buffer = buffer[len(HEARTBEAT) :]
            elif match := EVENT.match(buffer):
                positions.append({"position": int(match[1])})
                events.append(_envelope(match, combined="/sessions/" not in step.path))
                buffer = buffer[match.end() :]
            elif match := NOTICE.match(buffer):
                buffer = buffer[match.end() :]
            else:
                break
        if (step.heartbeats and beats >= step.heartbeats) or any(event["type"] == step.until for event in events):
            break
    else:
        if step.heartbeats or step.until:
            raise Failed(f"{what} closed before {step.until or 'its heartbeats'} came")
        if buffer or not opened:
            raise Failed(f"{what} has a frame that is none: {buffer[:SHORT]!r}")
    each_once(positions, "position", resets=0)
    return events


def _envelope(match: re.Match[bytes], *, combined: bool) -> Event:
    envelope = json.loads(match[2])
    if envelope.keys() != ENVELOPE | ({"session_id"} if combined else set()):
        raise Failed(f"an envelope has other fields than it may: {shown(envelope)}")
    if not combined and int(match[1]) != envelope["sequence"]:
        raise Failed(f"the id {match[1].decode()} is not the sequence of {shown(envelope)}")
    if not TIMESTAMP.fullmatch(envelope["timestamp"]):
        raise Failed(f"the timestamp is not one of UTC with milliseconds: {shown(envelope)}")
    return envelope


def _credential(token: str | None, reference: Reference) -> dict[str, str]:
    if token is None:
        return reference.headers
    return {"authorization": f"Bearer {token}"} if token else {}


def _status(answer: httpx.Response, status: int, headers: dict[str, str], what: str) -> None:
    if answer.status_code != status:
        raise Failed(f"{what} answers {answer.status_code}, not {status}")
    for name, value in headers.items():
        if (found := answer.headers.get(name)) != value:
            raise Failed(f"{what}: the header {name} is {found!r}, not {value!r}")


def _problem(answer: httpx.Response, code: str, what: str) -> None:
    kind = answer.headers.get("content-type", "")
    if not kind.startswith("application/problem+json"):
        raise Failed(f"{what}: the error comes as {kind!r}")
    problem = answer.json()
    if missing := {"type", "title", "status", "detail", "code"} - problem.keys():
        raise Failed(f"{what}: the problem has no {', '.join(sorted(missing))}: {shown(problem)}")
    has(problem, {"code": code, "status": answer.status_code}, what)
