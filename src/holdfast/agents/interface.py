"""What a keeper asks of an adapter, whatever language its agent speaks.

An adapter emits events and answers with one outcome. It knows no store, no link and no HTTP; what it cannot parse
it emits as an event too.
"""

from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

from holdfast.agents.stderr import StderrCollector
from holdfast.ends import StopReason
from holdfast.event import Event
from holdfast.limits import Limits
from holdfast.policy import Policy

Decision = Literal["allow_once", "allow_session", "allow_project", "deny", "cancelled"]


class GivenFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that came with the task, where the agent can read it."""

    path: str
    name: str
    media_type: str


class Task(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One turn's work: `text` is for the agent (with what it must know beyond the user's words), `shown` the user's."""

    session_id: str
    agent: str
    text: str
    shown: str
    command: list[str]
    cwd: str
    kind: Literal["acp", "claude"] = "acp"
    environment: dict[str, str] = {}
    pass_environment: list[str] = []
    """Names (PREFIX_* too) that the agent gets from the server's environment, beside the harmless ones."""
    files: list[GivenFile] = []
    turn: int = 1
    # The agent's own session: to be taken up, or to be forked from; else a new one is made, of `new_session_id` if the
    # agent lets us choose.
    agent_session_id: str | None = None
    fork: bool = False
    new_session_id: str | None = None
    fresh_text: str | None = None
    """Said instead of `text` if the agent's session turns out to be lost, for what only a memory would understand."""
    resume_at: str | None = None
    """Fork from this point of the agent's session, not from its end."""
    transcript: str | None = None
    """A file with what the agent's transcript held at its last end, should the agent have lost it."""
    auth: str | None = None
    """The ACP auth method to call before the first session."""
    # What the user chose
    model: str | None = None
    mode: str | None = None
    options: dict[str, str | bool] = {}
    setting_sources: list[str] = []
    sandbox: bool = False
    output_display: bool = False
    """Wanted: a structured result of the shape of `output_display`; a schema asks for one of its own shape."""
    output_schema: dict[str, Any] | None = None
    limits: Limits = Limits()
    policy: Policy = Policy()


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
    model: str | None = None
    api_status: int | None = None
    limit: str | None = None
    agent_position: str | None = None


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person (or the policy, or time) says to a request of the agent."""

    decision: Decision
    by: str
    message: str | None = None
    tool_input: Any = None
    """Allow, but with this input instead."""
    answers: dict[str, Any] | None = None


class Means(msgspec.Struct, frozen=True, kw_only=True):
    """What an adapter is given beside its task, by whoever lets it run."""

    emit: Callable[[Event], None]
    keep: Callable[[bytes], None]
    """Takes a piece of the agent's transcript, as surely as an event."""
    stderr: StderrCollector
    started: Callable[[int], None]
    """Is told the agent's process."""
    now_ms: Callable[[], int]
    start_timeout_s: float
    permission_ttl_s: float
    """How long a request waits for a person."""


class Adapter(Protocol):
    async def prepare(self) -> Outcome | None:
        """Starts the agent ahead of its task, as far as it can be; answers how that failed, if it did. `run` does it
        otherwise."""
        ...

    def begin(self, task: Task) -> None:
        """The task of an agent that was prepared ahead of it."""
        ...

    async def run(self) -> Outcome:
        """Starts the agent, gives it its task, emits what it does, and answers how the turn ended. Never raises for
        anything that the agent does."""
        ...

    def cancel(self) -> bool:
        """Asks the agent to stop the turn; `run` returns soon if it obeys. False if there is no turn (yet)."""
        ...

    def answer(self, request_id: str, reply: Reply) -> bool:
        """Answers a request of the agent; false if it is not open (any more)."""
        ...

    def switch(self, policy: Policy) -> None:
        """From now on this policy counts."""
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
