"""Where an agent's own session stood at the end of an earlier run: it is told in that run's terminal event."""

import msgspec

from holdfast.errors import Unsupported
from holdfast.log.log import Log


class _Data(msgspec.Struct):
    agent_position: str | None = None


class _Envelope(msgspec.Struct):
    data: _Data


async def position_of(log: Log, key: int, number: int) -> str:
    """Raises Unsupported if the run's end did not tell it, as one that was killed cannot."""
    run = await log.read.run(key, number)
    assert run is not None
    body = await log.read.event(key, run.last_sequence) if run.last_sequence is not None else None
    position = msgspec.json.decode(body, type=_Envelope).data.agent_position if body is not None else None
    if position is None:
        raise Unsupported(f"Run {number} ended without telling where the agent stood; fork from another run")
    return position
