"""The tools that let agents work, answer them and stop them."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from holdfast.client import Decision, RunConfig
from holdfast.mcp.call import Call
from holdfast.mcp.reading import OneSession, SessionId
from holdfast.mcp.shapes import SessionShown, shown
from holdfast.mcp.tool import Arguments, Result, Tool

TaskText = Annotated[str, Meta(min_length=1, description="what the agent is to do; it sees nothing but this text")]


class Config(Arguments, frozen=True, kw_only=True):
    """How a run is to be done; what is not said comes from the session's run before, or from the server's settings."""

    profile: Annotated[str | None, Meta(description="what the agent may do unasked; list_agents names them")] = None
    model: str | None = None
    max_turns: Annotated[int, Meta(ge=1)] | None = None
    max_budget_usd: Annotated[float, Meta(gt=0)] | None = None
    timeout_s: Annotated[float, Meta(gt=0, description="ends the run after so long")] | None = None

    def config(self) -> RunConfig:
        config: dict[str, Any] = {name: getattr(self, name) for name in Config.__struct_fields__}
        return RunConfig(**{name: value for name, value in config.items() if value is not None})


class StartSession(Config, frozen=True, kw_only=True):
    task: TaskText
    agent: Annotated[str | None, Meta(description="list_agents names them; without one, the server's default")] = None
    workspace: Annotated[
        str | None, Meta(description="the folder to work in, absolute, on the server's machine; else a fresh one")
    ] = None
    project_id: Annotated[
        str | None, Meta(description="a project has one session; a start is then the next run of it")
    ] = None


class SessionStarted(Result, frozen=True, kw_only=True):
    """watch_session(session_id, after) tells how it goes on."""

    session_id: str
    after: int
    """Where the log stood before this run."""


async def start_session(call: Call, given: StartSession) -> SessionStarted:
    after = 0
    if given.project_id is not None:
        before = await call.holdfast.sessions(project_id=given.project_id, limit=1)
        after = max((record.head for record in before.sessions), default=0)
    session = await call.holdfast.run(
        given.task, agent=given.agent, workspace=given.workspace, project_id=given.project_id, **given.config()
    )
    return SessionStarted(session_id=session.id, after=after)


class SendTask(Config, frozen=True, kw_only=True):
    session_id: SessionId
    task: TaskText


async def send_task(call: Call, given: SendTask) -> SessionStarted:
    session = call.other_session(given.session_id, "give itself a task")
    after = (await session.record()).head
    await session.task(given.task, **given.config())
    return SessionStarted(session_id=given.session_id, after=after)


class ResumeSession(Config, frozen=True, kw_only=True):
    session_id: SessionId
    how: Annotated[
        Literal["continue", "rerun"], Meta(description="continue: from where it stood; rerun: its last task again")
    ] = "continue"


async def resume_session(call: Call, given: ResumeSession) -> SessionStarted:
    session = call.other_session(given.session_id, "resume itself")
    after = (await session.record()).head
    await session.resume(given.how, **given.config())
    return SessionStarted(session_id=given.session_id, after=after)


class ForkSession(Config, frozen=True, kw_only=True):
    session_id: SessionId
    task: TaskText
    run: Annotated[int, Meta(ge=1, description="begin where it stood after this run; else the last")] | None = None


async def fork_session(call: Call, given: ForkSession) -> SessionStarted:
    session = call.other_session(given.session_id, "fork itself")
    forked = await session.fork(given.task, run=given.run, **given.config())
    return SessionStarted(session_id=forked.id, after=0)


class Answer(Arguments, frozen=True, kw_only=True):
    session_id: SessionId
    request_id: Annotated[str, Meta(min_length=1, description="of the request in watch_session or list_waiting")]
    decision: Annotated[
        Decision | None,
        Meta(
            description="for a permission request; allow_session and allow_project also allow the request's `rule` "
            "from then on; deny also declines a question"
        ),
    ] = None
    answers: Annotated[
        dict[str, Any] | None, Meta(description="for a question: item id → value, a list of values where `many`")
    ] = None
    message: Annotated[str | None, Meta(description="told to the agent along with a denial")] = None


async def answer(call: Call, given: Answer) -> SessionShown:
    session = call.other_session(given.session_id, "answer its own requests")
    record = await session.answer(given.request_id, given.decision, answers=given.answers, message=given.message)
    return shown(record)


async def cancel_session(call: Call, given: OneSession) -> SessionShown:
    return shown(await call.other_session(given.session_id, "cancel itself").cancel())


async def pause_session(call: Call, given: OneSession) -> SessionShown:
    return shown(await call.other_session(given.session_id, "pause itself").pause())


START_SESSION = Tool(
    name="start_session",
    title="Start a session",
    description=(
        "Starts an agent on a task, in a session that outlives this connection, and answers at once with its id. "
        "Follow it with watch_session."
    ),
    arguments=StartSession,
    result=SessionStarted,
    run=start_session,
    destroys=True,
)
SEND_TASK = Tool(
    name="send_task",
    title="Give a session its next task",
    description="The next task of a session whose run has ended; its agent remembers what came before.",
    arguments=SendTask,
    result=SessionStarted,
    run=send_task,
    destroys=True,
)
RESUME_SESSION = Tool(
    name="resume_session",
    title="Resume a session",
    description="Goes on with a session that was paused, cancelled or interrupted, failed or reached a limit.",
    arguments=ResumeSession,
    result=SessionStarted,
    run=resume_session,
    destroys=True,
)
FORK_SESSION = Tool(
    name="fork_session",
    title="Fork a session",
    description="A new session that begins where another one stands, with a task of its own. Not every agent can.",
    arguments=ForkSession,
    result=SessionStarted,
    run=fork_session,
    destroys=True,
)
ANSWER = Tool(
    name="answer",
    title="Answer an agent's request",
    description=(
        "Answers a permission request (decision) or a question (answers) in a person's place. Allow only what the "
        "person you work for would allow, and read the whole input first; the first answer counts."
    ),
    arguments=Answer,
    result=SessionShown,
    run=answer,
    answers=True,
    destroys=True,
)
CANCEL_SESSION = Tool(
    name="cancel_session",
    title="Cancel a session's run",
    description="Ends the run that is under way and all its processes; changes nothing if it has ended.",
    arguments=OneSession,
    result=SessionShown,
    run=cancel_session,
    destroys=True,
    repeats=True,
)
PAUSE_SESSION = Tool(
    name="pause_session",
    title="Pause a session",
    description="Ends the run that is under way so that resume_session can go on with it later.",
    arguments=OneSession,
    result=SessionShown,
    run=pause_session,
    repeats=True,
)
