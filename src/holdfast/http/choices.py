"""What a new task can be given: /api/v1/profiles, /api/v1/projects and /api/v1/folders."""

import asyncio
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast.http.context import context_of, json_response, user_of
from holdfast.http.requests import only
from holdfast.policy import Profile
from holdfast.sessions.folders import subfolders
from holdfast.sessions.policies import profiles_of
from holdfast.sessions.projects import Project, project_of_row

_PROJECTS = 500


class ProfileInfo(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    description: str
    default: bool
    """Whether a session gets it that names none."""
    configured: bool
    """Whether it comes from the settings."""
    allow: list[str]
    ask: list[str]
    deny: list[str]
    questions: Literal["person", "policy"]
    fallback: Literal["deny", "allow"]


class ProfileList(msgspec.Struct, frozen=True, kw_only=True):
    profiles: list[ProfileInfo]


class ProjectList(msgspec.Struct, frozen=True, kw_only=True):
    projects: list[Project]


async def profiles(request: Request) -> Response:
    only(request)
    settings = context_of(request).settings

    def told(name: str, profile: Profile) -> ProfileInfo:
        return ProfileInfo(
            name=name,
            description=profile.description,
            default=name == settings.default_profile,
            configured=name in settings.profiles,
            allow=profile.allow,
            ask=profile.ask,
            deny=profile.deny,
            questions=profile.questions,
            fallback=profile.fallback,
        )

    return json_response(ProfileList(profiles=[told(*entry) for entry in profiles_of(settings).items()]))


async def projects(request: Request) -> Response:
    only(request)
    rows = await context_of(request).log.read.projects(user_of(request), limit=_PROJECTS)
    return json_response(ProjectList(projects=[project_of_row(row) for row in rows]))


async def folders(request: Request) -> Response:
    # Whoever has a token may run programs in any folder, so what folders there are is nothing new to them.
    only(request, "path")
    return json_response(await asyncio.to_thread(subfolders, request.query_params.get("path", "~")))
