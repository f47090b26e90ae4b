"""A tool: what it is called with, what it answers, and what it does, with the schemas that tell so."""

import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, Generic, TypeVar

import msgspec

from holdfast.client.errors import refused
from holdfast.mcp.call import Call

A = TypeVar("A", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)

_PLACE = re.compile(r"at `\$\.(\w+)`$")
_SHOWN_CHARACTERS = 100


class Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all tools' arguments have in common: a field that a tool does not know is refused."""


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What all tools' answers have in common: what is not set is absent."""


class Tool(msgspec.Struct, Generic[A, R], frozen=True, kw_only=True):
    name: str
    title: str
    description: str
    arguments: type[A]
    result: type[R]
    run: Callable[[Call, A], Awaitable[R]]
    reads: bool = False
    """Changes nothing."""
    answers: bool = False
    """Stands in for a person."""
    destroys: bool = False
    """What it does, or lets an agent do, may not be undone."""
    repeats: bool = False
    """Called again with the same arguments, it changes nothing more."""

    @property
    def input_schema(self) -> dict[str, Any]:
        return schema_of(self.arguments)

    @property
    def output_schema(self) -> dict[str, Any]:
        return schema_of(self.result)

    async def call(self, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
        """Raises HoldfastError, and with it BadRequest for arguments that do not fit."""
        try:
            given = msgspec.convert(arguments, self.arguments)
        except (msgspec.ValidationError, RecursionError) as error:
            detail = f"The arguments of {self.name} do not fit: {_explained(str(error), arguments)}"
            raise refused("bad_request", 400, "Bad request", detail) from error
        return msgspec.to_builtins(await self.run(call, given))


@cache
def schema_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """With the object itself at the root, where the protocol wants it. Made once: over HTTP each request lists anew."""
    _, parts = msgspec.json.schema_components((kind,), ref_template="#/$defs/{name}")
    root: dict[str, Any] = parts.pop(kind.__name__)
    return {**root, "$defs": parts} if parts else root


def _explained(message: str, arguments: dict[str, Any]) -> str:
    place = _PLACE.search(message)
    if place is None or place[1] not in arguments:
        return message
    shown = repr(arguments[place[1]])
    return f"{message}, not {shown[:_SHOWN_CHARACTERS]}{'…' if len(shown) > _SHOWN_CHARACTERS else ''}"
