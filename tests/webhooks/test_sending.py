"""One attempt and what follows from it: signatures, addresses, answers of all kinds, the schedule."""

import base64
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook

from holdfast.log.deliveries import DELIVERED, FAILED, PENDING
from holdfast.webhooks import signing
from holdfast.webhooks.address import Refused, check_address, resolve
from holdfast.webhooks.schedule import judged
from holdfast.webhooks.sending import Outcome, Sender, retry_after
from tests.webhooks.receiver import PATIENCE_S, Receiver, Reply

pytestmark = pytest.mark.anyio

NAMED = {"webhook-id": "msg_1"}


@given(st.binary(min_size=24, max_size=64), st.text())
def test_what_is_signed_verifies_with_the_schemes_own_library(key: bytes, text: str) -> None:
    secret = "whsec_" + base64.b64encode(key).decode()
    signing.check_secret(secret)
    body = f'"{base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()}"'.encode()
    now = int(datetime.now(UTC).timestamp())
    headers = signing.headers("msg_1", now, body, [signing.new_secret(), secret])
    Webhook(secret).verify(body, headers)


@pytest.mark.parametrize(
    "address",
    [
        *("169.254.169.254", "169.254.0.1", "fe80::1", "::ffff:169.254.169.254", "fe80::1%eth0"),
        *("fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "::ffff:100.100.100.200", "168.63.129.16"),
    ],
)
async def test_nothing_is_sent_where_machines_hand_out_their_credentials(address: str) -> None:
    with pytest.raises(Refused, match=r"is link-local|hands out credentials"):
        check_address(address)
    with pytest.raises(Refused):
        await resolve(address, 80)


async def test_a_name_is_refused_by_the_address_that_it_means(receiver: Receiver) -> None:
    """The resolver reads a number as an address, as it reads a name that somebody points there."""
    sender = Sender(PATIENCE_S)
    outcome = await sender.send("http://2852039166/latest", NAMED, b"{}")
    assert outcome.error == "Nothing is sent to the address 169.254.169.254: it is link-local"
    outcome = await sender.send("http://no-such-host.invalid/", NAMED, b"{}")
    assert outcome.error is not None
    assert outcome.error.startswith("The receiver could not be reached: ")
    await sender.close()


async def test_a_name_with_several_addresses_is_reached_at_the_one_that_answers(receiver: Receiver) -> None:
    sender = Sender(PATIENCE_S)
    outcome = await sender.send(f"http://user:pass@localhost:{receiver.port}/a?b=c#d", NAMED, b"{}")
    await sender.close()
    assert outcome == Outcome(status=200, response="thanks")
    [received] = receiver.received
    assert received.path == "/a?b=c"
    assert received.headers["host"] == f"localhost:{receiver.port}"
    assert received.headers["authorization"] == "Basic " + base64.b64encode(b"user:pass").decode()
    assert received.headers["user-agent"].startswith("holdfast/")


async def test_a_proxy_of_the_environment_is_used_but_not_for_this_machine(
    receiver: Receiver, nobody: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{receiver.port}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    sender = Sender(PATIENCE_S)
    assert (await sender.send("http://hooks.example/a", NAMED, b"{}")).status == 200
    assert (await sender.send("http://169.254.169.254/a", NAMED, b"{}")).status is None
    assert (await sender.send(f"{nobody}b", NAMED, b"{}")).status is None
    await sender.close()
    assert [one.path for one in receiver.received] == ["http://hooks.example/a"]


async def test_an_answer_counts_without_its_body(receiver: Receiver) -> None:
    """It promises a megabyte that never comes."""
    receiver.reply = lambda _: Reply(200, b"begin", {"content-length": "1000000"})
    sender = Sender(20)
    outcome = await sender.send(receiver.url, NAMED, b"{}")
    await sender.close()
    assert outcome == Outcome(status=200, response="begin")


async def test_one_that_answers_no_http_is_told_as_such() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        sender = Sender(0.3)
        outcome = await sender.send(f"http://127.0.0.1:{listener.getsockname()[1]}/", NAMED, b"{}")
        await sender.close()
    assert outcome == Outcome(error="The receiver did not answer within 0.3 s")


def test_delays_grow_by_the_schedule_and_the_last_failure_is_the_end() -> None:
    failure = Outcome(error="no", status=500, response="")
    delays = [5.0, 30.0]
    first, second, last = (judged(failure, attempts=n, at_ms=1000, delays_s=delays) for n in range(3))
    assert (first.status, first.next_ms) == (PENDING, 6_000)
    assert (second.status, second.next_ms) == (PENDING, 31_000)
    assert (last.status, last.next_ms, last.disables) == (FAILED, None, None)
    asked = judged(Outcome(error="no", retry_after_s=60), attempts=0, at_ms=0, delays_s=delays)
    assert asked.next_ms == 60_000
    impatient = judged(Outcome(error="no", retry_after_s=1), attempts=0, at_ms=0, delays_s=delays)
    assert impatient.next_ms == 5_000
    greedy = judged(Outcome(error="no", retry_after_s=1e9), attempts=0, at_ms=0, delays_s=delays)
    assert greedy.next_ms == 24 * 3600 * 1000
    assert judged(Outcome(status=204), attempts=0, at_ms=0, delays_s=delays).status == DELIVERED
    gone = judged(Outcome(error="no", status=410), attempts=0, at_ms=0, delays_s=delays)
    assert (gone.status, bool(gone.disables)) == (FAILED, True)


def test_a_receiver_may_ask_for_seconds_or_for_a_date() -> None:
    now = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
    assert retry_after("120", now) == 120
    assert retry_after(format_datetime(now + timedelta(minutes=5), usegmt=True), now) == 300
    assert retry_after(format_datetime(now - timedelta(minutes=5), usegmt=True), now) == 0
    assert retry_after("9" * 5000, now) == 999_999_999
    odd = (None, "soon", "-5", "٣", "", "Mon, 01 Jan 99999999999 00:00:00 GMT")
    assert [retry_after(text, now) for text in odd] == [None] * 6
