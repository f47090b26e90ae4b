"""A session as a file: downloaded from one server, taken in by another."""

import hashlib
from collections.abc import AsyncGenerator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from holdfast.http.context import context_of, row_of, user_of
from holdfast.http.requests import key_of, only, read_bytes
from holdfast.log.reader import SessionRow
from holdfast.sessions import archive
from holdfast.sessions.once import Once
from holdfast.sessions.record import record_of

_PAGE = 1_000
# A long session has some megabytes; its file is held in memory while it is looked through.
_FILE_BYTES = 256 * 1024 * 1024
_MEDIA_TYPE = "application/jsonl"


async def export(request: Request) -> Response:
    only(request)
    row = await row_of(request)
    headers = {"content-disposition": f'attachment; filename="session-{row.id}.jsonl"'}
    return StreamingResponse(_lines(request, row), media_type=_MEDIA_TYPE, headers=headers)


async def _lines(request: Request, row: SessionRow) -> AsyncGenerator[bytes]:
    read = context_of(request).log.read
    yield archive.heading(record_of(row))
    after = 0
    while page := [entry for entry in await read.history(row.key, after, _PAGE) if entry[0] <= row.head]:
        yield b"".join(envelope + b"\n" for _, envelope in page)
        after = page[-1][0]


async def import_(request: Request) -> Response:
    only(request)
    context = context_of(request)
    text = await read_bytes(request, _FILE_BYTES)
    key = key_of(request)
    user = user_of(request)
    once = None if key is None else Once(user_id=user, key=key, fingerprint=hashlib.sha256(text).hexdigest())
    answer = await archive.take_in(context.log, context.settings, user, text, once)
    return Response(answer, media_type="application/json")
