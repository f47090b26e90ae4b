"""Following a session through lost connections: each event once, in order, to the last."""

import os
import subprocess
import sys
import time
from contextlib import closing, contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.cli import exits
from holdfast.cli.connect import connect
from holdfast.cli.notices import Notices
from holdfast.client import Refused, Unreachable
from tests.scripted_server import TOKEN, running

ISOLATED = {k: v for k, v in os.environ.items() if not k.startswith(("HOLDFAST_", "XDG_"))}


@pytest.fixture(scope="module")
def shared():
    with running() as server:
        yield server


@pytest.fixture
def server():
    with running() as server:
        yield server


@contextmanager
def following(server, session, notify=lambda notice: None, after=0, give_up_after=None):
    notices = Notices(notify)
    options = {"give_up_after": give_up_after, "on_state": notices.on_state, "on_notice": notices.on_notice}
    with (
        connect(server.url, TOKEN) as holdfast,
        closing(holdfast.session(session.id).events(after, **options).batches()) as batches,
    ):
        yield batches


@settings(max_examples=40, deadline=None)
@given(cuts=st.lists(st.integers(min_value=0, max_value=700), max_size=6), after=st.integers(min_value=0, max_value=9))
def test_wherever_the_stream_breaks_what_is_read_is_the_log_after_the_position(shared, cuts, after):
    session = shared.session()
    session.add("user_message", text="t")
    session.say("abc", pieces=["a", "bc\n\nd", "ü€𝄞"])
    session.end()
    shared.cuts = list(cuts)
    expected = session.events[after:] if after <= len(session.events) else []
    with following(shared, session, after=after) as batches:
        assert [event.raw for batch in batches for event in batch] == expected


def test_a_session_that_is_over_ends_the_reading_at_once(server):
    session = server.session()
    session.add("user_message", text="t")
    session.end()
    with following(server, session, after=2) as batches:
        assert list(batches) == []


def test_a_log_that_is_shorter_than_our_position_comes_again_from_its_beginning(server):
    session = server.session()
    session.add("user_message", text="t")
    notices = []
    with following(server, session, notices.append, after=9) as batches:
        assert [event.sequence for event in next(batches)] == [1]
    assert notices == ["reset"]


def test_a_session_that_does_not_exist_is_refused_and_not_retried(server):
    session = server.session()
    del server.sessions[session.id]
    with following(server, session) as batches, pytest.raises(Refused, match="no session"):
        next(batches)


def test_one_gives_up_after_the_time_that_was_set(server):
    session = server.session()
    session.add("user_message", text="t")
    notices = []
    with following(server, session, notices.append, give_up_after=0.3) as batches:
        next(batches)
        began = time.monotonic()
        server.stop()
        with pytest.raises(Unreachable, match="gave up"):
            next(batches)
    assert 0.3 <= time.monotonic() - began < 20
    assert notices == ["lost"]


def test_a_lost_server_is_told_once_and_so_is_its_return(server):
    session = server.session()
    session.add("user_message", text="t")
    notices = []

    def notify(notice):
        notices.append(notice)
        if notice == "lost":
            server.start()
            session.end()

    with following(server, session, notify) as batches:
        next(batches)
        server.stop()
        assert [event.type for event in next(batches)] == ["agent_complete"]
        assert list(batches) == []
    assert notices == ["lost", "back"]


@contextmanager
def started(server, home, *arguments):
    """The command, read without buffers of our own: what was read is what had come."""
    env = ISOLATED | {"HOME": str(home), "HOLDFAST_TOKEN": TOKEN, "HOLDFAST_URL": server.url}
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", *arguments],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_attach_survives_a_server_that_dies_and_comes_back_and_its_text_is_whole(server, tmp_path):
    session = server.session()
    session.add("user_message", text="t")
    session.add("message", text="Hello ", is_partial=True)
    with started(server, tmp_path, "attach", "0") as process:
        assert process.stdout.read(6) == b"Hello "
        server.stop()
        assert any(b"reconnecting" in line for line in iter(process.stderr.readline, b""))
        server.start()
        session.add("message", text="wor", is_partial=True)
        assert process.stdout.read(3) == b"wor"
        session.say("Hello world")
        session.end()
        out, err = process.communicate(timeout=30)
    assert out == b"ld\n"
    assert err.count(b"reconnecting") == 0
    assert err.count(b"Connected again.") == 1
    assert process.returncode == 0


def test_run_that_loses_its_server_for_good_gives_up_only_if_told(server, tmp_path):
    server.on_run = lambda session: session.add("message", text="begun", is_partial=True)
    with started(server, tmp_path, "run", "t", "--give-up-after", "0.2") as process:
        assert process.stdout.read(5) == b"begun"
        server.stop()
        _, err = process.communicate(timeout=30)
    assert process.returncode == exits.UNREACHABLE
    assert b"gave up" in err
