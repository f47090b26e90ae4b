"""The words between keeper and server: packed and unpacked, however the bytes are cut."""

import struct
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.agents.interface import Reply, Task
from holdfast.keeper import messages
from holdfast.keeper.messages import (
    MESSAGE_BYTES,
    Acknowledge,
    Answer,
    Batch,
    Begin,
    Gone,
    Hello,
    Stop,
    Switch,
    Unpacker,
    Welcome,
    pack,
    unpack_down,
    unpack_up,
)
from holdfast.limits import Limits
from holdfast.policy import Policy
from tests.keeper.values import recorded

texts = st.text(st.characters(codec="utf-8"), max_size=20)
indices = st.integers(0, 2**40)
# Whole numbers of up to 64 bits: msgpack has no others, and an answer with one is refused before it comes here.
inputs = st.dictionaries(texts, st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | texts, max_size=2)
replies = st.builds(
    Reply,
    decision=st.sampled_from(["allow_once", "allow_session", "allow_project", "deny", "cancelled"]),
    by=texts,
    message=st.none() | texts,
    tool_input=st.none() | inputs,
    answers=st.none() | inputs,
)
rules = st.lists(texts, max_size=2)
policies = st.builds(Policy, profile=texts, allow=rules, ask=rules, deny=rules, granted=rules, unattended=st.booleans())
tasks = st.builds(
    Task,
    session_id=texts,
    agent=texts,
    text=texts,
    shown=texts,
    command=rules,
    cwd=texts,
    kind=st.sampled_from(["acp", "claude"]),
    limits=st.builds(Limits, max_turns=st.none() | st.integers(1, 9), on_limit=st.sampled_from([None, "end", "pause"])),
    policy=policies,
)
ups = st.builds(Hello, texts, indices, texts, indices, indices, st.booleans()) | st.builds(
    Batch, indices, st.lists(recorded, max_size=5)
)
downs = (
    st.builds(Welcome, indices)
    | st.builds(Acknowledge, indices)
    | st.builds(Stop, st.sampled_from(["cancelled", "paused", "interrupted"]))
    | st.builds(Answer, texts, replies)
    | st.builds(Switch, texts, policies)
    | st.builds(Begin, tasks)
    | st.builds(Gone, texts)
)
cuts = st.lists(st.integers(min_value=0), max_size=10)


def unpacked(wire, cut_at):
    unpacker = Unpacker()
    edges = [0, *sorted(cut % (len(wire) + 1) for cut in cut_at), len(wire)]
    return [body for a, b in pairwise(edges) for body in unpacker.feed(wire[a:b])]


@settings(deadline=None)
@given(st.lists(ups), cuts)
def test_what_a_keeper_packs_the_server_unpacks_whatever_the_cuts(said, cut_at):
    assert [unpack_up(body) for body in unpacked(b"".join(map(pack, said)), cut_at)] == said


@settings(deadline=None)
@given(st.lists(downs), cuts)
def test_what_the_server_packs_a_keeper_unpacks_whatever_the_cuts(said, cut_at):
    assert [unpack_down(body) for body in unpacked(b"".join(map(pack, said)), cut_at)] == said


def test_a_message_is_there_as_soon_as_its_last_byte_is_and_not_before():
    wire = pack(Welcome(5))
    unpacker = Unpacker()
    assert list(unpacker.feed(wire[:-1])) == []
    assert [unpack_down(body) for body in unpacker.feed(wire[-1:] + wire[:3])] == [Welcome(5)]
    assert [unpack_down(body) for body in unpacker.feed(wire[3:])] == [Welcome(5)]


def test_a_message_that_is_too_long_is_refused_before_it_is_there():
    with pytest.raises(ValueError, match=str(MESSAGE_BYTES + 1)):
        list(Unpacker().feed(struct.pack(">I", MESSAGE_BYTES + 1)))
    assert list(Unpacker().feed(struct.pack(">I", MESSAGE_BYTES))) == []


@settings(deadline=None)
@given(st.binary(max_size=40))
def test_whatever_else_comes_is_refused_and_never_taken_for_a_message(body):
    for unpack, kinds in ((unpack_up, messages.Up), (unpack_down, messages.Down)):
        try:
            found = unpack(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        assert isinstance(found, kinds)


def test_neither_side_takes_the_others_words_for_its_own():
    with pytest.raises(msgspec.DecodeError):
        unpack_up(pack(Welcome(1))[4:])
    with pytest.raises(msgspec.DecodeError):
        unpack_down(pack(Hello("s", 1, "secret", 2, 3))[4:])
    with pytest.raises(msgspec.DecodeError):
        unpack_down(msgspec.msgpack.encode(["Stop", "because"]))
