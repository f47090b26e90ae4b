"""Errors as clients see them: application/problem+json, made in one place."""

from collections.abc import Mapping

import msgspec
from starlette.responses import Response

from holdfast.errors import HoldfastError


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """RFC 9457, with our code."""

    type: str
    title: str
    status: int
    detail: str
    code: str


def detail_of(error: HoldfastError) -> str:
    # What went wrong inside is for the log; who asked can do nothing with it.
    return str(error) if error.code != "internal" else "The server failed; its log tells more."


def headers_of(error: HoldfastError) -> Mapping[str, str]:
    return {"www-authenticate": 'Bearer realm="holdfast"'} if error.status == 401 else {}


def problem(error: HoldfastError) -> Response:
    return Response(
        msgspec.json.encode(
            Problem(
                type=f"urn:holdfast:problem:{error.code}",
                title=error.title,
                status=error.status,
                detail=detail_of(error),
                code=error.code,
            )
        ),
        status_code=error.status,
        headers=headers_of(error),
        media_type="application/problem+json",
    )
