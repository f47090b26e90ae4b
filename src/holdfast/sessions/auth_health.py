"""Whether Claude Code can log in, found out at boot so that nobody has to start a session to learn it.

Nothing waits for it and nothing fails because of it: the server serves meanwhile, and afterwards, whatever came out.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
import structlog

from holdfast.agents.inquiry import AgentAccount
from holdfast.errors import UnknownAgent
from holdfast.sessions.agents import AgentInfo, Agents
from holdfast.times import now_ms, timestamp

AuthState = Literal["unchecked", "checking", "ok", "no_details", "failed", "not_installed"]

AGENT = "claude"
_CREDENTIALS = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
    *("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"),
)
_CREDENTIALS_FILE = ".credentials.json"
_PREFIX = "[agent-auth]"


class AuthStatus(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    state: AuthState
    message: str
    checked_at: str | None = None
    account: AgentAccount | None = None


class AuthHealth:
    def __init__(self, agents: Agents, *, enabled: bool) -> None:
        self._agents = agents
        self._enabled = enabled
        self._status = AuthStatus(
            state="unchecked", message="Not checked yet" if enabled else "The check is switched off in the settings"
        )
        self._checking: asyncio.Task[None] | None = None
        self._logger = structlog.get_logger("holdfast.auth")

    def start(self) -> None:
        """Begins the check and returns at once. Does nothing if it is switched off."""
        if self._enabled and self._checking is None:
            self._checking = asyncio.ensure_future(self.check())

    def status(self) -> AuthStatus:
        return self._status

    async def check(self) -> None:
        """Finds out, logs it once, and keeps it for `status`."""
        try:
            settings = self._agents.get(AGENT)
        except UnknownAgent as error:
            self._status = AuthStatus(state="not_installed", message=str(error))
            return
        self._status = AuthStatus(state="checking", message="Being checked")
        credential = configured_credential(self._agents.environment(settings))
        if credential is not None:
            self._logger.info(f"{_PREFIX} Credential configured: {credential}")
        else:
            self._logger.warning(f"{_PREFIX} No credential configured; to log in: {settings.login}")
        info = await self._agents.check(AGENT)
        self._status = judge(info)
        told = f"{_PREFIX} {self._status.message}"
        match self._status.state:
            case "ok":
                self._logger.info(told)
            case "no_details":
                self._logger.warning(told)
            case _:
                self._logger.error(told)

    async def close(self) -> None:
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)


def configured_credential(environment: Mapping[str, str]) -> str | None:
    """Where the agent's credential is, as far as that can be seen without reading it; None if there is none."""
    for name in _CREDENTIALS:
        if environment.get(name):
            return name
    home = environment.get("HOME")
    folder = environment.get("CLAUDE_CONFIG_DIR") or (str(Path(home) / ".claude") if home else None)
    file = Path(folder) / _CREDENTIALS_FILE if folder else None
    return str(file) if file is not None and file.exists() else None


def judge(info: AgentInfo) -> AuthStatus:
    """What an agent's own words about its account mean."""
    checked_at = info.checked_at or timestamp(now_ms())
    account = info.account
    if info.error is not None or account is None:
        return _failed(info.error or f"{info.title} did not tell its account", checked_at, None)
    if not _has_credential(account):
        return _failed(f"not logged in; {info.login}" if info.login else "not logged in", checked_at, account)
    if account.email is None:
        message = "Token accepted but account details unavailable"
        return AuthStatus(state="no_details", message=message, checked_at=checked_at, account=account)
    message = f"Token verified: {account.email}"
    message += f" ({account.subscription_type})" if account.subscription_type else ""
    message += f" [{account.organization}]" if account.organization else ""
    return AuthStatus(state="ok", message=message, checked_at=checked_at, account=account)


def _has_credential(account: AgentAccount) -> bool:
    sources = (account.token_source, account.api_key_source)
    if any(source not in (None, "none") for source in sources):
        return True
    # Another provider's credentials are not the CLI's to know.
    return account.api_provider not in (None, "firstParty")


def _failed(reason: str, checked_at: str, account: AgentAccount | None) -> AuthStatus:
    message = f"Token verification FAILED: {reason} -- Agent sessions will fail until auth is configured correctly"
    return AuthStatus(state="failed", message=message, checked_at=checked_at, account=account)
