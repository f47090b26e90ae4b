"""Both clients have the same ideas under the same names: what one calls `all_history` the other calls `allHistory`."""

import inspect
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast import client
from holdfast.client import sync

CLIENT = Path(__file__).parents[2] / "clients" / "typescript"
LIST = """
import {{ load }} from '{}'
const found = await load()
const names = ({{ prototype }}) => Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')
const classes = Object.entries(found).filter(([, value]) => typeof value === 'function' && /^class /.test(value))
console.log(JSON.stringify(Object.fromEntries(classes.map(([name, value]) => [name, names(value)]))))
"""

# What only one of the two can have, and why.
ONLY_PYTHON = {
    "Holdfast": {
        "url",
        "is_local",  # a page knows where it came from
    },
    "Session": set[str](),
    "EventStream": {"is_closed", "went_to"},  # for the synchronous face
}
ONLY_TYPESCRIPT = {
    "Holdfast": {"login", "logout"},  # the cookie is the browser's
    "Session": {"file_url"},  # a link for who has the cookie
    "EventStream": {"retry_now"},  # for when the browser is online again
}


@pytest.fixture(scope="module")
def typescript() -> dict[str, set[str]]:
    """Class → its public names, as plain Node has them, written like Python's."""
    script = LIST.format((CLIENT / "scripts" / "built.mjs").as_uri())
    done = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    classes: dict[str, list[str]] = json.loads(done.stdout)
    return {name: {_snake(member) for member in members} for name, members in classes.items()}


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", lambda found: f"_{found[1].lower()}", name)


def _public(kind: type[Any]) -> set[str]:
    """`aclose` is the asynchronous `close`, which TypeScript has no need to tell apart."""
    names = {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}
    return {"close" if name == "aclose" else name for name in names}


@pytest.mark.parametrize("name", ["Holdfast", "Session", "EventStream"])
def test_a_class_has_the_same_methods_in_both_languages(name: str, typescript: dict[str, set[str]]) -> None:
    python = _public(getattr(client, name))
    assert ONLY_PYTHON[name] <= python
    assert ONLY_TYPESCRIPT[name] <= typescript[name]
    assert python - ONLY_PYTHON[name] == typescript[name] - ONLY_TYPESCRIPT[name]


@pytest.mark.parametrize("name", ["Holdfast", "Session", "EventStream"])
def test_the_synchronous_face_has_the_same_methods_as_the_asynchronous_client(name: str) -> None:
    inner = {"is_closed", "went_to"} if name == "EventStream" else set[str]()
    # The ways to make a face of a method; and the id, which is a property here and a plain field there.
    faces = _public(getattr(sync, name)) - {"blocking", "starting", "iterating", "id"}
    assert faces == _public(getattr(client, name)) - inner


def test_the_values_have_the_same_names_in_both_languages() -> None:
    source = (CLIENT / "src" / "types.ts").read_text()
    named = set(re.findall(r"^export (?:type|interface) (\w+)", source, re.MULTILINE))
    # Record is a name that TypeScript has taken, and a page of sessions is called a list on the wire.
    other = {"Record": "SessionRecord", "SessionPage": "SessionList"}
    # A Notice is a StreamNotice there, beside the stream; errors are told apart by `code`.
    values = {name for name in client.__all__ if getattr(client, name).__module__ == "holdfast.client.records"}
    assert len(values) > 20
    assert {other.get(name, name) for name in values} | {"End", "Envelope", "TerminationInfo", "Stderr"} <= named
