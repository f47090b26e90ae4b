"""What is kept of an agent's stderr: whatever it writes, however the bytes are cut, and never a secret."""

import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdfast.agents.stderr import StderrCollector, plain, secrets_of

HEAD = TAIL = 50
cuts = st.lists(st.integers(min_value=0), max_size=8)
# What needs no cleaning, so that the kept lines are exactly the written ones.
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20)


def collected(data, cut_at=(), *, head=HEAD, tail=TAIL, secrets=()):
    collector = StderrCollector(head=head, tail=tail, secrets=secrets)
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cut_at), len(data)]
    for a, b in pairwise(edges):
        collector.feed(data[a:b])
    return collector.result()


def numbered(count):
    return [f"line {number}" for number in range(1, count + 1)]


@settings(deadline=None)
@given(st.binary(max_size=400), cuts)
@example(b"\n\n\n", [1, 2])
@example("ä\n€".encode(), [1, 4])
def test_how_the_bytes_are_cut_never_changes_what_is_kept(data, cut_at):
    assert collected(data, cut_at, head=2, tail=2) == collected(data, head=2, tail=2)


@pytest.mark.requirement("R123", "R124", "R125", "R126")
@settings(deadline=None)
@given(st.lists(words, max_size=12), st.integers(0, 4), st.integers(1, 4), st.booleans(), cuts)
def test_up_to_the_bound_all_lines_are_in_head_and_beyond_it_the_first_and_the_last(lines, head, tail, ended, cut_at):
    # A last line without an end counts too, unless it is empty: then there is no such line.
    text = "\n".join(lines) + ("\n" if ended and lines else "")
    if not ended and lines and not lines[-1]:
        lines = lines[:-1]
    kept = collected(text.encode(), cut_at, head=head, tail=tail)
    if not lines:
        assert kept is None
    elif len(lines) <= head + tail:
        assert (kept.head, kept.tail, kept.truncated) == ("\n".join(lines), None, False)
        assert kept.total_lines == len(lines)
    else:
        assert (kept.head, kept.tail) == ("\n".join(lines[:head]), "\n".join(lines[-tail:]))
        assert (kept.truncated, kept.total_lines) == (True, len(lines))


@pytest.mark.requirement("R123", "R125", "R126")
@pytest.mark.parametrize("count", [1, 50, 99, 100])
def test_a_hundred_lines_are_all_there(count):
    kept = collected("\n".join(numbered(count)).encode())
    assert kept.head.split("\n") == numbered(count)
    assert (kept.tail, kept.truncated, kept.total_lines) == (None, False, count)


@pytest.mark.requirement("R125", "R126")
@pytest.mark.parametrize("count", [101, 102, 150, 100_000])
def test_of_more_than_a_hundred_the_first_fifty_and_the_last_fifty_are_there(count):
    kept = collected("\n".join(numbered(count)).encode() + b"\n")
    assert kept.head.split("\n") == numbered(count)[:50]
    assert kept.tail.split("\n") == numbered(count)[-50:]
    assert (kept.truncated, kept.total_lines) == (True, count)


@pytest.mark.requirement("R124")
def test_an_agent_that_writes_nothing_has_no_stderr():
    assert collected(b"") is None


@pytest.mark.requirement("R127", "R029")
@settings(deadline=None)
@given(st.binary(max_size=1500), cuts)
@example(b"x" * 10_000, [])
@example(b"\x1b[31m" * 3000 + b"red", [])
@example(b"\x1b\x1b[31m[31m", [3])
def test_any_bytes_become_lines_of_bounded_length_without_escapes_and_control_characters(data, cut_at):
    kept = collected(data, cut_at)
    if kept is None:
        return
    for line in f"{kept.head}\n{kept.tail or ''}".split("\n"):
        assert len(line) <= 503
        assert not any(character < " " and character not in "\t\r" for character in line), line
        line.encode()  # what cannot be decoded is replaced, so it can always be sent


@pytest.mark.requirement("R127")
@pytest.mark.parametrize(("length", "shown"), [(499, "x" * 499), (500, "x" * 500), (501, "x" * 500 + "...")])
def test_a_line_is_cut_at_500_characters(length, shown):
    assert collected(b"x" * length + b"\nnext").head == f"{shown}\nnext"


@pytest.mark.requirement("R127")
def test_characters_are_counted_and_not_bytes():
    assert collected(("€" * 501).encode()).head == "€" * 500 + "..."


@pytest.mark.requirement("R127")
def test_bad_utf8_is_replaced():
    assert collected(b"caf\xe9 \xff\n\xe2\x82").head == "caf� �\n�"


@pytest.mark.requirement("R029")
@pytest.mark.parametrize(
    "escaped",
    [
        "\x1b[31mred\x1b[0m",
        "\x1b[38;5;196mred\x1b[m",
        "\x1b[2K\x1b[1Gred",
        "\x1b]0;title\x07red",
        "\x1b]8;;http://x\x1b\\red\x1b]8;;\x1b\\",
        "\x1b(Bred\x1b[m",
        "\x1b7red\x1b8",
        "\x1bPq#0;2\x1b\\red",
        "\x1b=red\x1b>",
        "red\x1b",
        "red\x1b[3",
    ],
)
def test_escapes_of_every_form_are_removed_and_the_text_is_kept(escaped):
    assert plain(escaped) == "red"
    assert collected(escaped.encode()).head == "red"


@pytest.mark.requirement("R029")
@settings(deadline=None)
@given(st.text(st.sampled_from("\x1b[]()\\;0mKP_ax\x07"), max_size=12))
def test_nothing_that_is_left_of_a_text_is_an_escape_again(text):
    assert "\x1b" not in plain(text)
    assert plain(text) == text or "\x1b" in text


ENVIRONMENT = {
    "ANTHROPIC_API_KEY": "a-rather-secret-value",
    "GITHUB_TOKEN": "another.secret+value",
    "db_password": "päss wörd with blanks",
    "CREDENTIALS": '{\n  "private": "of several lines"\n}',
    "HOME": "/home/somebody",
    "SHORT_KEY": "true",
}


@pytest.mark.requirement("R133")
def test_the_secrets_of_an_environment_are_found_by_their_names():
    found = secrets_of(ENVIRONMENT)
    assert {"a-rather-secret-value", "another.secret+value", "päss wörd with blanks"} <= set(found)
    assert not any(value in found for value in ("/home/somebody", "true"))
    assert found == sorted(found, key=len, reverse=True)


@pytest.mark.requirement("R133")
@settings(deadline=None)
@given(st.sampled_from(secrets_of(ENVIRONMENT)), st.integers(0, 9_000), words, cuts)
@example("a-rather-secret-value", 490, "", [495])
def test_a_secret_is_removed_wherever_it_stands(secret, before, after, cut_at):
    data = f"{'x' * before}{secret}{after}\n".encode() * 3
    kept = collected(data, cut_at, head=1, tail=1, secrets=secrets_of(ENVIRONMENT))
    for text in (kept.head, kept.tail):
        assert secret not in text
        assert secret[:12] not in text


@pytest.mark.requirement("R133")
def test_a_secret_that_is_cut_by_the_bound_of_a_line_is_removed_too():
    secret = "0123456789" * 20
    assert secret[:20] not in collected(f"{secret * 60}\n".encode(), secrets=[secret]).head
    assert secret[:20] not in collected(b"\x1b[0m" * 2030 + secret.encode(), secrets=[secret]).head


@pytest.mark.requirement("R133")
def test_a_secret_of_several_lines_is_removed_line_by_line():
    text = ENVIRONMENT["CREDENTIALS"]
    kept = collected(f"{text}\n".encode(), secrets=secrets_of(ENVIRONMENT))
    assert "of several lines" not in kept.head


@pytest.mark.requirement("R133")
def test_a_secret_that_is_coloured_in_the_middle_is_removed():
    assert "hunter" not in collected(b"hun\x1b[1mter2hunter2", secrets=["hunter2hunter2"]).head


@pytest.mark.requirement("R133")
@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-api03-" + "aB3_" * 10,
        "ghp_" + "a1B2" * 9,
        "github_pat_" + "a1B2" * 9,
        "xoxb-123456789012-abcdef",
        "AKIAIOSFODNN7EXAMPLE",
        "AIza" + "Sy0-" * 9,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    ],
)
def test_what_looks_like_a_key_is_removed_though_nobody_named_it(secret):
    kept = collected(f"request failed: key={secret}, status 401".encode()).head
    assert kept == "request failed: key=[secret], status 401"


@pytest.mark.requirement("R133")
@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Authorization: Bearer abc.def-123=", "Authorization: Bearer [secret]"),
        ("postgresql://me:s3cret@db/x", "postgresql://[secret]@db/x"),
    ],
)
def test_credentials_in_headers_and_addresses_are_removed(line, shown):
    assert collected(line.encode()).head == shown


@pytest.mark.requirement("R122")
@pytest.mark.parametrize("line", [b"", b"a short line\n", b"x" * 20_000 + b"\n"], ids=["endless", "short", "long"])
def test_a_flood_costs_bounded_memory(line):
    chunk = (line * (64 * 1024 // len(line) + 1) if line else b"x" * 64 * 1024)[: 64 * 1024]
    collector = StderrCollector(head=HEAD, tail=TAIL)
    for _ in range(16):
        collector.feed(chunk)  # the bound is reached
    tracemalloc.start()
    try:
        for _ in range(16 if b"short" in line else 1024):
            collector.feed(chunk)
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 1024 * 1024
    assert peak < 4 * 1024 * 1024
    assert collector.result() is not None
