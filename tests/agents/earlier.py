"""For the tests of an ACP session that was there before: its history, and a run that takes it up."""

# The history that session/load tells again, as real agents do.
HISTORY = """
def history():
    update("user_message_chunk", content={"type": "text", "text": "the old question"})
    update("agent_thought_chunk", content={"type": "text", "text": "old thoughts"})
    update("tool_call", toolCallId="old", title="old", status="completed")
    update("plan", entries=[{"content": "old plan", "priority": "low", "status": "pending"}])
    say("the old answer")
def finish():
    prompt = expect("session/prompt")
    say("the new answer")
    end(prompt, "end_turn"); stay()
"""


def play(stage, script, **options):
    return stage.play(HISTORY + 'SESSION = "s-0"\n' + script, agent_session_id="s-0", **options)


def methods(played):
    return [message["method"] for message in played.received if "method" in message]
