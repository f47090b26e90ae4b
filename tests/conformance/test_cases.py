"""The cases are data that anybody can read: complete, tied to the protocol, refused by name when they are wrong."""

import re
from pathlib import Path

import pytest

from conformance.case import CASES, CaseError, load, load_all
from conformance.damage import Fault
from conformance.driver import COMMANDS
from conformance.steps import Step

ROOT = Path(__file__).parents[2]
README = ROOT / "conformance" / "README.md"
SUBJECTS = (
    "replay",
    "resume",
    "reconnect",
    "several_runs",
    "gap",
    "reset",
    "conflict",
    "errors",
    "slow_reader",
    "restart",
)


def test_there_are_cases_for_every_subject_and_each_is_called_after_its_file() -> None:
    assert {file.stem for file in CASES.glob("*.yaml")} >= set(SUBJECTS)
    for file in CASES.glob("*.yaml"):
        for case in load(file):
            assert case.name.startswith(file.stem.partition("_")[0]), f"{case.name} is in {file.name}"


def test_every_requirement_that_a_case_names_is_stated_in_the_protocol() -> None:
    stated = set(re.findall(r"\bR\d{3}\b", (ROOT / "PROTOCOL.md").read_text()))
    named = {number for case in load_all() for number in case.requirements}
    assert len(named) > 25
    assert named <= stated


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: a\nabout: b\nsteps: []", "length >= 1"),
        ("name: Big\nabout: b\nsteps: [{end: {}}]", "$.name"),
        ("name: a\nabout: b\nsteps: [{wait: {}}]", "unknown field `wait`"),
        ("name: a\nabout: b\nsteps: [{end: {}, history: {}}]", "exactly one thing, not end, history"),
        ("name: a\nabout: b\nsteps: [{end: {folow: f}}]", "unknown field `folow`"),
        ("name: a\nabout: b\nholds: client\nsteps: [{end: {}}]", "has a script"),
        ("name: a\nabout: b\nfaults: {streams: {how: [gone]}}\nsteps: [{end: {}}]", "'gone'"),
        ("name: a\nabout: [", "while parsing"),
    ],
)
def test_a_case_that_is_wrong_is_refused_with_where_and_how(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(text)
    with pytest.raises(CaseError) as refused:
        load(file)
    assert str(file) in str(refused.value)
    assert says in str(refused.value)


def test_two_cases_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text("name: twin\nabout: b\nsteps: [{end: {}}]")
    with pytest.raises(CaseError, match="two cases are called twin"):
        load_all(tmp_path)


def test_the_readme_explains_every_step_every_fault_and_every_word_to_a_driver() -> None:
    text = README.read_text()
    orders = {"task", "resume", "fork", "cancel", "pause", "discard", "answer", "record", "history", "end"}
    words = {"open", "close", "run", "follow", "release", "leave"} | orders
    for name in {*Step.__struct_fields__, *Fault.__struct_fields__, *words, *COMMANDS}:
        assert f"`{name}`" in text, f"{README} says nothing of {name}"
