"""What a webhook is told, and of what: signed as the scheme says, in order, and of nothing else."""

import json
import time
from collections.abc import Callable

import pytest
from standardwebhooks import WebhookVerificationError

from tests.client import Client
from tests.conftest import Server
from tests.webhooks.asking import made, settled
from tests.webhooks.receiver import Receiver, Reply

TEXT = 'tools 1: schöne Grüße, 日本 \\ " \u2028'


def test_the_end_of_a_run_is_told_with_what_it_was_and_how_it_ended(local: Client, receiver: Receiver) -> None:
    webhook = made(local, receiver.url)
    session_id = local.run_task("stderr 2 crash 3", project_id="shop")
    end = local.end_of(session_id)
    [told] = receiver.wait(1)
    told.verify(webhook["secret"])
    assert told.headers["content-type"] == "application/json"
    assert abs(int(told.headers["webhook-timestamp"]) - time.time()) < 60
    message = told.message
    assert (message["type"], message["timestamp"]) == ("run.ended", end["timestamp"])
    data = message["data"]
    assert data.pop("event") == end
    assert data.pop("termination_info") == end["data"]["termination_info"]
    base = str(local.base_url).partition("/api")[0]
    assert data == {
        "session_id": session_id,
        "project_id": "shop",
        "agent": "demo",
        "task": "stderr 2 crash 3",
        "run": 1,
        "sequence": end["sequence"],
        "status": "failed",
        "stop_reason": "process_exit",
        "url": f"{base}/sessions/{session_id}",
    }
    with pytest.raises(WebhookVerificationError):
        told.verify(made(local, receiver.url)["secret"])
    [delivery] = settled(local, webhook, 1, status="delivered")
    assert delivery["id"] == told.id
    assert delivery["session_id"] == session_id
    assert (delivery["sequence"], delivery["attempts"]) == (end["sequence"], 1)
    assert (delivery["response_status"], delivery["response"]) == (200, "thanks")


def test_permissions_and_questions_are_told_as_they_come(local: Client, receiver: Receiver) -> None:
    made(local, receiver.url)
    asking = local.run_task("ask")
    request = local.until(asking, "permission_request")
    [told] = receiver.wait(1)
    assert told.message["type"] == "permission.requested"
    assert told.message["data"]["request_id"] == request["data"]["request_id"]
    assert (told.message["data"]["status"], told.message["data"]["event"]) == ("waiting", request)
    local.post(f"/sessions/{asking}/permissions/{request['data']['request_id']}/answer", json={"decision": "deny"})
    assert receiver.wait(2)[1].message["type"] == "run.ended"
    params = {"sessionId": "scripted", "mode": "form", "message": "How?", "requestedSchema": {"type": "object"}}
    questioning = local.run_task(f"ask('elicitation/create', {params!r})", agent="scripted")
    asked = receiver.wait(3)[2].message
    assert (asked["type"], asked["data"]["event"]["type"]) == ("question.asked", "question")
    assert asked["data"]["session_id"] == questioning
    local.post(f"/sessions/{questioning}/cancel")
    assert receiver.wait(4)[3].message["data"]["status"] == "cancelled"


def test_a_silence_is_told_while_it_lasts(make_server: Callable[..., Server], receiver: Receiver) -> None:
    # A server of its own: to so impatient a one each run that the machine keeps waiting is silent.
    with make_server(HOLDFAST_STALL_S="1.5").start().client() as client:
        made(client, receiver.url)
        hanging = client.run_task("hang")
        begun = client.until(hanging, "agent_start")
        silence = client.until(hanging, "stalled", after=begun["sequence"])
        about = (hanging, silence["sequence"])
        received = receiver.wait_for(lambda all_: any(one.about == about for one in all_))
        [stalled] = [one.message for one in received if one.about == about]
        assert (stalled["type"], stalled["data"]["status"]) == ("run.stalled", "running")
        assert stalled["data"]["event"] == silence
        assert silence["data"]["waiting_on"] == "model"
        client.post(f"/sessions/{hanging}/pause")
        received = receiver.wait_for(lambda all_: any(one.message["type"] == "run.ended" for one in all_))
        paused = received[-1].message["data"]
        assert (paused["status"], paused["stop_reason"]) == ("paused", "paused")
        assert paused["session_id"] == hanging


def test_only_what_was_asked_for_is_told_and_nothing_from_before_its_time(
    local: Client, ada: Client, receiver: Receiver, open_receiver: Callable[..., Receiver]
) -> None:
    early = local.run_task("tools 1")
    local.end_of(early)
    asked, project, hers = (open_receiver() for _ in range(3))
    made(local, receiver.url, events=["run.ended"])
    made(local, asked.url, events=["permission.requested", "question.asked"])
    made(local, project.url, project_id="mill")
    others = made(ada, hers.url)
    sessions = [
        local.run_task("ask"),
        local.run_task("tools 1", project_id="mill"),
        local.run_task("tools 1", project_id="farm"),
    ]
    local.until(sessions[0], "permission_request")
    local.post(f"/sessions/{sessions[0]}/cancel")
    ended = receiver.wait(3)
    assert {one.message["data"]["session_id"] for one in ended} == set(sessions)
    assert {one.message["type"] for one in ended} == {"run.ended"}
    local.run_task("tools 1", project_id="mill")
    assert [one.message["type"] for one in asked.wait(1)] == ["permission.requested"]
    assert [one.message["data"]["project_id"] for one in project.wait(2)] == ["mill", "mill"]
    assert len(receiver.wait(4)) == 4, "and so all that came before has been told"
    assert hers.received == [], "what others do is not hers to know"
    ada.delete(f"/webhooks/{others['id']}")


def test_a_run_that_goes_on_is_told_with_the_task_that_it_goes_on_with(local: Client, receiver: Receiver) -> None:
    made(local, receiver.url)
    session_id = local.run_task("tools 2 slow 600 " + "x" * 2000)
    local.until(session_id, "agent_start")
    local.post(f"/sessions/{session_id}/pause")
    assert local.post(f"/sessions/{session_id}/resume").status_code == 200
    local.post(f"/sessions/{session_id}/cancel")
    paused, cancelled = (one.message["data"] for one in receiver.wait(2))
    assert (paused["run"], cancelled["run"]) == (1, 2)
    assert paused["task"] == cancelled["task"]
    assert len(paused["task"]) == 1000
    assert paused["task"].startswith("tools 2 slow 600 xxx")
    assert paused["task"].endswith("x…")


def test_what_a_session_tells_comes_in_the_order_in_which_it_happened(local: Client, receiver: Receiver) -> None:
    """Each first attempt fails, so that a later one could overtake if anything let it."""
    receiver.reply = lambda one: Reply(500 if one.earlier == 0 else 204, b"")
    webhook = made(local, receiver.url)
    sessions = [local.run_task("tools 1") for _ in range(3)]
    for _ in range(3):
        for session_id in sessions:
            local.end_of(session_id)
            local.next_task(session_id, "tools 1")
    found = settled(local, webhook, 12, status="delivered")
    taken = [one for one in receiver.received if one.earlier == 1]
    for session_id in sessions:
        mine = [one.about[1] for one in taken if one.about[0] == session_id]
        assert len(mine) == 4
        assert mine == sorted(mine)
        began = [one.about[1] for one in receiver.received if one.about[0] == session_id]
        assert began == sorted(began), "not even tried before the one before is delivered"
    assert {delivery["attempts"] for delivery in found} == {2}
    by_id: dict[str, set[bytes]] = {}
    for one in receiver.received:
        by_id.setdefault(one.id, set()).add(one.body)
        one.verify(webhook["secret"])
    assert len(by_id) == 12
    assert all(len(bodies) == 1 for bodies in by_id.values()), "the same message, byte for byte"


def test_a_message_has_the_event_as_the_log_has_it(local: Client, receiver: Receiver) -> None:
    made(local, receiver.url, events=["run.ended"])
    session_id = local.run_task('Schöne Grüße, 日本 \\ " \u2028')
    end = local.end_of(session_id)
    [told] = receiver.wait(1)
    assert json.dumps(end, ensure_ascii=False, separators=(",", ":")).encode() in told.body
    assert told.message["data"]["task"] == 'Schöne Grüße, 日本 \\ " \u2028'
