"""Whether what a step waits for has come."""

from collections.abc import Mapping

from conformance.checks import told
from conformance.driver import Follower
from conformance.steps import Until


def has_come(step: Until, follower: Follower, heads: Mapping[str, int]) -> bool:
    """`heads` are the last sequences of the round's sessions, for who is to catch up with them."""
    if step.caught_up:
        seen = {(event["session_id"], event["sequence"]) for event in follower.events}
        return seen.issuperset(heads.items())
    if step.state is not None:
        return follower.states.count(step.state) >= step.times
    if step.notice is not None:
        return [told(notice) for notice in follower.notices].count(step.notice) >= step.times
    return sum(step.type in (None, event["type"]) for event in follower.events) >= step.times
