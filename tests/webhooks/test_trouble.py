"""Receivers that fail, hang, redirect or are gone: retried, given up, visible, and nobody else's trouble."""

import threading
from collections.abc import Callable
from typing import Any

from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually
from tests.webhooks.asking import deliveries, made, refused, settled, shown
from tests.webhooks.receiver import PATIENCE_S, Receiver, Reply

ENDED = ["run.ended"]


def ended_run(client: Client, **config: Any) -> str:
    session_id = client.run_task("tools 1", **config)
    client.end_of(session_id)
    return session_id


def test_a_delivery_that_fails_each_time_is_given_up_and_can_be_made_again_by_hand(
    local: Client, receiver: Receiver, post_office: Server
) -> None:
    receiver.reply = lambda _: Reply(503, b"\x00\xff closed " + b"x" * 5000)
    webhook = made(local, f"{receiver.url}?key=s3cret-of-the-url", events=ENDED)
    session_id = ended_run(local)
    [delivery] = settled(local, webhook, 1, status="failed")
    assert (delivery["attempts"], len(receiver.received)) == (3, 3)
    assert (delivery["error"], delivery["response_status"]) == ("The receiver answered 503", 503)
    assert delivery["response"].startswith("�� closed xxx")
    assert len(delivery["response"]) == 1024, "no more of it is kept"
    assert "next_attempt_at" not in delivery
    assert "failing_since" in shown(local, webhook)
    local.next_task(session_id, "tools 1")
    [_, second] = settled(local, webhook, 2, status="failed")[::-1]
    assert second["sequence"] > delivery["sequence"], "the next one of the session had its turn"
    receiver.reply = lambda _: Reply()
    answer = local.post(f"/webhooks/{webhook['id']}/deliveries/{delivery['id']}/retry")
    assert (answer.status_code, answer.json()["status"]) == (200, "pending")
    [again] = settled(local, webhook, 1, status="delivered")
    assert (again["id"], again["attempts"]) == (delivery["id"], 4)
    assert "failing_since" not in shown(local, webhook)
    assert len({one.body for one in receiver.received if one.id == delivery["id"]}) == 1
    log = post_office.log.read_text()
    assert delivery["id"] in log
    assert webhook["secret"] not in log
    assert "s3cret-of-the-url" not in log


def test_a_receiver_that_is_gone_for_good_is_told_nothing_more(local: Client, receiver: Receiver) -> None:
    receiver.reply = lambda _: Reply(410, b"")
    webhook = made(local, receiver.url, events=ENDED)
    ended_run(local)
    [delivery] = settled(local, webhook, 1, status="failed")
    assert delivery["attempts"] == 1
    gone = shown(local, webhook)
    assert not gone["active"]
    assert gone["disabled"] == "The receiver answered 410: it is gone for good"
    detail = refused(local.post(f"/webhooks/{webhook['id']}/deliveries/{delivery['id']}/retry"), 400)
    assert detail == f"The webhook {webhook['id']} is not active; activate it first"
    ended_run(local)
    receiver.reply = lambda _: Reply()
    back = local.post(f"/webhooks/{webhook['id']}", json={"active": True}).json()
    assert back["active"]
    assert "disabled" not in back
    session_id = ended_run(local)
    assert receiver.wait(2)[1].about[0] == session_id, "what happened meanwhile is not told"


def test_a_redirect_is_not_followed(local: Client, receiver: Receiver, open_receiver: Callable[..., Receiver]) -> None:
    elsewhere = open_receiver()
    receiver.reply = lambda _: Reply(307, b"", {"location": elsewhere.url})
    webhook = made(local, receiver.url, events=ENDED)
    delivery = local.post(f"/webhooks/{webhook['id']}/test").json()
    assert delivery["error"] == "The receiver answered 307; a redirect is not followed"
    assert elsewhere.received == []


def test_a_receiver_that_asks_for_time_gets_it(local: Client, receiver: Receiver) -> None:
    receiver.reply = lambda _: Reply(429, b"", {"retry-after": "3600"})
    webhook = made(local, receiver.url, events=ENDED)
    ended_run(local)
    receiver.wait(1)
    eventually(lambda: deliveries(local, webhook)[0]["attempts"], what="the attempt is noted")
    [delivery] = deliveries(local, webhook)
    assert (delivery["status"], delivery["attempts"]) == ("pending", 1)
    assert delivery["next_attempt_at"] > delivery["attempted_at"]
    before, after = (delivery[name][11:16] for name in ("attempted_at", "next_attempt_at"))
    assert (int(after[:2]) - int(before[:2])) % 24 == 1, "an hour later"
    receiver.reply = lambda _: Reply()
    assert local.post(f"/webhooks/{webhook['id']}/deliveries/{delivery['id']}/retry").status_code == 200
    assert len(receiver.wait(2)) == 2, "by hand it goes at once"


def test_receivers_that_hang_or_are_not_there_hold_up_nobody_else(
    local: Client, receiver: Receiver, open_receiver: Callable[..., Receiver], nobody: str
) -> None:
    release = threading.Event()
    hanging = open_receiver()
    hanging.reply = lambda _: (release.wait(PATIENCE_S), Reply())[1]
    slow = made(local, hanging.url, events=ENDED)
    dead = made(local, nobody, events=ENDED)
    well = made(local, receiver.url, events=ENDED)
    try:
        sessions = {ended_run(local, agent="missing") for _ in range(8)}
        assert {one.about[0] for one in receiver.wait(8)} == sessions
        assert len(settled(local, well, 8, status="delivered")) == 8
        assert deliveries(local, slow, status="delivered") == [], "the other one was really hanging all the time"
        assert hanging.wait(1)
        assert deliveries(local, dead, status="delivered") == []
        reasons = {one["error"] for one in settled(local, dead, 1, status="failed")}
        assert reasons == {"The receiver could not be reached: All connection attempts failed"}
    finally:
        release.set()


def test_an_attempt_ends_in_time_and_says_so(make_server: Callable[..., Server], receiver: Receiver) -> None:
    release = threading.Event()
    receiver.reply = lambda _: (release.wait(PATIENCE_S), Reply())[1]
    with make_server(HOLDFAST_WEBHOOK_TIMEOUT_S="1.5").start().client() as client:
        webhook = made(client, receiver.url)
        try:
            delivery = client.post(f"/webhooks/{webhook['id']}/test").json()
            assert (delivery["status"], delivery["error"]) == ("failed", "The receiver did not answer within 1.5 s")
        finally:
            release.set()
