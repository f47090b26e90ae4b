"""What runs have cost: their ends added up, by agent, project, model or day."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Literal, cast, get_args

import msgspec

from holdfast.ends import End
from holdfast.entry import read
from holdfast.log.ended import EndedRun

By = Literal["agent", "project", "model", "day", "session"]
WAYS: tuple[By, ...] = get_args(By)

# Each kind of tokens, and by which names agents call it.
_TOKENS = {
    "input_tokens": ("input_tokens", "inputTokens"),
    "output_tokens": ("output_tokens", "outputTokens"),
    "cache_read_tokens": ("cache_read_input_tokens", "cachedReadTokens", "cacheReadTokens"),
    "cache_write_tokens": ("cache_creation_input_tokens", "cachedWriteTokens", "cacheWriteTokens"),
}


class UsageSum(msgspec.Struct, kw_only=True):
    """Sums over runs. Not every agent reports what it costs: `runs_without_cost` did not."""

    name: str = ""
    runs: int = 0
    num_turns: int = 0
    duration_ms: int = 0
    total_cost_usd: float = 0.0
    runs_without_cost: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    def add(self, end: End) -> None:
        self.runs += 1
        self.num_turns += end.num_turns or 0
        self.duration_ms += end.duration_ms or 0
        if end.total_cost_usd is None:
            self.runs_without_cost += 1
        else:
            self.total_cost_usd += end.total_cost_usd
        told: object = end.usage
        given = cast("dict[str, Any]", told) if isinstance(told, dict) else {}
        for name, called in _TOKENS.items():
            count = next((given[key] for key in called if isinstance(given.get(key), int)), 0)
            setattr(self, name, getattr(self, name) + count)


class _Spec(msgspec.Struct):
    agent: str


_spec = msgspec.json.Decoder(_Spec).decode


def added_up(runs: Iterable[EndedRun], by: By | None) -> tuple[UsageSum, list[UsageSum]]:
    """All of it, and its parts: the dearest first, days in their order."""
    total, parts = UsageSum(), dict[str, UsageSum]()
    for run in runs:
        end = read(run.envelope).data
        if not isinstance(end, End):
            continue
        total.add(end)
        if by is not None:
            name = _name(run, end, by)
            parts.setdefault(name, UsageSum(name=name)).add(end)
    if by == "day":
        return total, sorted(parts.values(), key=lambda part: part.name)
    return total, sorted(parts.values(), key=lambda part: (-part.total_cost_usd, -part.runs, part.name))


def _name(run: EndedRun, end: End, by: By) -> str:
    match by:
        case "agent":
            return _spec(run.spec).agent
        case "project":
            return run.project_id or ""
        case "model":
            return end.model or ""
        case "day":
            return f"{datetime.fromtimestamp(run.ended_ms / 1000, UTC):%Y-%m-%d}"
        case "session":
            return run.session_id
