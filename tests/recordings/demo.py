"""Sessions of the demo agent."""

import base64

from tests.recordings.studio import Scene, Studio


def task(studio: Studio) -> str:
    return studio.end(studio.run("Write down what a harbour needs"))


def two_runs(studio: Studio) -> str:
    text = base64.b64encode(b"Mind the tide.\n").decode()
    attached = [{"name": "tide.txt", "media_type": "text/plain", "data": text}]
    session_id = studio.client.post(
        "/sessions/run",
        json={
            "task": "Write down what a harbour needs",
            "config": {"agent": "demo", "workspace": str(studio.work)},
            "attachments": attached,
        },
    ).json()["session_id"]
    studio.end(session_id)
    studio.client.next_task(session_id, "Now what a lighthouse needs")
    return studio.end(session_id)


def words(text: str):
    return lambda studio: studio.end(studio.run(text))


def asked(*answers: dict[str, object]):
    return lambda studio: studio.end(studio.run("ask"), *answers)


def waiting(studio: Studio) -> str:
    session_id = studio.run("ask")
    studio.until(session_id, "permission_request")
    return session_id


def cancelled(studio: Studio) -> str:
    session_id = studio.run("Write down what a harbour needs, slow 6")
    studio.until(session_id, "tool_start")
    studio.post(session_id, "cancel")
    return session_id


def resumed(studio: Studio) -> str:
    session_id = studio.run("Write down what a harbour needs, slow 4")
    studio.until(session_id, "message", 3)
    studio.post(session_id, "pause")
    studio.post(session_id, "resume")
    return studio.end(session_id)


def discarded(studio: Studio) -> str:
    session_id = studio.run("Write down what a harbour needs, slow 4")
    studio.until(session_id, "message", 2)
    studio.post(session_id, "pause")
    studio.post(session_id, "discard")
    return session_id


def killed_server(studio: Studio) -> str:
    """The agent works on, and the next server takes it up."""
    session_id = studio.run("Write down what a harbour needs, slow 4")
    studio.until(session_id, "message", 2)
    studio.server.kill()
    studio.server.start()
    return studio.end(session_id)


def interrupted(studio: Studio) -> str:
    session_id = studio.run("Write down what a harbour needs, slow 9")
    studio.until(session_id, "message", 2)
    studio.server.stop()
    studio.server.start()
    return session_id


def stalled(studio: Studio) -> str:
    session_id = studio.run("flood 3 hang")
    studio.until(session_id, "stalled")
    studio.post(session_id, "cancel")
    return session_id


SCENES = {
    "demo-task": Scene(about="a plain task", status="complete", play=task),
    "demo-two-runs": Scene(about="two tasks, the first with an attachment", status="complete", play=two_runs),
    "demo-crash": Scene(
        about="a text, a long stderr, then exit code 3",
        status="failed",
        play=words("flood 20 stderr 130 crash 3"),
    ),
    "demo-killed": Scene(about="a death by SIGKILL", status="failed", play=words("flood 5 crash SIGKILL")),
    "demo-tools": Scene(about="thirty calls of a tool in a row", status="complete", play=words("tools 30")),
    "demo-ask-allowed": Scene(
        about="a permission that is given", status="complete", play=asked({"decision": "allow_once"})
    ),
    "demo-ask-denied": Scene(
        about="a permission that is denied",
        status="complete",
        play=asked({"decision": "deny", "message": "Not in this folder."}),
    ),
    "demo-waiting": Scene(about="a permission that nobody has answered yet", status="waiting", play=waiting),
    "demo-cancelled": Scene(about="cancelled while a tool runs", status="cancelled", play=cancelled),
    "demo-resumed": Scene(about="paused in a text, then resumed", status="complete", play=resumed),
    "demo-discarded": Scene(about="paused in a text, then discarded", status="cancelled", play=discarded),
    "demo-garbage": Scene(about="lines that nobody can parse", status="complete", play=words("garbage")),
    "demo-killed-server": Scene(
        about="the server is killed in a text; the agent works on", status="complete", play=killed_server
    ),
    "demo-interrupted": Scene(about="the server is stopped in a text", status="interrupted", play=interrupted),
    "demo-stalled": Scene(
        about="nothing comes for a while; then cancelled",
        status="cancelled",
        play=stalled,
        settings={"HOLDFAST_STALL_S": "1"},
    ),
    "demo-timeout": Scene(
        about="a limit of time is reached",
        status="failed",
        play=lambda studio: studio.end(studio.run("flood 3 hang", timeout_s=2)),
    ),
}
