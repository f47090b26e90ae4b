"""What the next run of a session is ordered to do, from what the user wants and what was before it: pure."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from holdfast.events import Origin
from holdfast.sessions.attachments import GivenAttachment
from holdfast.sessions.ids import random_session_id
from holdfast.sessions.orders import Order, RunConfig
from holdfast.sessions.resume_context import with_resume_context
from holdfast.state import State

ONLY_CLAUDE = ("sandbox", "setting_sources", "output_display", "output_schema")
_FRESH = (
    "You have worked on the following task before, but your memory of it is lost. Look at what is done already, then "
    "go on with it.\n\n{task}"
)


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """What a user wants done, and how."""

    task: str
    config: RunConfig = RunConfig()
    attachments: Sequence[GivenAttachment] = ()
    resume: Literal["continue", "rerun"] | None = None
    origin: Origin | None = None


def next_order(work: Work, state: State, before: Order, *, agent: str, workspace: str) -> Order:
    config, profile = _config(work, state, before, agent)
    # What was discarded is not spoken of any more.
    was_cancelled = state.status == "cancelled" and not state.is_discarded

    def told(text: str) -> str:
        return with_resume_context(text, state.todos) if was_cancelled else text

    text, fresh_text = told(work.task), told(_FRESH.format(task=state.task))
    # Another agent knows nothing of this one's sessions.
    known = state.agent_session_id if agent == (state.session_agent or before.agent) else None
    # A fork whose agent has not begun to work has still to be made.
    is_fork = known is None and not state.forgotten and before.forked_from is not None and agent == before.agent
    if work.resume == "continue" and known is None:
        text = told(state.task) if is_fork else fresh_text
    return Order(
        agent=agent,
        workspace=workspace,
        text=text,
        shown=work.task,
        config=config,
        agent_session_id=before.agent_session_id if is_fork else known,
        new_session_id=random_session_id() if state.forgotten else None,
        forked_from=before.forked_from if is_fork else None,
        resume_at=before.resume_at if is_fork else None,
        resume=work.resume,
        switched=config.profile != profile,
        fresh_text=fresh_text if work.resume == "continue" else None,
    )


def _config(work: Work, state: State, before: Order, agent: str) -> tuple[RunConfig, str | None]:
    """How the run is to be done, and the permission profile that counted until now."""
    earlier = before.config
    if agent != before.agent:
        # What one agent was told about itself means nothing to another.
        earlier = msgspec.structs.replace(earlier, **dict.fromkeys(("model", "mode", "options", *ONLY_CLAUDE)))
    config = work.config.over(earlier)
    profile = state.profile or earlier.profile
    if work.config.profile is None:
        config = msgspec.structs.replace(config, profile=profile)
    return config, profile
