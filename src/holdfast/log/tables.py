"""How the tables beside the log are reached: changed by a job of the writer's, read beside it."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection

from holdfast.log.writer import Job

T = TypeVar("T")

Submit = Callable[[Job], Awaitable[Any]]


class Ask(Protocol):
    def __call__(self, question: Callable[[Connection], T]) -> Awaitable[T]: ...
