"""/api/v1/sessions/{id}/files: what changed in a session's workspace, and one file of it."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import datetime
from pathlib import PurePosixPath
from typing import BinaryIO
from urllib.parse import quote

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from holdfast.errors import BadRequest, NotFound
from holdfast.http.context import context_of, json_response, row_of
from holdfast.http.requests import only, whole_number
from holdfast.log.reader import SessionRow
from holdfast.sessions.files import DOWNLOAD_BYTES, changed_files, open_download, read_text

_CHUNK_BYTES = 256 * 1024
# An agent wrote it: whatever it claims to be, no browser may take it for a page of ours.
_HEADERS = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class _Began(msgspec.Struct):
    timestamp: str


async def list_(request: Request) -> Response:
    only(request, "run")
    row = await row_of(request)
    since_ms = await _since(request, row)
    return json_response(await asyncio.to_thread(changed_files, row.workspace, since_ms))


async def content(request: Request) -> Response:
    only(request, "path", "as")
    row = await row_of(request)
    path = request.query_params.get("path")
    if not path:
        raise BadRequest("The query lacks the path of a file")
    match request.query_params.get("as"):
        case None:
            return _Download(path, await asyncio.to_thread(open_download, row.workspace, path))
        case "text":
            text, cut = await asyncio.to_thread(read_text, row.workspace, path)
            headers = {**_HEADERS, "x-holdfast-truncated": "true"} if cut else _HEADERS
            return Response(text, headers=headers, media_type="text/plain; charset=utf-8")
        case other:
            raise BadRequest(f"as must be text, not {other!r}")


async def _since(request: Request, row: SessionRow) -> int:
    if "run" not in request.query_params:
        return row.created_ms
    number = whole_number(request, "run", 1, least=1, most=10**9)
    first = await context_of(request).log.read.first_event(row.key, number)
    if first is None:
        raise NotFound(f"The session {row.id!r} has no run {number}")
    began = datetime.fromisoformat(msgspec.json.decode(first, type=_Began).timestamp)
    return round(began.timestamp() * 1000)


class _Download(StreamingResponse):
    """An open file, closed whichever way the answer ends. Its length is not announced: it may be written meanwhile."""

    def __init__(self, path: str, file: BinaryIO) -> None:
        self._file = file
        name = quote(PurePosixPath(path).name, safe="")
        super().__init__(
            self._pieces(),
            headers={**_HEADERS, "content-disposition": f"attachment; filename*=UTF-8''{name}"},
            media_type="application/octet-stream",
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["method"] == "HEAD":
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await send({"type": "http.response.body", "body": b""})
            else:
                await super().__call__(scope, receive, send)
        finally:
            self._file.close()

    async def _pieces(self) -> AsyncGenerator[bytes]:
        left = DOWNLOAD_BYTES
        # This one waits for its thread also when the client leaves: the file must not be closed while it is read.
        while left and (piece := await run_in_threadpool(self._file.read, min(_CHUNK_BYTES, left))):
            left -= len(piece)
            yield piece
