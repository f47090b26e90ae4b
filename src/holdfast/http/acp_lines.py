"""What this server knows of its ACP clients beside their rows: who is to be woken, and what they have answered.

Nothing of it is needed: a server that does not know it tells a client once too often that a request is settled.
"""

from collections.abc import Callable


class Lines:
    def __init__(self) -> None:
        self._watchers: dict[str, set[Callable[[], None]]] = {}
        self._answered: dict[str, set[str]] = {}

    def watch(self, topic: str, wake: Callable[[], None]) -> Callable[[], None]:
        """Calls `wake` whenever the rows of a connection (by its id, or by `name_of`) have changed."""
        self._watchers.setdefault(topic, set()).add(wake)

        def unwatch() -> None:
            watchers = self._watchers.get(topic, set())
            watchers.discard(wake)
            if not watchers:
                self._watchers.pop(topic, None)

        return unwatch

    def wake(self, *topics: str) -> None:
        for topic in topics:
            for wake in tuple(self._watchers.get(topic, ())):
                wake()

    def answered(self, connection_id: str) -> set[str]:
        """The requests that a client has answered itself."""
        return self._answered.setdefault(connection_id, set())

    def forget(self, connection_id: str) -> None:
        self._answered.pop(connection_id, None)


def name_of(user_id: str, name: str) -> str:
    """The topic of a connection that a client knows by its own name."""
    return f"{user_id}\n{name}"
