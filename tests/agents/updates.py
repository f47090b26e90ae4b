"""ACP updates for tests, each checked against the official models before it is used: what we test with is real."""

import json

from acp.schema import SessionNotification

from holdfast.agents.acp_events import Translation
from holdfast.events import NAMES


def params(update, *, official=True):
    """The params of a session/update. `official=False` is for what the models do not know (yet)."""
    whole = {"sessionId": "s-1", "update": update}
    if official:
        SessionNotification.model_validate(whole)
    return json.dumps(whole).encode()


def text(content, **more):
    return {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": content}, **more}


def thought(content, **more):
    return {"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": content}, **more}


def call(id_, **more):
    return {"sessionUpdate": "tool_call", "toolCallId": id_, "title": f"Tool {id_}", **more}


def progress(id_, **more):
    return {"sessionUpdate": "tool_call_update", "toolCallId": id_, **more}


def shown(content):
    return {"type": "content", "content": {"type": "text", "text": content}}


class Turn:
    """A translation whose clock is moved by the test."""

    def __init__(self):
        self.clock = 1_000
        self.translation = Translation(lambda: self.clock)
        self.events = []

    def take(self, *updates, official=True):
        """Answers what these updates became; `events` has all."""
        made = [event for update in updates for event in self.translation.update(params(update, official=official))]
        self.events += made
        return made

    def finish(self):
        made = self.translation.finish_text()
        self.events += made
        return made


def kinds(events):
    return [NAMES[type(event)] for event in events]
