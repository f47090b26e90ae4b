"""How far a run has gone, and whether that is too far: pure, the clock is handed in.

Rule 1: a limit is how far a run may go; it is reached when more than that was seen, or, of time and money, all of it.
Rule 2: while the agent waits for a person it is neither idle nor stalled on anything else; the run's own time goes on.
Rule 3: a silence is told once; any event of the agent ends it.
"""

import resource
from collections.abc import Iterator

import msgspec

from holdfast import events
from holdfast.agents import tree
from holdfast.ends import StopReason
from holdfast.events import Event, Stalled
from holdfast.keeper.turns import Turns
from holdfast.limits import Limits
from holdfast.waiting import detail_of

# How long to sleep when no time is limited, and how short when something is due and nobody has acted on it yet.
_LONGEST_S = 60.0
_SHORTEST_S = 0.05
_MB = 1024 * 1024


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    stop_reason: StopReason
    limit: str
    """The name of the field of Limits."""
    message: str


class Meter:
    """`observe` gets every event of the agent. The run's time begins when this is made."""

    def __init__(self, limits: Limits, now_s: float, *, permission_ttl_s: float | None = None) -> None:
        self._limits = limits
        self._permission_ttl_s = permission_ttl_s
        self._began_s = self._last_s = now_s
        self._turns = Turns()
        self._texts: dict[tuple[type[Event], str | None], int] = {}
        self._tools: dict[str, events.ToolStart] = {}
        self._asked: set[str] = set()
        self._is_told = False
        self.counts = any(
            limit is not None for limit in (limits.max_turns, limits.max_budget_usd, limits.max_output_bytes)
        )
        """Whether an event can be one too many. What time and memory bring about is seen by whoever watches those."""
        self.output_bytes = 0
        self.cost_usd: float | None = None
        self.memory_mb: float = 0
        """To be measured by whoever has such a limit."""

    @property
    def turns(self) -> int:
        return self._turns.count

    def observe(self, event: Event, now_s: float) -> None:
        if isinstance(event, Stalled):
            return
        self._last_s, self._is_told = now_s, False
        self._turns.observe(event)
        self.output_bytes += self._size(event)
        match event:
            case events.ToolStart():
                self._tools[event.tool_id] = event
            case events.ToolComplete():
                self._tools.pop(event.tool_id, None)
            case events.PermissionRequest() | events.Question():
                self._asked.add(event.request_id)
            case events.PermissionResolved():
                self._asked.discard(event.request_id)
            case events.Usage() if event.cost_usd is not None:
                self.cost_usd = event.cost_usd
            case _:
                pass

    def _size(self, event: Event) -> int:
        """The bytes of what the agent said and its tools gave. What has no event of its own counts too: a tool's
        progress comes that way, and a flood is a flood."""
        if self._limits.max_output_bytes is None:
            return 0
        match event:
            case events.Message() | events.Thinking():
                return self._text_size(event)
            case events.ToolComplete():
                return _bytes(event.result)
            case events.AgentUpdate():
                return _bytes(event.update)
            case events.AgentUnparsed():
                return _bytes(event.text)
            case _:
                return 0

    def _text_size(self, event: events.Message | events.Thinking) -> int:
        """Each text once: its final repeats what its partials said."""
        key, size = (type(event), event.parent_id), _bytes(event.text)
        if event.is_partial:
            self._texts[key] = self._texts.get(key, 0) + size
            return size
        return max(0, size - self._texts.pop(key, 0))

    # Limits

    def reached(self, now_s: float) -> Reached | None:
        """The first limit that stops the run; None while it may go on."""
        return next(self._all_reached(now_s), None)

    def _all_reached(self, now_s: float) -> Iterator[Reached]:
        limits = self._limits
        if limits.max_turns is not None and self.turns > limits.max_turns:
            yield _reached(
                "error_max_turns", "max_turns", f"the model has used up its {_count(limits.max_turns, 'turn')}"
            )
        if limits.max_budget_usd is not None and (self.cost_usd or 0) >= limits.max_budget_usd:
            spent = f"the run has cost {self.cost_usd:.2f} of {limits.max_budget_usd:.2f} US dollars"
            yield _reached("error_max_budget_usd", "max_budget_usd", spent)
        if limits.max_output_bytes is not None and self.output_bytes > limits.max_output_bytes:
            written = f"the agent has written more than {_count(limits.max_output_bytes, 'byte')}"
            yield _reached("max_output", "max_output_bytes", written)
        if limits.max_memory_mb is not None and self.memory_mb > limits.max_memory_mb:
            taken = f"the agent's processes take {self.memory_mb:.0f} MB of memory, more than {limits.max_memory_mb}"
            yield _reached("max_memory", "max_memory_mb", taken)
        if limits.timeout_s is not None and now_s - self._began_s >= limits.timeout_s:
            yield _reached("timeout", "timeout_s", f"the run did not end within {limits.timeout_s:g} s")
        if limits.idle_s is not None and not self._asked and now_s - self._last_s >= limits.idle_s:
            yield _reached("idle_timeout", "idle_s", f"the agent has done nothing for {limits.idle_s:g} s")

    # Silence

    def stalled(self, now_s: float, after_s: float) -> Stalled | None:
        """What a run waits for in which nothing has happened for `after_s`; None if something has, or if it was told
        already. A person is waited for in silence if their time is up before that anyway."""
        silent_s = now_s - self._last_s
        if self._is_told or silent_s < after_s:
            return None
        if self._asked and self._permission_ttl_s is not None and self._permission_ttl_s <= after_s:
            return None
        self._is_told = True
        idle_ms = int(silent_s * 1000)
        if self._asked:
            return Stalled(waiting_on="person", idle_ms=idle_ms)
        if not self._tools:
            return Stalled(waiting_on="model", idle_ms=idle_ms)
        tool = next(reversed(self._tools.values()))  # the one begun last, which the session's record names too
        return Stalled(
            waiting_on="tool",
            idle_ms=idle_ms,
            tool_name=tool.tool_name,
            tool_id=tool.tool_id,
            detail=detail_of(tool.tool_input) or tool.title,
        )

    def next_check_s(self, now_s: float, stall_after_s: float | None = None) -> float:
        """In how many seconds time alone may next bring about something. Whatever happens before that puts it off,
        never forward: so who sleeps this long misses nothing."""
        silent_s = now_s - self._last_s
        waits = [_LONGEST_S]
        if self._limits.timeout_s is not None:
            waits.append(self._limits.timeout_s - (now_s - self._began_s))
        if self._limits.idle_s is not None:
            waits.append(self._limits.idle_s - (0 if self._asked else silent_s))
        if stall_after_s is not None:
            waits.append(stall_after_s - (0 if self._is_told else silent_s))
        return max(_SHORTEST_S, min(waits))


def _reached(stop_reason: StopReason, limit: str, what: str) -> Reached:
    return Reached(stop_reason=stop_reason, limit=limit, message=f"{what}; raise {limit} and resume to go on")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _bytes(value: object) -> int:
    return len(value.encode()) if isinstance(value, str) else len(msgspec.json.encode(value))


# Memory


def tree_memory_mb(root: int) -> float:
    """What all processes below `root` take together. Shared memory is divided among those who share it, so that ten
    processes of one program do not count it ten times."""
    return sum(map(_memory_bytes, tree.descendants(root))) / _MB


def _memory_bytes(pid: int) -> int:
    """0 for a process that is gone. Of one that may not be looked into (it changed its user), all that is resident."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii", errors="replace") as file:  # noqa: PTH123
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        return _resident_bytes(pid)
    return 0


def _resident_bytes(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0
