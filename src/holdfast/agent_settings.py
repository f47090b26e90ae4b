"""The settings of an agent: what a table [agents.NAME] may say, and what must be in it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_type_hints

import msgspec
from msgspec import Meta

from holdfast.errors import ConfigError
from holdfast.wrong_settings import describe, shown, unknown

# Each description completes the sentence "The setting x must be …".
Text = Annotated[str, Meta(min_length=1, description="a text")]
Switch = Annotated[bool, Meta(description="true or false")]
# Without NUL: the system takes none in a command or an environment.
Word = Annotated[str, Meta(pattern=r"^[^\x00]*$")]
Words = Annotated[tuple[Word, ...], Meta(description="a list of texts")]
Variable = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Variables = Annotated[dict[Variable, Word], Meta(description="a table of variables and their texts")]
# Holdfast's own variables are no agent's: its token is one of them.
Passed = Annotated[str, Meta(pattern=r"^(?!HOLDFAST)[A-Za-z_][A-Za-z0-9_]*\*?$")]
Names = Annotated[
    tuple[Passed, ...], Meta(description="a list of variables like AWS_PROFILE or AWS_*, none of Holdfast's")
]
Kind = Annotated[Literal["acp", "claude"], Meta(description="acp or claude")]
Options = Annotated[dict[str, str | bool], Meta(description="a table of texts, true and false")]
Sources = Annotated[
    tuple[Literal["user", "project", "local"], ...], Meta(description="a list of user, project and local")
]


class AgentSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How an agent is started and what it is given. What a table leaves out comes from the catalogue of known agents,
    if the agent is in there."""

    command: Words = ()
    """The program with its arguments, never through a shell. For the kind claude: the `claude` program to use."""
    args: Words = ()
    """Put behind the command, also behind one from the catalogue."""
    env: Variables = {}
    pass_env: Names = ()
    """Further variables that the agent gets from the server's environment, beside the harmless ones."""
    cwd: Text | None = None
    """The workspace of sessions that are given none."""
    kind: Kind = "acp"
    auth: Text | None = None
    """The ACP auth method that is called before the first session."""
    title: Text | None = None
    login: Text | None = None
    model: Text | None = None
    mode: Text | None = None
    options: Options = {}
    sandbox: Switch = False
    setting_sources: Sources = ()
    enabled: Switch = True

    def __repr__(self) -> str:
        # The values of env are often API keys.
        return f"AgentSettings(command={self.command!r}, env={sorted(self.env)!r}, cwd={self.cwd!r})"


# Agents that need no command: agents/catalogue.py knows how they are started, and a test holds the two together.
KNOWN_AGENTS = frozenset(
    {
        *("auggie", "claude", "claude-agent-acp", "cline", "codex", "copilot", "cursor", "demo", "gemini", "goose"),
        *("kilo", "kimi", "opencode", "qwen", "vibe"),
    }
)
# Settings of an agent that only one kind understands.
ONLY_CLAUDE = ("sandbox", "setting_sources")
ONLY_ACP = ("args", "auth")
AGENT_TYPES: Mapping[str, Any] = get_type_hints(AgentSettings, include_extras=True)


def agent_of(path: Path | None, name: str, entry: Any) -> AgentSettings:
    """A table [agents.NAME] as it stands in the file; raises ConfigError, which says what is wrong with it."""
    where = f"[agents.{name}] (the file {path})"
    if not isinstance(entry, dict):
        raise ConfigError(f"{where} must be a table.")
    given = {"kind": "claude" if name == "claude" else "acp", **cast("dict[str, Any]", entry)}
    for key, raw in given.items():
        if key not in AGENT_TYPES:
            raise ConfigError(unknown(where, key, AGENT_TYPES))
        try:
            msgspec.convert(raw, AGENT_TYPES[key])
        except msgspec.ValidationError as cause:
            says = "what it says is not" if key == "env" else f"it says {shown(raw)}"
            raise ConfigError(f"The setting {key} of {where} must be {describe(AGENT_TYPES[key])}; {says}.") from cause
    agent = msgspec.convert(given, AgentSettings)
    others = ONLY_ACP if agent.kind == "claude" else ONLY_CLAUDE
    if foreign := [key for key in others if key in given]:
        raise ConfigError(f"The setting {foreign[0]} of {where} is not for an agent of kind {agent.kind}.")
    if agent.kind == "claude" and len(agent.command) > 1:
        raise ConfigError(
            f"The setting command of {where} must be the claude program alone; it says {given['command']!r}."
        )
    needs_none = agent.kind == "claude" or name in KNOWN_AGENTS - {"claude"}
    if not agent.command and ("command" in given or not needs_none):
        raise ConfigError(f'{where} needs a command, like command = ["program", "argument"].')
    return agent
