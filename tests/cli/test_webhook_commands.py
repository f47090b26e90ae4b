"""`holdfast webhooks`: added, tried, looked after and removed from a shell; a receiver can check what it gets."""

import json

import pytest

from holdfast.cli import exits
from tests.webhooks.receiver import Reply, receiving


@pytest.fixture
def receiver():
    with receiving() as receiver:
        yield receiver


# The webhooks are of this project: what other tests have left at work in the house must not be told here.
PROJECT = "of the webhooks"


def added(command, receiver, *more):
    """Its id and its secret."""
    done = command("webhooks", "add", receiver.url, "--project", PROJECT, *more)
    assert done.exit_code == 0, done.stderr
    lines = dict(line.split() for line in done.stdout.splitlines())
    return lines["id"], lines["secret"]


def test_what_is_added_is_told_signed_with_the_secret_that_was_shown_once(command, agents, receiver):
    webhook, secret = added(command, receiver, "--event", "run.ended", "--description", "for the tests")
    agents.end_of(agents.run_task("flood 1", project_id=PROJECT))
    first = receiver.wait(1)[0]
    first.verify(secret)
    listed = command("webhooks", "list").stdout
    assert webhook in listed
    assert secret not in listed
    tried = command("webhooks", "test", webhook[:6])
    assert (tried.exit_code, tried.stderr) == (0, "Delivered: HTTP 200\n")
    assert receiver.wait(2)[1].message["type"] == "webhook.test"
    deliveries = json.loads(command("webhooks", "deliveries", webhook, "--json").stdout)["deliveries"]
    assert [one["type"] for one in deliveries] == ["webhook.test", "run.ended"]
    assert command("webhooks", "retry", webhook, deliveries[1]["id"]).exit_code == 0
    assert receiver.wait(3)[2].id == first.id
    table = command("webhooks", "deliveries", webhook).stdout
    assert "webhook.test" in table
    assert command("webhooks", "remove", webhook).exit_code == 0
    assert webhook not in command("webhooks", "list", "--json").stdout


def test_a_test_that_fails_says_why_and_is_no_success(command, receiver):
    webhook, _ = added(command, receiver)
    receiver.reply = lambda _: Reply(status=503)
    tried = command("webhooks", "test", webhook)
    assert (tried.exit_code, "503" in tried.stderr) == (exits.FAILURE, True), tried.stderr
    assert tried.stderr.startswith("Failed: ")
    tried = command("webhooks", "test", webhook, "--json")
    assert (tried.exit_code, json.loads(tried.stdout)["status"]) == (exits.FAILURE, "failed")
    assert command("webhooks", "remove", webhook).exit_code == 0


def test_what_all_ids_begin_with_may_be_left_out(command, receiver):
    webhook, _ = added(command, receiver)
    short = webhook.removeprefix("wh_")
    command("webhooks", "test", short[:8].upper())
    (delivery,) = json.loads(command("webhooks", "deliveries", short, "--json").stdout)["deliveries"]
    retried = command("webhooks", "retry", short, delivery["id"].removeprefix("msg_"), "--json")
    assert json.loads(retried.stdout)["id"] == delivery["id"]
    assert command("webhooks", "remove", short).exit_code == 0


def test_a_secret_is_rotated_and_a_webhook_is_switched_off(command, receiver):
    webhook, secret = added(command, receiver)
    rotated = command("webhooks", "rotate", webhook)
    assert secret not in rotated.stdout
    assert "whsec_" in rotated.stdout
    assert "the old one too until" in rotated.stderr
    assert json.loads(command("webhooks", "change", webhook, "--off", "--json").stdout)["active"] is False
    assert "off" in command("webhooks", "list").stdout
    assert command("webhooks", "remove", webhook).exit_code == 0


def test_what_is_wrong_is_named(command, receiver):
    webhook, _ = added(command, receiver)
    for arguments, code, told in (
        (("add", "ftp://example.org"), exits.FAILURE, "ftp"),
        (("add", receiver.url, "--event", "run.began"), exits.FAILURE, "run.began"),
        (("remove", "zzz"), exits.FAILURE, "'zzz'"),
        (("change", webhook), exits.USAGE, "--off"),
        (("deliveries", webhook, "--status", "lost"), exits.FAILURE, "'lost'"),
        (("retry", webhook, "nothing"), exits.FAILURE, "nothing"),
        (("retry", webhook, "no?thing#"), exits.FAILURE, "no?thing#"),
    ):
        done = command("webhooks", *arguments)
        assert (done.exit_code, told in done.stderr) == (code, True), (arguments, done.stderr)
    assert command("webhooks", "remove", webhook).exit_code == 0
