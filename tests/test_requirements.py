"""The protocol and the tests name the same requirements: none that no test holds, and none that nobody stated."""

import ast
import functools
import re
from pathlib import Path

TESTS = Path(__file__).parent
PROTOCOL = TESTS.parent / "PROTOCOL.md"
NUMBER = re.compile(r"\bR\d{3}\b")
# In TypeScript a test says its numbers at the end of its name: test('… [R108] [R109]', …).
NAMED = re.compile(r"\btest(?:\.\w+\(.*?\))?\(\s*(['\"`])(?P<name>.*?)\1\s*,", re.DOTALL)


@functools.cache
def marked() -> dict[str, set[str]]:
    """Requirement → the files whose tests are marked with it."""
    found: dict[str, set[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requirement":
                constants = [below.value for below in ast.walk(node) if isinstance(below, ast.Constant)]
                assert constants, f"{file}:{node.lineno}: the numbers must be written out"
                for number in constants:
                    assert isinstance(number, str), f"{file}:{node.lineno}: {number!r} is no number"
                    assert NUMBER.fullmatch(number), f"{file}:{node.lineno}: {number!r} is no number"
                    found.setdefault(number, set()).add(str(file.relative_to(TESTS)))
    for folder in ("web/src", "clients/typescript/test"):
        for file in sorted((TESTS.parent / folder).rglob("*.test.ts*")):
            for test in NAMED.finditer(file.read_text()):
                for number in NUMBER.findall(test["name"]):
                    found.setdefault(number, set()).add(str(file.relative_to(TESTS.parent)))
    return found


def test_every_requirement_of_the_protocol_is_held_by_a_test() -> None:
    stated = set(NUMBER.findall(PROTOCOL.read_text()))
    assert len(stated) > 80
    missing = sorted(stated - marked().keys())
    assert not missing, f"stated in PROTOCOL.md and held by no test: {' '.join(missing)}"


def test_every_requirement_that_a_test_holds_is_stated_in_the_protocol() -> None:
    stated = set(NUMBER.findall(PROTOCOL.read_text()))
    unstated = {number: sorted(files) for number, files in marked().items() if number not in stated}
    assert not unstated, f"held by a test and not stated in PROTOCOL.md: {unstated}"
