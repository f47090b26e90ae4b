"""Those who read a session in one of the tongues that have positions, and leave and come back at random."""

import json
import random
from collections.abc import Iterator
from typing import Any

import httpx

from holdfast.client.sync import Holdfast
from tests.conftest import TOKEN, Server
from tests.dialects.managed_client import sdk
from tests.dialects.story import Call, Stage, Story, plain, tell
from tests.dialects.streams import Came, caller, came


def cut_at_random(page: httpx.Client, path: str, dice: random.Random, stage: Stage, story: Story) -> Iterator[Came]:
    """The frames of a stream that is left and opened again after some of them, by the id of the last one."""
    after = "0"
    while True:
        left = dice.randint(1, 30)
        with page.stream("GET", path, headers={"last-event-id": after}) as answer:
            if answer.status_code == 204:
                stage.wait_for(story.ended)
                continue
            assert answer.status_code == 200, answer.read()
            for frame in came(answer):
                if not frame.id:
                    continue
                after = frame.id
                yield frame
                left -= 1
                if left == 0:
                    break


def envelopes(server: Server, stage: Stage, dice: random.Random) -> Story:
    story = Story()
    with caller(server) as page:
        path = f"/api/v1/sessions/{stage.session_id.result()}/events"
        for frame in cut_at_random(page, path, dice, stage, story):
            tell(story, frame.data)
            if story.ended == stage.runs:
                return story
    raise AssertionError


def history(server: Server, stage: Stage, dice: random.Random) -> Story:
    """Page by page; what is under way is asked for again."""
    stage.expected.result()
    story, after = Story(), 0
    with caller(server) as page:
        while True:
            query = {"after": after, "limit": dice.randint(1, 50)}
            answer = page.get(f"/api/v1/sessions/{stage.session_id.result()}/events/history", params=query).json()
            for event in answer["events"]:
                tell(story, event)
            if "next_after" not in answer:
                return story
            after = answer["next_after"]


def python_client(server: Server, stage: Stage, dice: random.Random) -> Story:
    story, after = Story(), 0
    with Holdfast(server.url, TOKEN) as holdfast:
        session = holdfast.session(stage.session_id.result())
        while story.ended < stage.runs:
            stage.wait_for(story.ended)
            left = dice.randint(1, 30)
            with session.events(after) as events:
                for event in events:
                    after = event.sequence
                    tell(story, {"type": event.type, "data": event.plain(), "sequence": event.sequence})
                    left -= 1
                    if left == 0:
                        break
    return story


def named(server: Server, stage: Stage, dice: random.Random) -> Story:
    story = Story()
    with caller(server) as page:
        path = f"/api/agent/stream/{stage.session_id.result()}"
        for _, name, data in cut_at_random(page, path, dice, stage, story):
            match name:
                case "status" if data["kind"] == "user_message":
                    story.begin(data["detail"]["text"])
                case "text":
                    story.now.says("", data["text"])
                case "tool_start":
                    call = Call(name=data["tool"], id=data["toolId"], input=data["input"] or {})
                    story.now.calls_tool(data["toolId"], call)
                case "tool_done":
                    result = plain(data["result"])
                    story.now.has_result(data["toolId"], is_error=data["isError"], result=result)
                case "result" | "error":
                    story.end(data["stopReason"])
                    assert (name == "result") == (data["stopReason"] == "success")
                case _:
                    pass
            if story.ended == stage.runs:
                return story
    raise AssertionError


def managed(server: Server, stage: Stage, dice: random.Random) -> Story:
    """By the id of the last frame, or of the last event, as it comes."""
    story, after = Story(), "0"
    with caller(server) as page:
        path = f"/v1/sessions/{stage.session_id.result()}/events/stream"
        while story.ended < stage.runs:
            left = dice.randint(1, 20)
            with page.stream("GET", path, headers={"last-event-id": after}) as answer:
                for frame in came(answer):
                    _take_managed(story, frame.data)
                    after = dice.choice([frame.id, frame.data["id"]])
                    left -= 1
                    if left == 0 or story.ended == stage.runs:
                        break
    return story


def managed_list(server: Server, stage: Stage, dice: random.Random) -> Story:
    """The official SDK's pages."""
    stage.expected.result()
    story = Story()
    with sdk(server) as client:
        for event in client.beta.sessions.events.list(stage.session_id.result(), limit=dice.randint(1, 50)):
            _take_managed(story, event.to_dict(mode="json"))
    return story


def _take_managed(story: Story, event: dict[str, Any]) -> None:
    match event["type"]:
        case "user.message":
            story.begin(event["content"][0]["text"])
        case "agent.message" if event["id"].rpartition("_")[2].startswith("m"):  # others are structured results
            story.now.says(event["id"], event["content"][0]["text"])
        case "agent.tool_use" | "agent.mcp_tool_use":
            is_mcp = event["type"] == "agent.mcp_tool_use"
            name = f"mcp__{event['mcp_server_name']}__{event['name']}" if is_mcp else event["name"]
            if event["id"] not in story.now.calls:  # it is told again if somebody has to allow it
                story.now.calls_tool(event["id"], Call(name=name, input=event["input"]))
        case "agent.tool_result" | "agent.mcp_tool_result":
            key = event.get("tool_use_id") or event["mcp_tool_use_id"]
            result = event["content"][0]["text"] if event["content"] else ""
            story.now.has_result(key, is_error=event["is_error"], result=result)
        case "session.status_idle" | "session.status_terminated" if "holdfast" in event:
            story.end(event["holdfast"]["stop_reason"])
        case _:
            pass


def ag_ui(server: Server, stage: Stage, dice: random.Random) -> Story:
    story = Story()
    with caller(server) as page:
        path = f"/ag-ui/demo/threads/{stage.session_id.result()}/events"
        for frame in cut_at_random(page, path, dice, stage, story):
            _take_ag_ui(story, frame.data)
            if story.ended == stage.runs:
                return story
    raise AssertionError


def _take_ag_ui(story: Story, message: dict[str, Any]) -> None:
    match message["type"]:
        case "RUN_STARTED" if "input" in message:  # without one it goes on with a run that was interrupted
            story.begin(message["input"]["messages"][0]["content"])
        case "TEXT_MESSAGE_CONTENT" if "subagentRunId" not in message:
            story.now.says(message["messageId"].partition(".")[0], message["delta"])
        case "TOOL_CALL_START":
            call = Call(name=message["toolCallName"], id=message["toolCallId"])
            story.now.calls_tool(message["toolCallId"], call)
        case "TOOL_CALL_ARGS":
            story.now.calls[message["toolCallId"]].input = json.loads(message["delta"])
        case "TOOL_CALL_RESULT":
            is_error = message["metadata"]["holdfast"]["is_error"]
            story.now.has_result(message["toolCallId"], is_error=is_error, result=message["content"])
        case "RUN_FINISHED" | "RUN_ERROR" if "rawEvent" in message:
            story.end(message["rawEvent"]["stop_reason"])
        case _:
            pass
