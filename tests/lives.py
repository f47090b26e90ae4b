"""The lives of sessions: any events in any order, many of them in a place where they must not come."""

from collections.abc import Iterable
from typing import get_args

from hypothesis import strategies as st

from holdfast.events import TERMINAL, TYPES, Recorded, StopReason
from holdfast.state import State
from tests.event_values import AT_MS, final, partial, recorded

BEGIN = (recorded("user_message"), recorded("session_connect"))

# Few ids, so that what comes at random meets what came before.
ids = st.sampled_from(["a", "b"])
parents = st.sampled_from([None, "a"])
words = st.sampled_from(["x", "yy"])
texts = st.builds(partial, words, st.sampled_from(["message", "thinking"]), parent_id=parents) | st.builds(
    final, words, st.sampled_from(["message", "thinking"]), parent_id=parents
)
moves = st.one_of(
    texts,
    st.sampled_from([recorded(name) for name in TYPES]),
    st.builds(lambda name, id_: recorded(name, tool_id=id_), st.sampled_from(["tool_start", "tool_complete"]), ids),
    st.builds(
        lambda name, id_: recorded(name, request_id=id_),
        st.sampled_from(["permission_request", "question", "permission_resolved"]),
        ids,
    ),
    st.builds(
        lambda name, why: recorded(name, stop_reason=why),
        st.sampled_from(sorted(TERMINAL)),
        st.sampled_from(get_args(StopReason)),
    ),
    st.just(Recorded("message", b'{"text":1}', AT_MS)),
    st.just(Recorded("telepathy", b"{}", AT_MS)),
)
# Half of them begin with a run under way, so that the long part of the table is reached.
histories = st.builds(lambda begin, rest: [*begin, *rest], st.sampled_from([(), BEGIN]), st.lists(moves, max_size=40))


def fold(log: Iterable[Recorded], state: State | None = None) -> State:
    state = state or State()
    for entry in log:
        state.advance(entry)
    return state
