"""The settings of a server: a flag beats the environment, which beats holdfast.toml, which beats the default.

An empty variable counts as not set. A relative data folder is meant from the current folder if a flag or a
variable gives it, from the folder of holdfast.toml if it stands there. No error shows the value of a token.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_type_hints

import msgspec
from msgspec import Meta

from holdfast.agent_settings import KNOWN_AGENTS, AgentSettings, Switch, agent_of
from holdfast.errors import ConfigError
from holdfast.policy import BUILT_IN, Profile, check_profile
from holdfast.wrong_settings import describe, shown, unknown

# Each description completes the sentence "The setting x must be …".
Name = Annotated[str, Meta(min_length=1, description="a name")]
Host = Annotated[str, Meta(min_length=1, description="an address or a host name")]
Port = Annotated[int, Meta(ge=0, le=65535, description="a whole number from 0 (any free port) to 65535")]
Folder = Annotated[Path, Meta(description="the path of a folder")]
# Visible ASCII only: it must fit into a header, a cookie and a query.
Token = Annotated[str, Meta(pattern=r"^[!-~]+$", description="visible ASCII characters without spaces")]
Store = Annotated[str, Meta(description="a URL like postgresql://user@host/name or sqlite:///path")]
Hosts = Annotated[tuple[Name, ...], Meta(description="a list of host names")]
Url = Annotated[str, Meta(pattern=r"^https?://[^\s?#]+$", description="a URL like https://holdfast.example")]
# A year: beyond that it is a mistake, and timers of the system overflow somewhere behind it.
Seconds = Annotated[float, Meta(gt=0, le=31_536_000, description="a number of seconds above 0, at most a year")]
Delays = Annotated[tuple[Seconds, ...], Meta(description="a list of numbers of seconds, each above 0, at most a year")]
Lines = Annotated[int, Meta(ge=0, le=100_000, description="a number of lines from 0 to 100000")]
Count = Annotated[int, Meta(ge=0, le=1000, description="a number from 0 to 1000")]
Level = Annotated[Literal["debug", "info", "warning", "error"], Meta(description="debug, info, warning or error")]
Format = Annotated[Literal["text", "json", "auto"], Meta(description="text, json or auto")]


class UserSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A further user of the server."""

    token: Token

    def __repr__(self) -> str:
        return "UserSettings(token=…)"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be set, checked."""

    host: Host = "127.0.0.1"
    port: Port = 4653
    data: Folder
    token: Token | None = None
    store: Store | None = None
    """None: SQLite in the data folder."""
    users: dict[str, UserSettings] = {}
    allowed_hosts: Hosts = ()
    agents: dict[str, AgentSettings] = {}
    default_agent: Name = "demo"
    profiles: dict[str, Profile] = {}
    default_profile: Name = "standard"
    keep_agents: Switch = False
    partials_ttl_s: Seconds = 600.0
    server_patience_s: Seconds = 600.0
    """How long a keeper waits for a server before it ends its agent."""
    start_timeout_s: Seconds = 60.0
    permission_ttl_s: Seconds = 600.0
    stall_s: Seconds = 300.0
    """A run in which nothing happens for this long is said to be stalled."""
    concurrent_starts: Count = 4
    """So many agents are started at the same time; the next ones wait."""
    warm_sessions: Count = 1
    """So many Claude Code sessions are kept connected ahead of their tasks."""
    auth_check: Switch = True
    heartbeat_s: Seconds = 15.0
    public_url: Url | None = None
    """Where people open the web UI, for links in webhooks; None: the server's own address, if it is of this machine."""
    webhook_timeout_s: Seconds = 15.0
    webhook_retries_s: Delays = (5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600)
    """How long after each failed attempt a delivery is tried again; behind the last it is given up."""
    stderr_head: Lines = 50
    stderr_tail: Lines = 50
    log_level: Level = "info"
    log_format: Format = "auto"

    @property
    def store_url(self) -> str:
        return self.store or f"sqlite:///{self.data / 'holdfast.db'}"

    def __repr__(self) -> str:
        # Settings end up in logs and tracebacks; the token and the store's password must not.
        return f"Settings(host={self.host!r}, port={self.port}, data={str(self.data)!r}, …)"


TABLES = ("users", "agents", "profiles")
TYPES: Mapping[str, Any] = get_type_hints(Settings, include_extras=True)
SCALARS = tuple(name for name in Settings.__struct_fields__ if name not in TABLES)
# In a variable, with commas between the parts.
LISTS = ("allowed_hosts", "webhook_retries_s")


def load(flags: Mapping[str, object], environ: Mapping[str, str], config_file: Path | None) -> Settings:
    """Puts the settings together; a flag that is None was not given.

    Raises ConfigError, which names the setting, where it came from and what is wrong with it.
    """
    path = find_file(environ, config_file)
    document = _read(path) if path else {}
    base = path.parent if path else Path()
    values: dict[str, Any] = {"data": _home(environ, "XDG_DATA_HOME", ".local/share") / "holdfast"}
    for name in document:
        if name not in Settings.__struct_fields__:
            raise ConfigError(unknown(str(path), name, Settings.__struct_fields__))
    for name in SCALARS:
        if name in document:
            values[name] = _scalar(name, document[name], f"the file {path}", base, strict=True)
    for name in SCALARS:
        variable = f"HOLDFAST_{name.upper()}"
        if given := environ.get(variable):
            raw = given.split(",") if name in LISTS else given
            values[name] = _scalar(name, raw, f"the variable {variable}", Path(), strict=False)
    for name, value in flags.items():
        if name not in SCALARS:
            raise ConfigError(f"There is no setting {name!r} for a flag to set.")
        if value is not None:
            values[name] = _scalar(name, value, f"the flag --{name.replace('_', '-')}", Path(), strict=False)
    values["agents"] = {name: agent_of(path, name, entry) for name, entry in _tables(path, document, "agents")}
    values["users"] = {name: _user(path, name, entry) for name, entry in _tables(path, document, "users")}
    values["profiles"] = {name: _profile(path, name, entry) for name, entry in _tables(path, document, "profiles")}
    settings = Settings(**values)
    _check_users(settings, path)
    return settings


def check_defaults(settings: Settings) -> None:
    """Raises ConfigError if the default agent or profile is none that there is. Only for who would use them: other
    commands go on, and the doctor has more to say."""
    for name, there in (
        ("default_agent", {*KNOWN_AGENTS, *settings.agents}),
        ("default_profile", {*BUILT_IN, *settings.profiles}),
    ):
        if (given := getattr(settings, name)) not in there:
            raise ConfigError(f"The setting {name} says {given!r}; there are: {', '.join(sorted(there))}.")


def find_file(environ: Mapping[str, str], config_file: Path | None) -> Path | None:
    """The settings file that counts; None if there is none and none was asked for."""
    named = config_file or (Path(given) if (given := environ.get("HOLDFAST_CONFIG")) else None)
    if named:
        try:
            return named.expanduser().absolute()
        except RuntimeError as cause:
            raise ConfigError(f"The settings file {str(named)!r} is in a home folder that nobody here has.") from cause
    usual = (Path("holdfast.toml"), _home(environ, "XDG_CONFIG_HOME", ".config") / "holdfast/holdfast.toml")
    return next((path.absolute() for path in usual if path.is_file()), None)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as cause:
        raise ConfigError(f"The settings file {path} cannot be read: {cause.strerror}.") from cause
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as cause:
        raise ConfigError(f"The settings file {path} is not valid TOML: {cause}.") from cause


def _scalar(name: str, raw: object, origin: str, base: Path, *, strict: bool) -> Any:
    wanted = TYPES[name]
    try:
        if name == "data":
            return _folder(msgspec.convert(raw, str) if not isinstance(raw, Path) else str(raw), base)
        value = msgspec.convert(raw, wanted, strict=strict)
        return _store(value) if name == "store" else value
    except (msgspec.ValidationError, ValueError) as cause:
        says = "what it says is not" if name == "token" else f"it says {shown(raw)}"
        raise ConfigError(f"The setting {name} ({origin}) must be {describe(wanted)}; {says}.") from cause


def _tables(path: Path | None, document: dict[str, Any], table: str) -> Iterator[tuple[str, Any]]:
    entries = document.get(table, {})
    if not isinstance(entries, dict):
        raise ConfigError(f"The setting {table} (the file {path}) must be tables like [{table}.NAME].")
    yield from cast("dict[str, Any]", entries).items()


def _user(path: Path | None, name: str, entry: Any) -> UserSettings:
    try:
        return msgspec.convert(entry, UserSettings)
    except msgspec.ValidationError as cause:
        raise ConfigError(f"The table [users.{name}] (the file {path}) is wrong: {cause}.") from cause


def _profile(path: Path | None, name: str, entry: Any) -> Profile:
    try:
        profile = msgspec.convert(entry, Profile)
        check_profile(profile)
    except ValueError as cause:
        raise ConfigError(
            f"The table [profiles.{name}] (the file {path}) is wrong: {str(cause).rstrip('.')}."
        ) from cause
    return profile


def _check_users(settings: Settings, path: Path | None) -> None:
    owner: dict[str, str] = {settings.token: "local"} if settings.token else {}
    for name, user in settings.users.items():
        if name == "local":
            raise ConfigError(f"[users.local] (the file {path}) is the user of the server's own token; use token = …")
        if user.token in owner:
            raise ConfigError(f"[users.{name}] (the file {path}) has the token of {owner[user.token]!r}.")
        owner[user.token] = name


def _folder(given: str, base: Path) -> Path:
    if not given or "\0" in given:
        raise ValueError(given)
    try:
        return (base / Path(given).expanduser()).absolute()
    except RuntimeError as cause:  # a home folder that nobody here has
        raise ValueError(given) from cause


def _store(given: str) -> str:
    scheme, separator, rest = given.partition("://")
    if scheme in ("postgresql", "postgres", "postgresql+psycopg") and separator and rest:
        return f"postgresql+psycopg://{rest}"
    # A log in memory would be gone with the process, which is what Holdfast is there to prevent.
    if scheme == "sqlite" and rest.startswith("/") and rest not in ("/", "/:memory:"):
        return given
    raise ValueError(given)


def _home(environ: Mapping[str, str], variable: str, below: str) -> Path:
    """A base folder after the XDG rules, which say that a relative one is to be ignored."""
    given = Path(environ.get(variable, ""))
    return given if given.is_absolute() else Path(environ.get("HOME") or Path.home()).absolute() / below
