"""The browser's credential: a cookie that is set by a token, and taken away again."""

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast.errors import Unauthorized
from holdfast.http.auth import COOKIE, check_origin
from holdfast.http.context import context_of, json_response, user_of
from holdfast.http.requests import NoBody, only, read_body

_YEAR_S = 365 * 86400


class LoginBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    token: Annotated[str, msgspec.Meta(min_length=1, max_length=1_000)]


class Me(msgspec.Struct, frozen=True, kw_only=True):
    user: str


def let_in(answer: Response, request: Request, token: str) -> None:
    """Sets the cookie. No script can read it, and no other site's page can make the browser send it."""
    answer.set_cookie(COOKIE, token, max_age=_YEAR_S, path="/", httponly=True, samesite="strict", secure=_tls(request))


async def login(request: Request) -> Response:
    # Another site's page must not log somebody in as somebody else.
    check_origin(request.method, request.headers, "that sets the cookie")
    body, _ = await read_body(request, LoginBody)
    if context_of(request).doorkeeper.user_of(body.token) is None:
        raise Unauthorized("The token is not valid")
    answer = Response(status_code=204)
    let_in(answer, request, body.token)
    return answer


async def logout(request: Request) -> Response:
    """Needs no credential: a browser must get rid of one that is no longer valid too."""
    check_origin(request.method, request.headers, "that takes the cookie away")
    await read_body(request, NoBody)
    answer = Response(status_code=204)
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict", secure=_tls(request))
    return answer


async def me(request: Request) -> Response:
    only(request)
    return json_response(Me(user=user_of(request)))


def _tls(request: Request) -> bool:
    return request.url.scheme == "https"
