"""The names that a case gives to sessions, and how they and the round's own id stand in its texts."""

import re
from typing import Any

from conformance.checks import Failed

NAMED = re.compile(r"\{(\w+)\}")


class Names:
    def __init__(self, round_id: str) -> None:
        self.round_id = round_id
        self.sessions: dict[str, str] = {}

    def id_of(self, name: str) -> str:
        """The session with this name; a name that no step gave is an id that does not exist."""
        return self.sessions.get(name, name)

    def filled(self, value: Any) -> Any:
        """The value with `{id}` replaced by the round's own id and `{s}` by that of the session s."""
        match value:
            case str():
                return NAMED.sub(lambda match: self._known(match[1], value), value)
            case dict():
                return {name: self.filled(one) for name, one in value.items()}
            case list():
                return [self.filled(one) for one in value]
            case _:
                return value

    def _known(self, name: str, text: str) -> str:
        if name == "id":
            return self.round_id
        if name not in self.sessions:
            raise Failed(f"{text!r} names {name}, which no step has made")
        return self.sessions[name]
