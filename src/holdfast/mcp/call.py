"""Who calls a tool: the server it is about, and for whom it must not act."""

from collections.abc import Awaitable, Callable

import msgspec

from holdfast.client import Holdfast, Session
from holdfast.client.errors import refused

Tell = Callable[[float, float, str], Awaitable[None]]
"""Tells the caller, if it wants to know, how far a call is: so much of so much, and what is going on."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    holdfast: Holdfast
    tell: Tell
    own_session_id: str | None = None
    """Of the agent that calls; None if it is not one of Holdfast's, or nobody can know."""

    def session(self, session_id: str) -> Session:
        return self.holdfast.session(session_id)

    def other_session(self, session_id: str, what: str) -> Session:
        """One that the caller may act on: an agent that answers its own requests needs no permission any more, and one
        that stops or copies itself seldom means to."""
        if session_id == self.own_session_id:
            detail = f"This agent works in the session {session_id} itself, and cannot {what}; a person can"
            raise refused("own_session", 403, "The agent's own session", detail)
        return self.holdfast.session(session_id)
