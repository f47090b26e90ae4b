"""Sessions of ACP agents: real ones whose model is scripted, and one of our own that shows what the protocol has."""

from tests.models.actions import Say, Shell, Todos, Write
from tests.recordings.studio import Scene, Studio

_ALLOW = {"decision": "allow_once"}

_SHOWING = """
prompt = prompted()
update("plan", entries=[{"content": "Mend the pier", "priority": "high", "status": "in_progress"},
                        {"content": "Try it", "priority": "medium", "status": "pending"}])
update("agent_thought_chunk", content={"type": "text", "text": "First a look, "})
update("agent_thought_chunk", content={"type": "text", "text": "then the change."})
say("I mend ")
say("the pier.")
update("available_commands_update", availableCommands=[{"name": "tide", "description": "Tells the tide"}])
update("current_mode_update", currentModeId="code")
update("usage_update", used=1200, size=200000, cost={"amount": 0.03, "currency": "USD"})
update("tool_call", toolCallId="read-1", title="Read pier.py", kind="read", status="pending",
       rawInput={"path": os.path.abspath("pier.py")}, locations=[{"path": os.path.abspath("pier.py"), "line": 3}])
update("tool_call_update", toolCallId="read-1", status="completed",
       content=[{"type": "content", "content": {"type": "text", "text": "planks = 3\\n"}}])
diff = {"type": "diff", "path": os.path.abspath("pier.py"), "oldText": "planks = 3\\n", "newText": "planks = 4\\n"}
update("tool_call", toolCallId="edit-1", title="Edit pier.py", kind="edit", status="pending", content=[diff],
       locations=[{"path": diff["path"], "line": 1}])
update("tool_call_update", toolCallId="edit-1", status="in_progress", content=[diff])
update("tool_call_update", toolCallId="edit-1", status="completed", content=[diff])
made = {**diff, "path": os.path.abspath("rope.py"), "oldText": None, "newText": "rope = 'long'\\n"}
update("tool_call", toolCallId="edit-2", title="Write rope.py", kind="edit", status="in_progress", content=[made])
update("tool_call_update", toolCallId="edit-2", status="completed", content=[made], rawOutput={"ok": True})
update("tool_call", toolCallId="run-1", title="python3 pier.py", kind="execute", status="in_progress",
       rawInput={"command": "python3 pier.py", "cwd": os.getcwd()}, content=[{"type": "terminal", "terminalId": "t1"}])
update("tool_call_update", toolCallId="run-1", status="in_progress",
       content=[{"type": "content", "content": {"type": "text", "text": "4 planks\\n"}}])
update("tool_call_update", toolCallId="run-1", status="completed", rawOutput={"exitCode": 0, "output": "4 planks\\n"})
update("tool_call", toolCallId="find-1", title="Search for planks", kind="search", status="in_progress",
       rawInput={"pattern": "planks"})
update("tool_call_update", toolCallId="find-1", status="failed",
       content=[{"type": "content", "content": {"type": "text", "text": "no such folder"}}])
update("tool_call", toolCallId="fetch-1", title="Fetch", kind="fetch", status="completed",
       rawInput={"url": "https://example.com/tide"},
       content=[{"type": "content", "content": {"type": "text", "text": "low"}}])
update("plan", entries=[{"content": "Mend the pier", "priority": "high", "status": "completed"},
                        {"content": "Try it", "priority": "medium", "status": "completed"}])
say("It has four planks now.")
end(prompt, usage={"inputTokens": 900, "outputTokens": 70, "totalTokens": 970})
stay()
"""


def showing(studio: Studio) -> str:
    studio.scripted("showing", _SHOWING)
    return studio.end(studio.run("Mend the pier", "showing"))


def codex(studio: Studio) -> str:
    planks, tries = "Mend the pier", "Try it"
    task = studio.cue(
        "Mend the pier",
        [Todos(items=[(planks, "in_progress"), (tries, "pending")])],
        [Say(text="I write it down."), Write(path="pier.py", content="planks = 4\nprint(planks, 'planks')\n")],
        [Shell(command="python3 pier.py")],
        [Todos(items=[(planks, "completed"), (tries, "completed")])],
        [Say(text="It has four planks now.")],
    )
    return studio.end(studio.run(task, "codex"), otherwise=_ALLOW)


def goose(studio: Studio) -> str:
    task = studio.cue(
        "Mend the pier",
        [Say(text="I write it down."), Write(path="pier.py", content="planks = 4\nprint(planks, 'planks')\n")],
        [Shell(command="python3 pier.py; touch tried.txt")],
        [Shell(command="touch denied.txt")],
        [Say(text="It has four planks now.")],
    )
    return studio.end(studio.run(task, "goose"), _ALLOW, _ALLOW, {"decision": "deny", "message": "No more files."})


SCENES = {
    "acp-showing": Scene(about="diffs, a plan, a terminal, usage", status="complete", play=showing),
    "acp-codex": Scene(about="Codex writes a file, keeps a plan, asks to run a command", status="complete", play=codex),
    "acp-goose": Scene(about="goose writes a file and asks twice to run commands", status="complete", play=goose),
}
