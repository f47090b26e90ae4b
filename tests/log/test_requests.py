"""Requests that must have their effect once: remembered in the commit that made it, and forgotten in time."""

import asyncio

import pytest

from holdfast.errors import Fenced, StoreError
from holdfast.log.appends import Request
from holdfast.log.log import Log
from holdfast.log.reader import RequestRow
from tests.event_values import AT_MS, final
from tests.log.author import Author
from tests.stores import read_on, sequences

pytestmark = pytest.mark.anyio


def request(key: str = "key", *, user_id: str = "ann", answer: bytes = b"answer") -> Request:
    return Request(user_id=user_id, key=key, fingerprint=f"fingerprint of {answer!r}", answer=answer)


async def test_a_request_is_remembered_with_what_it_did(log: Log) -> None:
    assert await log.read.request("ann", "key") is None
    author = await Author(log).begin(request=request())
    known = await log.read.request("ann", "key")
    assert known == RequestRow(fingerprint="fingerprint of b'answer'", answer=b"answer")
    assert await log.read.request("bob", "key") is None
    await author.end()
    await author.begin(request=request("another key"))
    assert await log.read.request("ann", "another key") is not None


async def test_a_request_whose_work_was_fenced_is_not_remembered(log: Log) -> None:
    author = await Author(log).begin()
    with pytest.raises(Fenced):
        await author.write(final("no"), after=9, request=request())
    with pytest.raises(Fenced):
        await Author(log, session_id=author.id).begin(request=request())
    assert await log.read.request("ann", "key") is None


async def test_of_two_that_use_the_same_key_at_once_one_has_its_effect_and_the_other_none(log: Log) -> None:
    authors, bystander = [Author(log) for _ in range(2)], Author(log)
    answers = await asyncio.gather(
        *(author.begin(request=request(answer=author.id.encode())) for author in authors),
        bystander.begin(),
        return_exceptions=True,
    )
    assert [isinstance(answer, StoreError) for answer in answers].count(True) == 1
    assert not isinstance(answers[2], Exception)
    (winner,) = (author for author, answer in zip(authors, answers, strict=False) if answer is author)
    (loser,) = (author for author in authors if author is not winner)
    known = await log.read.request("ann", "key")
    assert known is not None
    assert known.answer == winner.id.encode()
    assert sequences(await read_on(log, winner.id)) == [1, 2]
    assert await log.read.session(loser.id) is None
    assert log.position == 4


async def test_an_answer_that_is_remembered_alone_does_not_replace_the_first(log: Log) -> None:
    await log.remember(request(answer=b"first"), AT_MS)
    await log.remember(request(answer=b"second"), AT_MS)
    await log.remember(request(user_id="bob", answer=b"of bob"), AT_MS)
    for user_id, answer in (("ann", b"first"), ("bob", b"of bob")):
        known = await log.read.request(user_id, "key")
        assert known is not None
        assert known.answer == answer


async def test_old_requests_are_forgotten_and_young_ones_are_not(log: Log) -> None:
    await log.remember(request("old"), AT_MS)
    await log.remember(request("young"), AT_MS + 1)
    await log.forget_requests(before_ms=AT_MS + 1)
    assert await log.read.request("ann", "old") is None
    assert await log.read.request("ann", "young") is not None
    await log.remember(request("old", answer=b"anew"), AT_MS + 2)
    known = await log.read.request("ann", "old")
    assert known is not None
    assert known.answer == b"anew"
