"""The permission policy of a run: its profile, its own rules, and what people have allowed before."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from holdfast.config import Settings
from holdfast.errors import BadRequest, UnknownProfile
from holdfast.policy import BUILT_IN, Policy, Profile, parse, policy_for
from holdfast.sessions.orders import Order, RunConfig


def profiles_of(settings: Settings) -> Mapping[str, Profile]:
    return {**BUILT_IN, **settings.profiles}


def profile_named(name: str, settings: Settings) -> Profile:
    profiles = profiles_of(settings)
    try:
        return profiles[name]
    except KeyError:
        known = ", ".join(sorted(profiles))
        raise UnknownProfile(f"There is no permission profile {name!r}; there are: {known}") from None


def check(config: RunConfig, settings: Settings) -> None:
    """Raises UnknownProfile, or BadRequest that names the rule that is none."""
    profile_named(config.profile or settings.default_profile, settings)
    for rule in (*(config.allow or ()), *(config.ask or ()), *(config.deny or ())):
        try:
            parse(rule)
        except ValueError as error:
            raise BadRequest(str(error)) from error


def policy_of(config: RunConfig, settings: Settings, granted: Iterable[str]) -> Policy:
    name = config.profile or settings.default_profile
    return policy_for(
        name,
        profile_named(name, settings),
        allow=config.allow or (),
        ask=config.ask or (),
        deny=config.deny or (),
        granted=list(granted),
        unattended=bool(config.unattended),
    )


def policy_of_order(order: Order, settings: Settings, granted: Iterable[str]) -> Policy:
    """What a user hands over is there to be read, even under a profile that asks about every file."""
    policy = policy_of(order.config, settings, granted)
    handed = sorted({f"Read({Path(file.path).parent}/**)" for file in order.files})
    return msgspec.structs.replace(policy, allow=[*policy.allow, *handed])


def project_of(project_id: str | None, workspace: str) -> str:
    """Under which name a project's grants are kept: its own, or its folder's."""
    return f"project:{project_id}" if project_id is not None else f"folder:{workspace}"
