"""Sessions of Claude Code, whose model is scripted."""

import os
import signal

from tests.models.actions import Break, Call, Drop, Headers, Say, Shell, Spend, Step, Structured, Think
from tests.models.failures import limit_headers
from tests.models.marker import do
from tests.recordings.studio import Scene, Studio

_ANSWER = """\
There are **two** causes:

1. the clock is read twice (`tide.py`, line 12);
2. the test waits for a fixed time.

| cause | seen |
|---|---|
| clock | often |
| wait | once |

```python
def tide(now: datetime) -> float:
    return height(now)  # one reading for both
```

- [x] found
- [ ] fixed
"""
_CODE = (
    "import datetime\n\n\ndef tide():\n    now = datetime.datetime.now()\n    return height(datetime.datetime.now())\n"
)
_COLOUR = {
    "question": "Which colour shall the buoy have?",
    "header": "Colour",
    "multiSelect": False,
    "options": [
        {"label": "Red", "description": "Port side"},
        {"label": "Green", "description": "Starboard side"},
    ],
}
_WHERE = {
    "question": "Where shall it be told?",
    "header": "Places",
    "multiSelect": True,
    "options": [{"label": "README", "description": "For users"}, {"label": "CHANGELOG", "description": "For the rest"}],
}


def text(studio: Studio) -> str:
    steps: Step = [
        Think(text="The test fails once in ten runs. Something reads the clock twice.", pieces=6),
        Say(text=_ANSWER, pieces=30),
    ]
    return studio.end(studio.run(studio.cue("Why is the test flaky?", steps), "claude"))


def edits(studio: Studio) -> str:
    path = studio.work / "tide.py"
    path.write_text(_CODE)
    old, new = "    return height(datetime.datetime.now())\n", "    return height(now)\n"
    task = studio.cue(
        "Read the clock once, and add a test",
        [Say(text="I look at the code first."), Call(tool="Read", input={"file_path": str(path)})],
        [Shell(command="grep -n 'now(' *.py"), Call(tool="Glob", input={"pattern": "**/*.py"})],
        [
            Say(text="One reading is enough."),
            Call(tool="Edit", input={"file_path": str(path), "old_string": old, "new_string": new}),
        ],
        [
            Call(
                tool="Write",
                input={
                    "file_path": str(studio.work / "test_tide.py"),
                    "content": "from tide import tide\n\n\ndef test_tide():\n    assert tide is not None\n",
                },
            )
        ],
        [Call(tool="Edit", input={"file_path": str(path), "old_string": "not there", "new_string": "x"})],
        [Shell(command="python3 -c 'print(\"1 passed\")'"), Shell(command="cat nowhere.txt; exit 2")],
        [Say(text="The clock is read once now; `test_tide.py` is new.")],
    )
    return studio.end(studio.run(task, "claude"))


def subagents(studio: Studio) -> str:
    def agent(description: str, prompt: str) -> Call:
        asked = {"description": description, "prompt": prompt, "subagent_type": "general-purpose"}
        return Call(tool="Agent", input=asked)

    north = studio.cue(
        "Look at the north pier.",
        [Say(text="I look at the north pier.", pieces=6, delay=0.05), Shell(command="touch north.txt")],
        [Say(text="The north pier **stands**.", pieces=6, delay=0.05)],
    )
    south = studio.cue(
        "Look at the south pier.",
        [Think(text="South, then."), Say(text="I look at the south pier.", pieces=6, delay=0.05)],
    )
    task = studio.cue(
        "Look at both piers",
        [Say(text="I send two agents."), agent("North pier", north), agent("South pier", south)],
        [Say(text="Both piers stand.")],
    )
    return studio.end(studio.run(task, "claude"))


def create(subject: str) -> Call:
    return Call(tool="TaskCreate", input={"subject": subject, "description": f"{subject}, with care"})


def update(number: int, status: str) -> Call:
    return Call(tool="TaskUpdate", input={"taskId": str(number), "status": status})


def todos(studio: Studio) -> str:
    task = studio.cue(
        "Forecast the tide",
        [create("Read the tide tables"), create("Write the forecast")],
        [update(1, "in_progress")],
        [update(1, "completed"), update(2, "in_progress")],
        [update(2, "completed")],
        [Say(text="High water at noon.")],
    )
    return studio.end(studio.run(task, "claude"))


def cancelled(studio: Studio) -> str:
    task = studio.cue(
        "Forecast the tide",
        [create("Read the tide tables"), create("Write the forecast")],
        [update(1, "in_progress")],
        [Say(text="I read the tables now.", pieces=20, delay=0.2)],
    )
    session_id = studio.run(task, "claude")
    studio.until(session_id, "message", 2)
    studio.post(session_id, "cancel")
    return session_id


def question(studio: Studio) -> str:
    task = studio.cue(
        "Paint the buoy",
        [Call(tool="AskUserQuestion", input={"questions": [_COLOUR, _WHERE]})],
        [Say(text="Green it is.")],
    )
    answers = {_COLOUR["question"]: "Green", _WHERE["question"]: ["README", "CHANGELOG"]}
    return studio.end(studio.run(task, "claude"), {"answers": answers})


def permissions(studio: Studio) -> str:
    task = studio.cue(
        "Make the files",
        [Shell(command="touch given.txt")],
        [Shell(command="touch denied.txt")],
        [Shell(command="touch session.txt")],
        [Shell(command="touch session.txt")],
        [Shell(command="sudo touch refused.txt")],
        [Say(text="Those that I might make are made.")],
    )
    return studio.end(
        studio.run(task, "claude", profile="careful"),
        {"decision": "allow_once", "input": {"command": "touch edited.txt"}},
        {"decision": "deny", "message": "Leave that file alone."},
        {"decision": "allow_session"},
    )


def profile(studio: Studio) -> str:
    """The person who is asked says that everything may be done from now on, and that this may too."""
    task = studio.cue(
        "Make the files", [Shell(command="touch one.txt")], [Shell(command="touch two.txt")], [Say(text="Made.")]
    )
    session_id = studio.run(task, "claude", profile="careful")
    studio.until(session_id, "permission_request")
    studio.post(session_id, "profile", profile="autonomous")
    return studio.end(session_id, {"decision": "allow_once"})


def retry(studio: Studio) -> str:
    # Slowly, so that the first pieces are out before the connection breaks.
    broken = studio.models.add([[Say(text="Never to be heard to its end.", pieces=4, delay=0.2), Drop()]])
    then = studio.models.add([[Say(text="The tide is out.", pieces=4)]])
    task = f"Is the tide out? {studio.models.failing(1, first=broken, then=then)}"
    return studio.end(studio.run(task, "patient"))


def overloaded(studio: Studio) -> str:
    then = studio.models.add([[Say(text="At last.")]])
    return studio.end(studio.run(f"Is the tide out? {studio.models.failing(2, status=529, then=then)}", "patient"))


def broken(studio: Studio) -> str:
    """An error event in the middle of a text."""
    first = studio.models.add([[Say(text="Half of what", pieces=3, delay=0.2), Break()]])
    then = studio.models.add([[Say(text="All of it.")]])
    return studio.end(studio.run(f"Is the tide out? {studio.models.failing(1, first=first, then=then)}", "patient"))


def wrong_key(studio: Studio) -> str:
    return studio.end(studio.run(f"Is the tide out? {do('error', status=401)}", "patient"))


def limits(studio: Studio) -> str:
    """The limit is near in the first run and reached in the second."""
    near = Headers(headers=limit_headers("five_hour", "allowed_warning", 3600, 0.92))
    session_id = studio.run(studio.cue("Is the tide out?", [near, Say(text="It is.")]), "limited")
    studio.end(session_id)
    studio.client.next_task(session_id, f"And now? {do('error', status=429, limit='five_hour')}")
    return studio.end(session_id)


def output(studio: Studio) -> str:
    value = {
        "output": "High water at **12:04**.",
        "error": "",
        "comments": "By the tables of the harbour.",
        "result_files": ["forecast.md"],
        "status": "COMPLETE",
    }
    task = studio.cue("Forecast the tide", [Structured(value=value)], [Say(text="Here it is.")])
    return studio.end(studio.run(task, "claude", output_display=True))


def compacted(studio: Studio) -> str:
    session_id = studio.run(studio.cue("Read it all", [Say(text="Read."), Spend(input=1_000_000)]), "claude")
    studio.end(session_id)
    studio.client.next_task(session_id, studio.cue("And what is in it?", [Say(text="Water.")]))
    return studio.end(session_id)


def forked(studio: Studio) -> str:
    session_id = studio.run(studio.cue("Is the tide out?", [Say(text="It is.")]), "claude")
    studio.end(session_id)
    task = studio.cue("Say it in other words", [Say(text="The water is low.")])
    return studio.end(studio.post(session_id, "fork", task=task)["session_id"])


def killed(studio: Studio) -> str:
    hold = studio.models.hold(at="text", text="The first half, and now the second half.")
    session_id = studio.run(f"Is the tide out? {hold.marker}", "claude")
    hold.until_reached()
    studio.until(session_id, "message")
    os.kill(studio.agent_pid(session_id), signal.SIGKILL)
    return studio.end(session_id)


def max_turns(studio: Studio) -> str:
    steps: list[Step] = [[Shell(command=f"touch {n}.txt")] for n in range(5)]
    return studio.end(studio.run(studio.cue("Make five files", *steps), "claude", max_turns=2))


SCENES = {
    "claude-text": Scene(about="thinking, then a text in Markdown", status="complete", play=text),
    "claude-edits": Scene(
        about="files read, searched, edited and written; commands, one of which fails", status="complete", play=edits
    ),
    "claude-subagents": Scene(about="two subagents at the same time", status="complete", play=subagents),
    "claude-todos": Scene(about="a todo list, from its first task to its last", status="complete", play=todos),
    "claude-cancelled": Scene(about="cancelled in a text, with things left to do", status="cancelled", play=cancelled),
    "claude-question": Scene(about="two questions to a person", status="complete", play=question),
    "claude-permissions": Scene(
        about="calls that are changed, denied, allowed for the session, and refused",
        status="complete",
        play=permissions,
    ),
    "claude-profile": Scene(
        about="another permission profile, while a person is asked", status="complete", play=profile
    ),
    "claude-retry": Scene(about="the connection breaks in a text", status="complete", play=retry),
    "claude-overloaded": Scene(about="the service is overloaded, twice", status="complete", play=overloaded),
    "claude-broken": Scene(about="the service fails in a text", status="complete", play=broken),
    "claude-wrong-key": Scene(about="the key is wrong", status="failed", play=wrong_key),
    "claude-limits": Scene(about="a usage limit is near, then reached", status="failed", play=limits),
    "claude-output": Scene(about="a structured result", status="complete", play=output),
    "claude-compacted": Scene(about="the conversation is summed up", status="complete", play=compacted),
    "claude-forked": Scene(about="a fork of another session", status="complete", play=forked),
    "claude-killed": Scene(about="killed in a text", status="failed", play=killed),
    "claude-max-turns": Scene(about="a limit of turns is reached", status="failed", play=max_turns),
}
