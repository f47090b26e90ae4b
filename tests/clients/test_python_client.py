"""The Python client and a real server: what can be asked and told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from holdfast.client import (
    AlreadyAnswered,
    BadRequest,
    GivenAttachment,
    Holdfast,
    NotFound,
    NotResumable,
    NotText,
    Refused,
    Session,
    SessionBusy,
    TerminationInfo,
    UnknownProfile,
    Unsupported,
)
from tests.clients.stage import SESSION, Exchange, on_stage

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def at_work(holdfast: Holdfast, task: str = "hang") -> AsyncIterator[Session]:
    """A session whose agent has started, cancelled at the end."""
    session = await holdfast.run(task)
    await until(session, "agent_start")
    yield session
    await session.cancel()


async def until(session: Session, kind: str) -> str:
    """The id of the request, if it is one."""
    async with session.events() as events:
        async for event in events:
            if event.type == kind:
                return event.plain().get("request_id", "")
    raise AssertionError(f"the session ended without {kind}")


async def test_a_run_is_started_followed_and_its_end_is_told(holdfast: Holdfast, tmp_path: Path) -> None:
    session = await holdfast.run("Say hello", agent="demo", workspace=tmp_path, timeout_s=60)
    text = ""
    numbers: list[int] = []
    async for event in session.events():
        numbers.append(event.sequence)
        assert event.session_id == session.id
        if event.type == "message" and event.data.is_partial:
            text += event.data.text
    assert numbers == list(range(1, len(numbers) + 1))
    assert "Done" in text
    end = await session.end()
    assert (end.type, end.stop_reason, end.sequence, end.is_success) == ("agent_complete", "success", numbers[-1], True)
    assert (end.termination_info.reason, end.termination_info.terminated_by) == ("completed", "agent")
    record = await session.record()
    assert (record.status, record.is_active, record.workspace, record.head) == (
        "complete", False, str(tmp_path), numbers[-1],
    )  # fmt: skip


@pytest.mark.requirement("R132")
async def test_the_end_of_a_run_that_is_under_way_is_waited_for_and_a_crash_tells_why(holdfast: Holdfast) -> None:
    session = await holdfast.run("slow 0.3 stderr 3 crash 7")
    end = await session.end()
    assert (end.type, end.stop_reason, end.error_type) == ("error", "process_exit", "process_exit")
    assert isinstance(end.termination_info, TerminationInfo)
    assert end.termination_info.exit_code == 7
    assert end.termination_info.stderr is not None
    assert end.termination_info.stderr.total_lines >= 3
    assert (await session.end()) == end, "of a session that is over it is the same"


async def test_an_end_is_waited_for_while_something_else_answers_in_the_servers_place() -> None:
    async def away(exchange: Exchange) -> None:
        await exchange.answer(502, b"<html>", "text/html")

    async def gone(exchange: Exchange) -> None:
        await exchange.answer(404, {"title": "Not found", "status": 404, "code": "not_found", "detail": "no"})

    async with on_stage(away, away, gone) as stage, Holdfast(stage.url, "t") as holdfast:
        with pytest.raises(NotFound):
            await holdfast.session(SESSION).end()
        assert len(stage.exchanges) == 3


async def test_history_comes_in_pages_and_has_no_partials(holdfast: Holdfast) -> None:
    session = await holdfast.run("tools 5")
    streamed = [event async for event in session.events() if not getattr(event.data, "is_partial", False)]
    page = await session.history(after=2, limit=3)
    assert [event.sequence for event in page.events] == [event.sequence for event in streamed if event.sequence > 2][:3]
    assert page.next_after == page.events[-1].sequence
    pages = [page async for page in session.all_history()]
    assert [event for page in pages for event in page.events] == streamed
    assert pages[-1].head == streamed[-1].sequence


async def test_a_permission_is_answered_once(holdfast: Holdfast) -> None:
    session = await holdfast.run("ask")
    request_id = await until(session, "permission_request")
    waiting = [one for one in await holdfast.permissions() if one.session_id == session.id]
    assert [(one.type, one.request.request_id) for one in waiting] == [("permission_request", request_id)]
    assert (await session.record()).waiting_on is not None
    await session.answer(request_id, "allow_once", message="Go ahead")
    with pytest.raises(AlreadyAnswered):
        await session.answer(request_id, "deny")
    assert (await session.end()).stop_reason == "success"


async def test_pause_resume_and_discard(holdfast: Holdfast) -> None:
    session = await holdfast.run("tools 2 hang")
    await until(session, "tool_complete")
    with pytest.raises(SessionBusy) as busy:
        await session.task("too early")
    assert (busy.value.code, busy.value.status) == ("session_busy", 409)
    assert isinstance(busy.value, Refused)
    paused = await session.pause()
    assert (paused.status, paused.resumable) == ("paused", True)
    assert session.id in [record.session_id for record in await holdfast.recoverable()]
    assert (await session.resume("rerun", max_turns=50)).status in ("running", "pending")
    assert (await session.pause()).runs == 2
    assert (await session.discard()).status == "cancelled"
    with pytest.raises(NotResumable):
        await session.resume()


async def test_cancel_and_a_change_of_profile(holdfast: Holdfast) -> None:
    async with at_work(holdfast) as session:
        await session.profile("careful")
        with pytest.raises(UnknownProfile, match="nonsense"):
            await session.profile("nonsense")
        assert (await session.cancel()).status == "cancelled"
        assert (await session.end()).stop_reason == "cancelled"


async def test_a_session_goes_on_with_its_next_task_and_cannot_be_forked_if_its_agent_cannot(
    holdfast: Holdfast,
) -> None:
    session = await holdfast.run("tools 1")
    first = await session.end()
    with pytest.raises(Unsupported):
        await session.fork("the other way", run=1)
    assert (await session.task("slow 0.2 tools 1", max_turns=9)).session_id == session.id
    second = await session.end()
    assert (second.stop_reason, second.sequence > first.sequence) == ("success", True)
    with pytest.raises(NotResumable):
        await session.resume()


async def test_a_fork_is_a_session_of_its_own() -> None:
    async def play(exchange: Exchange) -> None:
        await exchange.answer(200, {"session_id": "another", "status": "running"})

    async with on_stage(play) as stage, Holdfast(stage.url, "t") as holdfast:
        fork = await holdfast.session("one").fork("the other way", run=2, model="small")
    assert fork.id == "another"
    (asked,) = stage.exchanges
    assert (asked.method, asked.path) == ("POST", "/api/v1/sessions/one/fork")
    assert asked.body == b'{"task":"the other way","run":2,"model":"small"}'


async def test_sessions_are_listed_found_and_followed_page_by_page(holdfast: Holdfast) -> None:
    project = "the python client's"
    session = await holdfast.run("tools 1", project_id=project)
    await session.end()
    page = await holdfast.sessions(project_id=project, status=["complete", "failed"])
    assert [record.session_id for record in page.sessions] == [session.id]
    assert (page.next, page.position > 0) == (None, True)
    assert session.id in [record.session_id async for record in holdfast.all_sessions()]
    assert (await holdfast.find(session.id[:13])).id == session.id
    assert (await holdfast.find(session.id)).id == session.id
    with pytest.raises(NotFound, match="begins with 'zz'"):
        await holdfast.find("zz")
    assert project in [one.project_id for one in await holdfast.projects()]


async def test_a_beginning_that_several_ids_have_names_them(holdfast: Holdfast) -> None:
    session = await holdfast.run("tools 1")
    record = await holdfast.request("GET", f"/sessions/{session.id}")
    ids = [f"ab{n:06}-0000-4000-8000-000000000000" for n in range(7)]

    async def play(exchange: Exchange) -> None:
        await exchange.answer(200, {"sessions": [{**record, "session_id": one} for one in ids], "position": 1})

    async with on_stage(play) as stage, Holdfast(stage.url, "t") as other:
        with pytest.raises(Refused, match=f"7 sessions begin with 'AB': {ids[0]}, .*, …") as ambiguous:
            await other.find("AB")
        assert (ambiguous.value.code, ambiguous.value.status) == ("ambiguous_id", 409)
        with pytest.raises(BadRequest, match="empty"):
            await other.find("")


async def test_what_a_session_leaves_behind(holdfast: Holdfast, tmp_path: Path) -> None:
    note = GivenAttachment(name="note.txt", data=b"Hello", media_type="text/plain")
    (tmp_path / "picture.bin").write_bytes(b"\x00\xff")
    session = await holdfast.run(
        "tools 1 look at these",
        workspace=tmp_path,
        attachments=[note, tmp_path / "picture.bin"],
    )
    await session.end()
    (tmp_path / "new.txt").write_text("grüß dich")
    (tmp_path / "new.bin").write_bytes(b"\x00\xff")
    assert {"new.txt", "new.bin"} <= {file.path for file in (await session.files()).files}
    assert await session.file("new.txt") == "grüß dich".encode()
    text = await session.file_text("new.txt")
    assert (text.text, text.truncated) == ("grüß dich", False)
    with pytest.raises(NotText):
        await session.file_text("new.bin")
    (first, *_) = (await session.history()).events
    assert first.type == "user_message"
    given = [(file.name, file.media_type, file.size) for file in first.data.attachments or []]
    assert given == [("note.txt", "text/plain", 5), ("picture.bin", "application/octet-stream", 2)]


async def test_the_server_and_its_agents(holdfast: Holdfast) -> None:
    health = await holdfast.health()
    assert (health.status, health.store) == ("ok", "sqlite")
    assert (await holdfast.me()).user == "local"
    assert "demo" in [agent.name for agent in await holdfast.agents()]
    assert (await holdfast.agent("demo")).installed
    checked = await holdfast.check_agent("demo")
    assert checked.capabilities is not None
    assert checked.capabilities.load
    assert "standard" in [profile.name for profile in await holdfast.profiles()]
    assert (await holdfast.folders("/")).path == "/"
    assert (await holdfast.request("GET", "/sessions", query={"limit": 1}))["position"] >= 0


async def test_the_combined_stream_has_the_events_of_all_sessions(holdfast: Holdfast) -> None:
    opened = asyncio.Event()
    positions: list[int] = []
    seen: dict[str, list[int]] = {}
    ended: set[str] = set()
    wanted: set[str] = set()
    is_over = asyncio.Event()

    def look() -> None:
        if len(wanted) == 2 and wanted <= ended:
            is_over.set()

    async def watch() -> None:
        async with holdfast.events(on_state=lambda state, _: state == "streaming" and opened.set()) as events:
            async for event in events:
                positions.append(event.position)
                seen.setdefault(event.session_id, []).append(event.sequence)
                if event.is_terminal:
                    ended.add(event.session_id)
                    look()

    watching = asyncio.create_task(watch())
    await opened.wait()
    # An end may be told before the answer to its start has been read.
    for _ in range(2):
        wanted.add((await holdfast.run("slow 0.5 tools 2")).id)
    look()
    await is_over.wait()
    watching.cancel()
    await asyncio.wait({watching})
    assert positions == sorted(set(positions))
    for session_id in wanted:
        assert seen[session_id] == list(range(1, (await holdfast.session(session_id).record()).head + 1))
