"""How far a run may go, whatever agent does it."""

from typing import Annotated, Literal, Self

import msgspec
from msgspec import Meta

# Of bytes and megabytes: a number of more than 64 bits would never reach a keeper.
_MOST = 10**15
# A year: beyond that it is a mistake, and timers of the system overflow somewhere behind it.
Seconds = Annotated[float, Meta(gt=0, le=31_536_000)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """None: no limit."""

    max_turns: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    """Turns of the model: one answer of it, with the tool calls in it."""
    max_budget_usd: Annotated[float, Meta(gt=0, le=1_000_000)] | None = None
    timeout_s: Seconds | None = None
    idle_s: Seconds | None = None
    """Without an event of the agent; time in which it waits for a person does not count."""
    max_output_bytes: Annotated[int, Meta(ge=1, le=_MOST)] | None = None
    """Of text and tool results, as they stand in the log."""
    max_memory_mb: Annotated[int, Meta(ge=1, le=_MOST)] | None = None
    """Of all the agent's processes together."""
    on_limit: Literal["end", "pause"] | None = None
    """None: end."""

    def over(self, before: Self) -> Self:
        """These, and where they say nothing, the ones before."""
        given = {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not None}
        return msgspec.structs.replace(before, **given)
