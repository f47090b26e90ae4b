"""How many turns of the model a run has had, told from its events: pure.

A turn is one answer of the model with the tool calls in it. No agent says where one ends, but a model that speaks or
calls a tool after another was done, or denied, has read what came of it: that is its next answer. What a subagent does
belongs to the turn that started it.
"""

from holdfast import events
from holdfast.events import Event


class Turns:
    def __init__(self) -> None:
        self.count = 0
        self._is_next_new = True
        self._texts: set[type[Event]] = set()

    def observe(self, event: Event) -> None:
        match event:
            case events.Message() | events.Thinking() if event.parent_id is None:
                # A text that was begun before a tool was done is still the old answer.
                if type(event) not in self._texts:
                    self._spoken()
                if event.is_partial:
                    self._texts.add(type(event))
                else:
                    self._texts.discard(type(event))
            case events.ToolStart() if event.parent_id is None:
                self._spoken()
            case events.ToolComplete() if event.parent_id is None:
                self._is_next_new = True
            case events.HookTriggered(decision="deny"):
                self._is_next_new = True
            case _:
                pass

    def _spoken(self) -> None:
        if self._is_next_new:
            self.count += 1
            self._is_next_new = False
