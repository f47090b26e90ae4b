"""Where a stream's blocks come from: one session's log, or all of a user's."""

from collections.abc import Callable
from typing import Protocol

from holdfast.log.log import Log
from holdfast.log.tail import Block


class Source(Protocol):
    async def after(self, position: int) -> tuple[list[Block], int]:
        """Some blocks after a position, and the position that they reach: the same one only at the head.

        Does not suspend at the head: who hears that there is nothing more may rely on it until it next waits.
        """
        ...

    @property
    def is_over(self) -> bool:
        """Nothing more will come behind the head by itself."""
        ...

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]: ...


class SessionSource:
    """The log's head of the session must be known (Log.learn).

    Up to `settled` it leaves out the partials whose final is committed. Who stands at the head stands behind that, so
    a channel may serve all its readers from any one of their sources.
    """

    def __init__(self, log: Log, session_id: str, *, settled: int = 0) -> None:
        self._log = log
        self._session_id = session_id
        self._settled = settled

    async def after(self, position: int) -> tuple[list[Block], int]:
        return await self._log.after(self._session_id, position, skip_settled=position < self._settled)

    @property
    def is_over(self) -> bool:
        head = self._log.head(self._session_id)
        return head is None or head.over

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        return self._log.watch(self._session_id, wake)


class CombinedSource:
    def __init__(self, log: Log, user_id: str) -> None:
        self._log = log
        self._user_id = user_id

    async def after(self, position: int) -> tuple[list[Block], int]:
        return await self._log.combined_after(self._user_id, position)

    is_over = False

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        return self._log.watch(None, wake)
