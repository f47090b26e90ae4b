"""`holdfast top` as a person uses it, by textual's own pilot, against a real server."""

import asyncio

import pytest
from textual.widgets import Input

from holdfast.cli.dashboard.answering import AskPermission, AskQuestion
from holdfast.cli.dashboard.dialogs import Confirm, Help
from holdfast.cli.dashboard.log_screen import LogScreen
from holdfast.cli.dashboard.new_task import NewTask
from tests.cli.person import sitting_at
from tests.cli.test_answering import (
    URL,
    asks_a_question,
    asks_for_nothing_but_done,
    asks_permission,
    heard,
    resolved,
)

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("R073")
async def test_sessions_appear_and_change_by_themselves_and_who_needs_somebody_stands_on_top(house, agents):
    async with sitting_at(house.url) as person:
        await person.reads("live")
        working = agents.run_task("hang", project_id="of the top")
        await person.reads("of the top")
        asking = await asyncio.to_thread(asks_permission, agents)
        await person.sees(lambda: person.list._rows[0].session_id == asking)
        await person.reads("needs you")
        await person.resize(160, 40)
        await person.reads("touch holdfast-permission.txt")
        await person.reads(working[:8])
        await asyncio.to_thread(agents.post, f"/sessions/{asking}/cancel")
        await asyncio.to_thread(agents.post, f"/sessions/{working}/cancel")
        await person.sees(lambda: not person.row(asking).is_active and not person.row(working).is_active)


async def test_a_permission_is_answered_with_a_key_and_the_log_shows_it_live(house, agents):
    session_id = await asyncio.to_thread(asks_permission, agents)
    async with sitting_at(house.url) as person:
        await person.reads("live")
        await person.finds(session_id)
        await person.press("enter")
        await person.window(LogScreen)
        await person.reads("asks")
        await person.press("a")
        await person.window(AskPermission)
        await person.reads("a allow once")
        await person.reads("touch holdfast-permission.txt")
        await person.press("s")
        await person.reads("✓ Done")
        await person.press("escape")
        await person.reads("complete")
    assert (await asyncio.to_thread(resolved, agents, session_id))["decision"] == "allow_session"


async def test_a_question_is_answered_in_its_fields_and_a_wrong_answer_is_told(house, agents):
    session_id = await asyncio.to_thread(asks_a_question, agents)
    async with sitting_at(house.url) as person:
        await person.reads("live")
        await person.finds(session_id)
        await person.press("a")
        await person.window(AskQuestion)
        await person.types("9", "item-0")
        await person.press("enter")
        await person.at("item-1")
        await person.press("enter")
        await person.reads("'colour' has no option 9")
        await person.press("shift+tab")
        await person.types("2", "item-0")
        await person.press("enter")
        await person.types("7", "item-1")
        await person.press("enter")
        assert (await asyncio.to_thread(resolved, agents, session_id))["answers"] == {"colour": "b", "size": 7}


@pytest.mark.parametrize(("key", "action"), [("enter", "accept"), ("ctrl+d", "decline")])
async def test_a_question_with_nothing_to_fill_in_is_done_with_enter_and_declined_as_any_other(
    house, agents, key, action
):
    session_id = await asyncio.to_thread(asks_for_nothing_but_done, agents, URL)
    async with sitting_at(house.url) as person:
        await person.reads("live")
        await person.finds(session_id)
        await person.press("a")
        await person.window(AskQuestion)
        await person.reads("https://example.com/login")
        await person.reads("Enter says done")
        await person.press("escape")
        await person.left(AskQuestion)
        assert (await asyncio.to_thread(agents.record, session_id))["status"] == "waiting"
        await person.press("a")
        await person.window(AskQuestion)
        await person.press(key)
        assert action in await asyncio.to_thread(heard, agents, session_id)


async def test_what_looks_like_markup_is_shown_to_the_letter(house, agents, tmp_path):
    folder = tmp_path / "[b]"
    folder.mkdir()
    task = "hang [/abc] [red]"
    session_id = agents.run_task(task, project_id="[/p]", workspace=str(folder))
    async with sitting_at(house.url, size=(160, 40)) as person:
        await person.reads("live")
        await person.finds(session_id)
        await person.reads(f"{folder} · {task}")
        await person.reads(f"[/p] {task}")
        await person.press("n")
        await person.window(NewTask)
        await person.types("flood", "task")
        person.app.screen.query_one("#workspace", Input).value = "/nowhere/[/abc] [red]"
        await person.press("ctrl+s")
        await person.left(NewTask)
        # The server refuses it with its name.
        await person.reads("/nowhere/[/abc] [red]")
        await person.press("enter")
        await person.window(LogScreen)
        await person.reads(f"· {task}")
        person.app.screen.notify("[/def] [blue]", severity="error")
        await person.reads("[/def] [blue]")
        await person.press("c")
        await person.window(Confirm)
        await person.reads(task)
        await person.press("y")
        await person.reads("cancelled")


async def test_a_window_closes_when_somebody_else_has_answered(house, agents):
    session_id = await asyncio.to_thread(asks_permission, agents)
    async with sitting_at(house.url) as person:
        await person.reads("live")
        await person.finds(session_id)
        await person.press("a")
        await person.window(AskPermission)
        request_id = person.app.screen.request_id
        path = f"/sessions/{session_id}/permissions/{request_id}/answer"
        await asyncio.to_thread(agents.post, path, json={"decision": "deny"})
        await person.left(AskPermission)


async def test_cancel_asks_first(house, agents):
    session_id = agents.run_task("hang")
    await asyncio.to_thread(agents.until, session_id, "agent_start")
    async with sitting_at(house.url) as person:
        await person.reads("live")
        await person.finds(session_id)
        await person.press("c")
        await person.window(Confirm)
        await person.press("n")
        await person.left(Confirm)
        assert person.row(session_id).is_active
        await person.press("c")
        await person.window(Confirm)
        await person.press("y")
        await person.sees(lambda: person.row(session_id).status == "cancelled")
        await person.press("p")
        await person.reads("It is cancelled")


async def test_what_is_paused_is_resumed(house, agents):
    session_id = agents.run_task("hang")
    await asyncio.to_thread(agents.until, session_id, "agent_start")
    async with sitting_at(house.url) as person:
        await person.reads("live")
        await person.finds(session_id)
        await person.press("p")
        await person.sees(lambda: person.row(session_id).status == "paused")
        await person.press("r")
        # The demo agent has nothing left to do when it is told to go on.
        await person.sees(lambda: person.row(session_id).status == "complete")


async def test_a_new_task_is_started_and_stands_in_the_list(house, at_home):
    async with sitting_at(house.url) as person:
        await person.reads("live")
        await person.press("n")
        await person.window(NewTask)
        await person.at("task")
        await person.press("enter")
        await person.reads("There is no task.")
        await person.types("flood 3", "task")
        await person.press("ctrl+s")
        await person.sees(lambda: any(row.task == "flood 3" for row in person.list._rows))


async def test_a_new_task_can_be_given_from_a_folder_that_is_gone(house, tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    async with sitting_at(house.url) as person:
        await person.reads("live")
        await person.press("n")
        await person.window(NewTask)
        assert person.app.screen.query_one("#workspace", Input).value == ""


async def test_help_lists_the_keys_and_keys_of_windows_do_nothing_behind_them(house):
    async with sitting_at(house.url) as person:
        await person.reads("live")
        await person.press("question_mark")
        await person.window(Help)
        await person.reads("quit; the agents work on")
        await person.press("n")
        assert isinstance(person.app.screen, Help)
        await person.press("escape")
        await person.left(Help)
        await person.press("t")
        await person.sees(lambda: person.app.theme == "textual-light")
        await person.press("q")
        await person.sees(lambda: not person.app.is_running)


@pytest.mark.requirement("R144")
async def test_it_goes_on_through_a_kill_of_the_server_and_says_that_it_reconnects(make_server):
    server = make_server().start()
    with server.client() as client:
        before = client.run_task("hang", project_id="before the kill")
        async with sitting_at(server.url) as person:
            await person.reads("before the kill")
            server.kill()
            await person.reads("reconnecting")
            await asyncio.to_thread(server.start)
            await person.reads("live")
            await asyncio.to_thread(client.run_task, "flood 2", project_id="behind it")
            await person.reads("behind it")
            await asyncio.to_thread(client.post, f"/sessions/{before}/cancel")
            await person.sees(lambda: all(not row.is_active for row in person.list._rows))


async def test_a_wrong_token_ends_it_with_the_reason(house):
    async with sitting_at(house.url, "wrong") as person:
        await person.sees(lambda: person.app.return_value)
        assert "credential" in person.app.return_value.lower()
