"""/api/v1/webhooks: what can be asked for, what is refused, and who sees what."""

import base64
import secrets
from typing import Any

import jsonschema_rs
import pytest

from tests.client import Client
from tests.webhooks.asking import deliveries, made, refused, shown
from tests.webhooks.receiver import Receiver

SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()


def test_a_webhook_shows_its_secret_once_and_then_only_a_hint(local: Client, receiver: Receiver) -> None:
    webhook = made(local, receiver.url, description="The shop's bell", secret=SECRET, project_id="shop")
    assert webhook["secret"] == SECRET
    assert webhook["events"] == ["run.ended", "permission.requested", "question.asked", "run.stalled"]
    assert webhook["active"]
    again = shown(local, webhook)
    assert again == {name: value for name, value in webhook.items() if name != "secret"}
    assert again["secret_hint"] == "whsec_…" + SECRET[-4:]
    other = made(local, receiver.url, events=["run.stalled", "run.ended", "run.stalled"])
    assert other["events"] == ["run.ended", "run.stalled"]
    assert other["secret"] != made(local, receiver.url)["secret"]
    listed = local.get("/webhooks")
    assert [one["id"] for one in listed.json()["webhooks"]][-2:] == [other["id"], webhook["id"]]
    assert SECRET not in listed.text


def test_a_webhook_can_be_changed_and_deleted(local: Client, receiver: Receiver) -> None:
    webhook = made(local, "http://127.0.0.1:9/", events=["run.stalled"], description="a")
    path = f"/webhooks/{webhook['id']}"
    changed = local.post(path, json={"url": receiver.url, "events": ["run.ended"], "description": "b"}).json()
    assert (changed["url"], changed["events"], changed["description"]) == (receiver.url, ["run.ended"], "b")
    assert changed == shown(local, webhook)
    assert local.post(path, json={"active": False}).json()["active"] is False
    local.end_of(local.run_task("tools 1"))
    assert local.post(path, json={"active": True}).json()["active"] is True
    session_id = local.run_task("tools 1")
    [told] = receiver.wait(1)
    assert told.about[0] == session_id, "what happened while it was off is not told"
    assert local.delete(path).status_code == 204
    assert refused(local.get(path), 404, "not_found") == f"There is no webhook {webhook['id']!r}"
    assert local.get("/webhooks").json() == {"webhooks": []}


def test_a_new_secret_and_the_old_one_both_verify_for_a_day(local: Client, receiver: Receiver) -> None:
    webhook = made(local, receiver.url)
    path = f"/webhooks/{webhook['id']}"
    rotated = local.post(f"{path}/rotate").json()
    assert rotated["secret"] != webhook["secret"]
    assert "old_secret_until" in rotated
    assert "secret" not in shown(local, webhook)
    delivery = local.post(f"{path}/test").json()
    assert (delivery["status"], delivery["type"]) == ("delivered", "webhook.test")
    [told] = receiver.wait(1)
    assert told.message["data"] == {"webhook_id": webhook["id"]}
    assert (told.id, told.message["type"]) == (delivery["id"], "webhook.test")
    told.verify(rotated["secret"])
    told.verify(webhook["secret"])
    local.post(f"{path}/rotate", json={"secret": SECRET})
    local.post(f"{path}/test")
    [_, again] = receiver.wait(2)
    again.verify(SECRET)
    again.verify(rotated["secret"])
    assert len(again.headers["webhook-signature"].split(" ")) == 2, "the one before that is of no use any more"
    assert len(deliveries(local, webhook, status="delivered")) == 2


def test_a_request_that_is_made_again_makes_no_second_webhook_and_no_third_secret(
    local: Client, receiver: Receiver
) -> None:
    key = {"Idempotency-Key": secrets.token_hex(8)}
    answers = [local.post("/webhooks", json={"url": receiver.url}, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    webhook = answers[0].json()
    assert answers[1].json() == webhook
    key = {"Idempotency-Key": secrets.token_hex(8)}
    path = f"/webhooks/{webhook['id']}"
    rotated, again = (local.post(f"{path}/rotate", headers=key).json() for _ in range(2))
    assert again == rotated
    local.post(f"{path}/test")
    [told] = receiver.wait(1)
    told.verify(webhook["secret"])
    told.verify(rotated["secret"])
    assert refused(local.post(f"{path}/rotate", json={"secret": SECRET}, headers=key), 409, "idempotency_mismatch")


def test_what_is_answered_fits_the_document(local: Client, receiver: Receiver, nobody: str) -> None:
    components = local.get("/openapi.json").json()["components"]
    webhook = made(local, receiver.url, project_id="shop", description="x")
    path = f"/webhooks/{webhook['id']}"
    dead = made(local, nobody)
    for name, value in (
        ("Webhook", webhook),
        ("Webhook", local.post(f"{path}/rotate").json()),
        ("WebhookList", local.get("/webhooks").json()),
        ("Delivery", local.post(f"{path}/test").json()),
        ("Delivery", local.post(f"/webhooks/{dead['id']}/test").json()),
        ("DeliveryList", local.get(f"{path}/deliveries").json()),
    ):
        schema = {"$ref": f"#/components/schemas/{name}", "components": components}
        jsonschema_rs.Draft202012Validator(schema).validate(value)


def test_deliveries_come_a_page_at_a_time(local: Client, receiver: Receiver) -> None:
    webhook = made(local, receiver.url)
    path = f"/webhooks/{webhook['id']}"
    ids = [local.post(f"{path}/test").json()["id"] for _ in range(3)]
    first = local.get(f"{path}/deliveries", params={"limit": 2}).json()
    assert [one["id"] for one in first["deliveries"]] == ids[:0:-1]
    rest = local.get(f"{path}/deliveries", params={"limit": 2, "before": first["next"]}).json()
    assert [one["id"] for one in rest["deliveries"]] == ids[:1]
    assert "next" not in rest
    assert deliveries(local, webhook, status="failed") == []


def test_a_delivery_shows_what_was_sent_to_the_letter(local: Client, receiver: Receiver) -> None:
    webhook = made(local, receiver.url)
    path = f"/webhooks/{webhook['id']}"
    delivery = local.post(f"{path}/test").json()
    [told] = receiver.wait(1)
    found = local.get(f"{path}/deliveries/{delivery['id']}").json()
    assert found == {**delivery, "body": told.body.decode()}
    other = made(local, receiver.url)
    detail = refused(local.get(f"/webhooks/{other['id']}/deliveries/{delivery['id']}"), 404, "not_found")
    assert detail == f"There is no delivery {delivery['id']!r} to the webhook {other['id']}"


def test_the_webhooks_of_others_are_not_there(local: Client, ada: Client, receiver: Receiver) -> None:
    webhook = made(local, receiver.url)
    delivery = local.post(f"/webhooks/{webhook['id']}/test").json()
    path = f"/webhooks/{webhook['id']}"
    assert ada.get("/webhooks").json() == {"webhooks": []}
    for name in (path, "/webhooks/wh_none", "/webhooks/%00"):
        answers = [
            *(ada.get(name), ada.delete(name), ada.post(name, json={"active": False}), ada.post(f"{name}/rotate")),
            *(ada.post(f"{name}/test"), ada.get(f"{name}/deliveries")),
            ada.get(f"{name}/deliveries/{delivery['id']}"),
            ada.post(f"{name}/deliveries/{delivery['id']}/retry"),
        ]
        for answer in answers:
            assert refused(answer, 404, "not_found").startswith("There is no webhook ")
    assert shown(local, webhook)["active"]
    detail = refused(local.post(f"{path}/deliveries/msg_none/retry"), 404, "not_found")
    assert detail == f"There is no delivery 'msg_none' to the webhook {webhook['id']}"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "missing required field `url`"),
        ({"url": "ftp://h/"}, "The url 'ftp://h/' must begin with http:// or https://"),
        ({"url": "http:///x"}, "The url 'http:///x' does not name a host"),
        ({"url": "http://h:0/"}, "The url 'http://h:0/' has the port 0, which is none"),
        ({"url": "http://h:70000/"}, "has the port 70000, which is none"),
        ({"url": "http://a b/"}, "does not name a host"),
        ({"url": "http://[::1/"}, "The url 'http://[::1/' is none: Invalid port"),
        ({"url": "http://h/" + "x" * 2000}, "The url has at most 2000 characters, not 2009"),
        ({"url": "http://169.254.169.254/latest"}, "Nothing is sent to the address 169.254.169.254: it is link-local"),
        ({"url": "http://[fe80::1]/"}, "Nothing is sent to the address fe80::1: it is link-local"),
        ({"url": "http://[::ffff:169.254.1.1]/"}, "it is link-local"),
        ({"url": "http://100.100.100.200/latest"}, "it hands out credentials of the machine"),
        ({"url": "http://h/", "events": []}, "`$.events`"),
        ({"url": "http://h/", "events": ["run.begun"]}, "there are: permission.requested, question.asked, run.ended"),
        ({"url": "http://h/", "kinds": []}, "unknown field `kinds`"),
        ({"url": "http://h/", "project_id": ""}, "The project_id is empty"),
        ({"url": "http://h/", "description": "a\0b"}, "`$.description`"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_in_words(local: Client, body: dict[str, Any], says: str) -> None:
    assert says in refused(local.post("/webhooks", json=body), 400)
    assert local.get("/webhooks").json() == {"webhooks": []}


@pytest.mark.parametrize(
    "secret",
    ["hunter2-hunter2-hunter2-hunter2", "whsec_hunter2!", "whsec_" + base64.b64encode(b"hunter2").decode(), 4711471147],
)
def test_a_secret_that_is_none_is_refused_and_not_repeated(local: Client, secret: Any) -> None:
    webhook = made(local, "http://127.0.0.1:9/")
    for path, body in (("/webhooks", {"url": "http://h/"}), (f"/webhooks/{webhook['id']}/rotate", {})):
        detail = refused(local.post(path, json={**body, "secret": secret}), 400)
        assert "secret" in detail
        assert str(secret) not in detail


def test_there_is_an_end_to_how_many_webhooks_one_can_have(ada: Client) -> None:
    ids = [made(ada, "http://127.0.0.1:9/")["id"] for _ in range(100)]
    detail = refused(ada.post("/webhooks", json={"url": "http://127.0.0.1:9/"}), 400)
    assert detail == "There are 100 webhooks, and there can be no more; delete one first"
    for webhook_id in ids:
        assert ada.delete(f"/webhooks/{webhook_id}").status_code == 204


def test_a_query_that_does_not_fit_is_refused(local: Client, receiver: Receiver) -> None:
    path = f"/webhooks/{made(local, receiver.url)['id']}/deliveries"
    assert "there are: pending, delivered, failed" in refused(local.get(path, params={"status": "lost"}), 400)
    assert "before='x' is not a value" in refused(local.get(path, params={"before": "x"}), 400)
    assert "limit must be" in refused(local.get(path, params={"limit": 0}), 400)
    answer = local.put("/webhooks")
    assert refused(answer, 405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
