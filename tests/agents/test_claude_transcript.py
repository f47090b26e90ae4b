"""Claude's memory as we keep it: what was mirrored comes back as it was, unless the CLI knows more than we."""

import json
import uuid
from pathlib import Path

import msgspec
import pytest
from claude_agent_sdk import project_key_for_directory
from hypothesis import given
from hypothesis import strategies as st

from holdfast.agents.claude_transcript import Mirror, Piece, restore

SESSION = "815ff77b-980e-41fd-b644-f80616ac3f34"
# As a transcript has them, and as it has none: nothing here may depend on what a line says.
ODD = [
    {"type": "user", "uuid": "u1", "message": {"content": "Höhe \u2028 \x00 😀"}},
    {"type": "cost-state", "nested": [[[{}]], None, True, 1.5e-300, 2**60]},
    {"uuid": 5},
    {},
    [],
    "no object",
    None,
    {"type": "assistant", "uuid": "u2", "": {"": ""}},
]
line_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e300, 1e300) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


class Place:
    """A file of what was kept, a config folder of the CLI, and a workspace."""

    def __init__(self, folder: Path) -> None:
        self.kept = folder / "transcript"
        self.config = folder / "config"
        self.cwd = str(folder / "work")
        self.file = self.config / "projects" / project_key_for_directory(self.cwd) / f"{SESSION}.jsonl"

    def keep(self, *pieces: Piece) -> None:
        self.kept.write_bytes(b"".join(msgspec.json.encode(piece) + b"\n" for piece in pieces))

    def restore(self) -> bool:
        return restore(str(self.kept), SESSION, self.config, self.cwd)

    def write(self, lines: list[object]) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text("".join(json.dumps(line) + "\n" for line in lines))

    @property
    def lines(self) -> list[object]:
        return [json.loads(line) for line in self.file.read_bytes().splitlines()]


def piece(*lines: object, subpath: str | None = None, session_id: str = SESSION) -> Piece:
    return Piece(session_id=session_id, lines=list(lines), subpath=subpath)


@pytest.mark.anyio
@pytest.mark.requirement("R017", "R018")
async def test_what_was_mirrored_comes_back_as_it_was(place):
    kept: list[bytes] = []
    mirror = Mirror(kept.append)
    for line in ODD:
        await mirror.append({"session_id": SESSION, "project_key": "whatever"}, [line])
    assert await mirror.load({"session_id": SESSION}) is None
    place.kept.write_bytes(b"\n".join(kept) + b"\n")
    assert place.restore()
    assert place.lines == ODD


@pytest.mark.requirement("R018")
@given(st.lists(st.lists(line_values, min_size=1, max_size=3), min_size=1, max_size=4))
def test_any_lines_come_back_as_the_same_values_in_the_same_order(tmp_path_factory, pieces):
    place = Place(tmp_path_factory.mktemp("any"))
    place.keep(*(piece(*lines) for lines in pieces))
    assert place.restore()
    assert place.lines == [line for lines in pieces for line in lines]


def test_a_transcript_is_readable_by_its_owner_only_and_nothing_else_is_left(place):
    place.keep(piece(*ODD))
    place.restore()
    assert place.file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in place.file.parent.iterdir()] == [place.file.name]


def test_an_older_transcript_is_replaced_and_a_newer_one_stays(place):
    one, two, three = ({"uuid": str(uuid.uuid4()), "n": n} for n in range(3))
    place.keep(piece(one), piece(two))
    place.write([one])
    assert place.restore()
    assert place.lines == [one, two]
    place.write([one, two, three])
    assert not place.restore()
    assert place.lines == [one, two, three]


def test_what_was_added_in_a_terminal_is_kept_and_half_a_line_at_its_end_is_not(place):
    one, two, three = ({"uuid": str(uuid.uuid4()), "n": n} for n in range(3))
    place.keep(piece(one))
    place.write([one, two, three])
    odd = [b"\xff\xfe", b'{"uuid":"' + b"\xff" * 5, b"[" * 5_000, b"null", b'{"uuid":5}', b'{"uuid":"half']
    with place.file.open("ab") as file:
        file.write(b"\n".join(odd))
    kept: list[bytes] = []
    assert not restore(str(place.kept), SESSION, place.config, place.cwd, kept.append)
    assert [msgspec.json.decode(body, type=Piece) for body in kept] == [piece(two, three)]
    # Nothing is new any more.
    place.keep(piece(one), piece(two, three))
    kept.clear()
    assert not restore(str(place.kept), SESSION, place.config, place.cwd, kept.append)
    assert kept == []


def test_a_transcript_is_found_where_the_cli_put_it_even_if_that_was_for_another_folder(place):
    one, two = ({"uuid": str(uuid.uuid4())} for _ in range(2))
    elsewhere = place.config / "projects/-somewhere-else" / f"{SESSION}.jsonl"
    elsewhere.parent.mkdir(parents=True)
    elsewhere.write_text(json.dumps(one) + "\n")
    place.keep(piece(one, two))
    assert place.restore()
    assert [json.loads(line) for line in elsewhere.read_text().splitlines()] == [one, two]
    assert not place.file.exists()


def test_nothing_is_written_where_nothing_was_kept(place):
    place.keep(piece({"uuid": "a"}, session_id="another"))
    assert not place.restore()
    place.keep()
    assert not place.restore()
    assert not place.config.exists()


def test_the_transcripts_of_subagents_stand_beside_their_sessions(place):
    place.keep(piece({"uuid": "a"}), piece({"uuid": "b"}, subpath="subagents/agent-1"))
    assert place.restore()
    beside = place.file.with_suffix("") / "subagents/agent-1.jsonl"
    assert json.loads(beside.read_text()) == {"uuid": "b"}


@pytest.mark.parametrize("subpath", ["../../escaped", "{outside}/escaped", "a/../../../escaped", "../sibling"])
def test_no_subagent_writes_outside_of_its_sessions_folder(place, subpath, tmp_path):
    place.keep(piece({"uuid": "a"}), piece({"uuid": "b"}, subpath=subpath.format(outside=tmp_path)))
    assert place.restore()
    assert list(tmp_path.rglob("*.jsonl")) == [place.file]
