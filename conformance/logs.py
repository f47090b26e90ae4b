"""Sessions that many rounds read: each is made by the first that wants it."""

import asyncio
import time
from collections.abc import Awaitable, Callable

# A log is complete until ten minutes after its end; then its partials are dropped, and who reads it sees gaps.
KEPT_S = 240.0


class Logs:
    def __init__(self) -> None:
        self._sessions: dict[str, tuple[str, float]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def session(
        self, key: str, make: Callable[[], Awaitable[str]], is_good: Callable[[str], Awaitable[bool]]
    ) -> str:
        """The id of the session that is known by this key; made anew if the last one is old, or good no more."""
        async with self._locks.setdefault(key, asyncio.Lock()):
            session_id, made_at = self._sessions.get(key, ("", 0.0))
            if not session_id or time.monotonic() > made_at + KEPT_S or not await is_good(session_id):
                session_id = await make()
                self._sessions[key] = session_id, time.monotonic()
            return session_id
