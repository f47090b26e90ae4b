"""What a keeper asks of an adapter, whatever language its agent speaks.

An adapter emits events and answers with one outcome. It knows no store, no link and no HTTP; what it cannot parse
it emits as an event too.
"""

from typing import Any, Literal, Protocol

import msgspec

from holdfast.events import StopReason


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One turn's work: `text` is for the agent (with what it must know beyond the user's words), `shown` the user's."""

    session_id: str
    agent: str
    text: str
    shown: str
    command: list[str]
    cwd: str
    environment: dict[str, str] = {}
    agent_session_id: str | None = None
    turn: int = 1


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How the turn ended, as far as the adapter can tell."""

    stop_reason: StopReason
    agent_stop_reason: str | None = None
    # Set for ends by error only:
    error_type: str | None = None
    message: str | None = None
    by: Literal["agent", "daemon"] = "agent"
    exit_code: int | None = None
    signal: str | None = None
    usage: Any = None
    total_cost_usd: float | None = None


class Adapter(Protocol):
    async def run(self) -> Outcome:
        """Starts the agent, gives it its task, emits what it does, and answers how the turn ended. Never raises for
        anything that the agent does."""
        ...

    def cancel(self) -> bool:
        """Asks the agent to stop the turn; `run` returns soon if it obeys. False if there is no turn (yet)."""
        ...

    def answer(self, request_id: str, decision: str, by: str) -> bool:
        """Answers a permission request; false if it is not open (any more)."""
        ...

    def pause(self) -> None:
        """Stops reading the agent's output for a while: whoever takes the events has fallen behind."""
        ...

    def resume(self) -> None: ...

    def finish(self) -> None:
        """Emits what is still open of the agent's texts; called once, when `run` has returned or was given up."""
        ...

    async def end(self, *, patience_s: float) -> bool:
        """Ends the agent and everything below it; true once nothing of it is left."""
        ...

    @property
    def agent_session_id(self) -> str | None: ...

    @property
    def cost_usd(self) -> float | None:
        """What the run has cost so far, as far as the agent has told."""
        ...
