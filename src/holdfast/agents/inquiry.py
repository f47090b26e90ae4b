"""What a probe is asked and what it answers: the words between the server and `holdfast.agents.probe`."""

import msgspec

from holdfast.agent_settings import Kind


class Inquiry(msgspec.Struct, frozen=True, kw_only=True):
    kind: Kind
    command: list[str]
    """For the kind claude: its program; without one, that of the SDK."""
    setting_sources: list[str] = []
    timeout_s: float = 20.0


class AgentCapabilities(msgspec.Struct, frozen=True, kw_only=True):
    load: bool = False
    resume: bool = False
    fork: bool = False
    list: bool = False
    images: bool = False
    audio: bool = False
    embedded_context: bool = False
    mcp_http: bool = False
    mcp_sse: bool = False


class AuthMethod(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    name: str
    description: str | None = None
    type: str | None = None


class AgentModel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    name: str | None = None
    description: str | None = None


class AgentAccount(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whose account an agent uses, and where it found the credential; never the credential."""

    email: str | None = None
    organization: str | None = None
    subscription_type: str | None = None
    token_source: str | None = None
    api_key_source: str | None = None
    api_provider: str | None = None


class Found(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came out; with an error nothing else counts."""

    error: str | None = None
    protocol_version: int | None = None
    name: str | None = None
    title: str | None = None
    version: str | None = None
    capabilities: AgentCapabilities | None = None
    auth_methods: list[AuthMethod] = []
    models: list[AgentModel] = []
    account: AgentAccount | None = None
