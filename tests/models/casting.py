"""Chooses the step that answers a conversation."""

from tests.models.actions import Say, Step
from tests.models.conversation import Conversation
from tests.models.failures import failure
from tests.models.marker import Marker, find
from tests.models.scripts import SCRIPTS


class Casting:
    def __init__(self) -> None:
        self._added: dict[str, list[Step]] = {}
        self._tries: dict[str, int] = {}

    def add(self, name: str, steps: list[Step]) -> None:
        self._added[name] = steps

    def choose(self, conversation: Conversation) -> tuple[Marker, int, Step]:
        marker, step = conversation.place()
        if _is_compaction(conversation):
            return Marker("compaction"), step, [Say(text="<summary>What was said before.</summary>")]
        if marker is None or _is_aside(conversation):
            return Marker(""), step, [Say(text="ok", pieces=1)]
        if marker.name == "fail":
            return marker, step, self._fail(marker, step)
        return marker, step, self._step(marker, step)

    def _step(self, marker: Marker, step: int) -> Step:
        if marker.name in self._added:
            steps = self._added[marker.name]
        elif marker.name in SCRIPTS:
            steps = SCRIPTS[marker.name](marker)
        else:
            return [Say(text=f"There is no script {marker.name!r}.", pieces=1)]
        return steps[step] if step < len(steps) else [Say(text="That is all.", pieces=1)]

    def _fail(self, marker: Marker, step: int) -> Step:
        """The only script that counts, since a request that is sent again looks like the one that failed."""
        key = marker.arguments.get("id", repr(marker))
        self._tries[key] = self._tries.get(key, 0) + 1
        if self._tries[key] > marker.count("times", 1):
            return self._step(find(marker.arguments.get("then", "")) or Marker("text"), step)
        first = find(marker.arguments.get("first", ""))
        return self._step(first, 0) if first else [failure(marker)]


def _is_aside(conversation: Conversation) -> bool:
    """Whether an agent asks something for itself, such as a title for the session; it offers no tools then.

    Claude Code asks nothing of that kind here, and may well be run without tools.
    """
    return conversation.api != "anthropic" and not conversation.tools


def _is_compaction(conversation: Conversation) -> bool:
    """Whether Claude Code wants a summary to go on from; without that element it asks a second time."""
    users = [message.text for message in conversation.messages if message.role == "user"]
    return conversation.api == "anthropic" and bool(users) and "followed by a <summary> block" in users[-1]
