"""Who may come in: a pure decision over a request's headers, and the tickets that open one stream."""

import ipaddress
import secrets
import time
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from holdfast.errors import ForbiddenOrigin, Unauthorized, WrongHost

COOKIE = "holdfast_token"
LOCAL_USER = "local"
TICKET_S = 60.0
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def check_host(host: str | None, allowed: frozenset[str]) -> None:
    """DNS rebinding: a page of evil.example whose name suddenly means 127.0.0.1 still says evil.example here."""
    if not host:
        raise WrongHost("The request has no Host header")
    name = _name_of(host)
    if name is None:
        raise WrongHost(f"The Host header {host!r} is not the name of a host")
    if name == "localhost" or name in allowed or _is_address(name):
        return
    raise WrongHost(f"The host {name!r} is not served here; the setting allowed_hosts may name it")


def _name_of(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:  # a bracket that is not closed
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Doorkeeper:
    def __init__(self, tokens: Mapping[str, str]) -> None:
        """`tokens`: token → user."""
        self._tokens = dict(tokens)
        self._tickets: dict[str, tuple[str, float]] = {}

    def user_of(self, token: str) -> str | None:
        for known, user in self._tokens.items():
            # Constant time: how much of a guess was right must not show.
            if secrets.compare_digest(known.encode(), token.encode("utf-8", "replace")):
                return user
        return None

    def token_of(self, user: str) -> str:
        """One by which the user is known, for what the server asks of itself in the user's name."""
        return next(token for token, known in self._tokens.items() if known == user)

    def admit(
        self,
        method: str,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        *,
        is_stream: bool,
    ) -> str:
        """The user who makes the request; raises Unauthorized or ForbiddenOrigin."""
        authorization = headers.get("authorization")
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            return self._known(token.strip() if scheme.lower() == "bearer" else "")
        if "x-api-key" in headers:  # as the SDKs of model services send theirs
            return self._known(headers["x-api-key"])
        if is_stream and "ticket" in query:
            return self._redeem(query["ticket"])
        if "token" in query:
            return self._known(query["token"])
        cookie = _cookie(headers.get("cookie"))
        if cookie is None:
            raise Unauthorized("The request has no credential")
        user = self._known(cookie)
        check_origin(method, headers)
        return user

    def _known(self, token: str) -> str:
        user = self.user_of(token)
        if user is None:
            raise Unauthorized("The credential is not valid")
        return user

    def issue(self, user: str) -> tuple[str, float]:
        """A new ticket, and how long it is valid."""
        now = time.monotonic()
        self._tickets = {known: entry for known, entry in self._tickets.items() if entry[1] > now}
        ticket = secrets.token_urlsafe(24)
        self._tickets[ticket] = (user, now + TICKET_S)
        return ticket, TICKET_S

    def _redeem(self, ticket: str) -> str:
        user, expires = self._tickets.pop(ticket, ("", 0.0))
        if expires < time.monotonic():
            raise Unauthorized("The ticket was used, has expired or never was one")
        return user


def _cookie(header: str | None) -> str | None:
    if header is None:
        return None
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return None
    return None if morsel is None else morsel.value


def check_origin(method: str, headers: Mapping[str, str], what: str = "with the cookie") -> None:
    """A browser sends the cookie along whichever page asks; so the page must be our own."""
    origin = headers.get("origin")
    if origin is None:
        if method in _SAFE and headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
            return
        raise ForbiddenOrigin(f"A {method} {what} must say its Origin")
    # As text: an origin that cannot be parsed is not ours either.
    if origin.partition("://")[2] != headers.get("host"):
        raise ForbiddenOrigin(f"A {method} {what} may not come from the origin {origin!r}")
