"""What an ACP client can choose for a session: permission profiles are its modes, agents an option."""

from typing import Any

from holdfast.config import Settings
from holdfast.http.context import Context
from holdfast.sessions.policies import profiles_of

AGENT = "agent"


def modes(settings: Settings, current: str | None) -> dict[str, Any]:
    there = [
        {"id": name, "name": name.replace("_", " ").capitalize(), "description": profile.description}
        for name, profile in profiles_of(settings).items()
    ]
    return {"currentModeId": current or settings.default_profile, "availableModes": there}


def agent_option(context: Context, current: str, *, is_open: bool) -> dict[str, Any]:
    """Which agent works. A session that has begun keeps its own."""
    names = context.agents.names() if is_open else [current]
    return {
        "id": AGENT,
        "name": "Agent",
        "type": "select",
        "currentValue": current,
        "options": [{"value": name, "name": name} for name in names],
    }
