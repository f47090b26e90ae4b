"""Answers to permission requests: the first one wins, and it counts once the agent has taken it."""

import asyncio

from holdfast.errors import AgentUnreachable, AlreadyAnswered, NotFound
from holdfast.keeper.messages import Answer
from holdfast.log.log import Log
from holdfast.sessions.keepers import Keepers
from holdfast.sessions.session import Session

_TAKEN_S = 5.0
_POLL_S = 0.02


class Permissions:
    def __init__(self, log: Log, keepers: Keepers) -> None:
        self._log = log
        self._keepers = keepers
        self._answering: set[str] = set()

    async def answer(self, session: Session, request_id: str, decision: str) -> None:
        """Raises NotFound, AlreadyAnswered, or AgentUnreachable if the agent does not take it in time."""
        if request_id in self._answering:
            raise AlreadyAnswered(f"The permission request {request_id} is being answered")
        if request_id not in session.state.open_requests:
            if await self._was_asked(session, request_id):
                raise AlreadyAnswered(f"The permission request {request_id} has its answer")
            raise NotFound(f"There is no permission request {request_id!r} in the session {session.id}")
        self._answering.add(request_id)
        try:
            async with asyncio.timeout(_TAKEN_S):
                await self._give(session, Answer(request_id, decision, session.user_id))
        except TimeoutError:
            raise AgentUnreachable(f"The agent of session {session.id} did not take the answer; try again") from None
        finally:
            self._answering.discard(request_id)

    async def _give(self, session: Session, answer: Answer) -> None:
        """Returns when the log says that the request is resolved; a keeper that is not linked is waited for."""
        sent = False
        while answer.request_id in session.state.open_requests:
            sent = sent or self._keepers.answer((session.id, session.run), answer)
            await asyncio.sleep(_POLL_S)

    async def _was_asked(self, session: Session, request_id: str) -> bool:
        head = self._log.head(session.id)
        wanted = f'"request_id":"{request_id}"'.encode()
        after = 0
        while head is not None and (page := await self._log.read.history(head.key, after, 1000)):
            if any(wanted in body for _, body in page):
                return True
            after = page[-1][0]
        return False
