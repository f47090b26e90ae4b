"""What clients of the Agent Client Protocol say with their requests, as typed values."""

from typing import Any

import msgspec

from holdfast.agents.values import as_object

# In `clientCapabilities._meta`: the client wants to hear of events for which the protocol has no word.
EVENTS = "_holdfast/event"


class Params(msgspec.Struct, frozen=True, rename="camel"):
    """What is not known here is passed over, as the protocol asks."""


class Initialize(Params, frozen=True):
    protocol_version: int
    client_capabilities: Any = None
    client_info: Any = None


class NewSession(Params, frozen=True):
    cwd: str
    mcp_servers: list[Any] = []


class OneSession(Params, frozen=True):
    session_id: str


class OpenSession(OneSession, frozen=True):
    """Of session/load, session/resume and session/fork."""

    cwd: str | None = None
    mcp_servers: list[Any] = []


class ListSessions(Params, frozen=True):
    cwd: str | None = None
    cursor: str | None = None


class Prompt(OneSession, frozen=True):
    prompt: list[Any]


class SetMode(OneSession, frozen=True):
    mode_id: str


class SetConfigOption(OneSession, frozen=True):
    config_id: str
    value: Any


class CancelRequest(Params, frozen=True):
    request_id: int | str


class Abilities(msgspec.Struct, frozen=True, kw_only=True):
    """What a client can be asked and told."""

    forms: bool = False
    urls: bool = False
    events: bool = False


def abilities(client: bytes) -> Abilities:
    """Of the params of `initialize`."""
    try:
        said = msgspec.json.decode(client, type=Initialize)
    except msgspec.DecodeError:
        return Abilities()
    capabilities = as_object(said.client_capabilities)
    elicitation = as_object(capabilities.get("elicitation"))
    return Abilities(
        forms=isinstance(elicitation.get("form"), dict),
        urls=isinstance(elicitation.get("url"), dict),
        events=bool(as_object(capabilities.get("_meta")).get(EVENTS)),
    )
