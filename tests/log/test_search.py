"""Searching the list of sessions: the same on both stores, in any case, and with nothing that counts as a wildcard."""

import pytest

from holdfast.log.log import Log
from holdfast.log.search import TASK_CHARACTERS, words
from tests.log.author import Author

pytestmark = pytest.mark.anyio


async def found(log: Log, query: str, user_id: str = "ann") -> list[str]:
    return [row.id for row in await log.read.sessions(user_id, words=words(query))]


@pytest.mark.parametrize(
    ("task", "query"),
    [
        ("Fix the flaky test", "flaky"),
        ("Fix the flaky test", "TEST  fIx"),
        ("Fix the flaky test", "lak es"),
        ("Räume die Straße auf", "RÄUME strasse"),
        ("РАБОТА над задачей", "работа"),
        ("Räume auf", "Ra\u0308ume"),
        ("100% of it", "100%"),
        ("snake_case", "e_c"),
        ("a/b\\c", "/b\\c"),
        ('it\'s "quoted"', "it's \"q"),
        ("before\0behind", "before behind"),
    ],
)
async def test_each_word_must_occur_in_whatever_case(log: Log, task: str, query: str) -> None:
    author = await Author(log).begin(task)
    await Author(log).begin("something else")
    assert await found(log, query) == [author.id]
    assert await found(log, f"{query} nowhere") == []


async def test_a_wildcard_is_a_character_like_any_other(log: Log) -> None:
    await Author(log).begin("aXc and 100 of it")
    for query in ("a_c", "100%", "a%c", "%", "_", "\\", "a.c", "*"):
        assert await found(log, query) == [], query


async def test_the_names_of_a_session_are_searched_too(log: Log) -> None:
    author = await Author(log).begin("x")
    await Author(log, user_id="bob").begin("x")
    for query in (author.id, author.id[:8].upper(), f"Demo /TMP {author.id[-5:]}"):
        assert await found(log, query) == [author.id], query
    assert await found(log, author.id, user_id="bob") == [], "one's own only"


async def test_a_session_is_found_by_its_last_task(log: Log) -> None:
    author = await Author(log).begin("first things")
    assert await found(log, "first") == [author.id]
    await author.end()
    assert await found(log, "first") == [author.id]
    await author.begin("second thoughts")
    assert await found(log, "first") == []
    assert await found(log, "second demo") == [author.id]


async def test_of_a_huge_task_the_beginning_counts(log: Log) -> None:
    author = await Author(log).begin("early " + "x" * TASK_CHARACTERS + " late")
    assert await found(log, "early") == [author.id]
    assert await found(log, "late") == []


async def test_no_words_mean_no_filter_and_pages_go_on_below_one(log: Log) -> None:
    authors = [await Author(log).begin(f"number {n} {'odd' if n % 2 else 'even'}") for n in range(6)]
    assert await found(log, " \t ") == [author.id for author in reversed(authors)]
    first = await log.read.sessions("ann", words=words("ODD"), limit=2)
    rest = await log.read.sessions("ann", words=words("ODD"), before=(first[-1].created_ms, first[-1].key))
    assert [row.id for row in (*first, *rest)] == [authors[n].id for n in (5, 3, 1)]
