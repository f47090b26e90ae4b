"""A permission request of an ACP agent, and its answer in the agent's own options: pure.

The ids and names of options differ from agent to agent; only their kind says what they mean, and hardly any agent
offers all four.
"""

import msgspec

from holdfast.agents.acp_events import Update
from holdfast.agents.interface import Decision

# Once is enough, whatever was decided: what is allowed for longer is remembered by us, where every agent gains by it
# and a later change of mind counts.
_KINDS: dict[Decision, tuple[str, ...]] = {
    "allow_once": ("allow_once", "allow_always"),
    "allow_session": ("allow_once", "allow_always"),
    "allow_project": ("allow_once", "allow_always"),
    "deny": ("reject_once", "reject_always"),
    "cancelled": (),
}


class Option(msgspec.Struct, frozen=True):
    optionId: str  # noqa: N815 - the protocol's names
    name: str = ""
    kind: str = ""


class Asked(msgspec.Struct, frozen=True):
    toolCall: Update  # noqa: N815
    options: list[Option] = []
    sessionId: str = ""  # noqa: N815

    def result(self, decision: Decision) -> dict[str, dict[str, str]]:
        """What the agent is told. A decision that it offers nothing for is never turned into its opposite."""
        for kind in _KINDS[decision]:
            for option in self.options:
                if option.kind == kind:
                    return {"outcome": {"outcome": "selected", "optionId": option.optionId}}
        return {"outcome": {"outcome": "cancelled"}}
