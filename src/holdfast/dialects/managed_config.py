"""How a session is to be run, as clients of Anthropic's sessions API can say it: in metadata, under names of ours.

holdfast.workspace, holdfast.project_id     until the first message
holdfast.profile, holdfast.max_turns, …     for each message from then on; all settings of a run that are one value
"""

from collections.abc import Mapping
from typing import Any, get_type_hints

import msgspec

from holdfast.errors import BadRequest
from holdfast.sessions.orders import RunConfig

PREFIX = "holdfast."
WORKSPACE = f"{PREFIX}workspace"
PROJECT = f"{PREFIX}project_id"
# Where a session is and what it belongs to; this stays when it has begun.
PLACE = (WORKSPACE, PROJECT)

_LISTS = ("allow", "ask", "deny", "options", "setting_sources", "output_schema")
_types: Mapping[str, Any] = get_type_hints(RunConfig, include_extras=True)
SETTINGS = tuple(f"{PREFIX}{name}" for name in RunConfig.__struct_fields__ if name not in _LISTS)

_PAIRS, _KEY, _VALUE = 16, 64, 512


def checked(metadata: Mapping[str, str]) -> dict[str, str]:
    """Raises BadRequest, which names the pair that is too long, or that says something about a run that cannot be."""
    if len(metadata) > _PAIRS:
        raise BadRequest(f"metadata has at most {_PAIRS} pairs, not {len(metadata)}")
    for key, value in metadata.items():
        if not 1 <= len(key) <= _KEY:
            raise BadRequest(f"A key of metadata has 1 to {_KEY} characters, which {key[: _KEY + 1]!r} has not")
        if len(value) > _VALUE:
            raise BadRequest(f"metadata[{key!r}] has at most {_VALUE} characters, not {len(value)}")
        if "\0" in key + value:
            raise BadRequest(f"metadata[{key!r}] has a NUL in it")
    config_of(metadata)
    if metadata.get(PROJECT) == "":
        raise BadRequest(f"metadata[{PROJECT!r}] is empty")
    return dict(metadata)


def config_of(metadata: Mapping[str, str]) -> RunConfig:
    said: dict[str, Any] = {}
    for key, value in metadata.items():
        if not key.startswith(PREFIX) or key in PLACE:
            continue
        if key not in SETTINGS:
            raise BadRequest(f"metadata[{key!r}] is not known; known are: {', '.join((*PLACE, *SETTINGS))}")
        name = key.removeprefix(PREFIX)
        try:
            # Values of metadata are texts, whatever they say.
            said[name] = msgspec.convert(value, _types[name], strict=False)
        except msgspec.ValidationError as error:
            raise BadRequest(f"metadata[{key!r}] does not fit: {error}, not {value!r}") from error
    return RunConfig(**said)
