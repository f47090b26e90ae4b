"""The TypeScript client says what the server says: its types are made from the OpenAPI document that is current."""

import os
import re
import subprocess
import sys
from pathlib import Path

from holdfast import errors

CLIENT = Path(__file__).parents[2] / "clients" / "typescript"
# What only a client can find out.
OWN_CODES = {"foreign", "ambiguous_id", "unreachable", "stream_lost"}


def test_its_types_are_those_of_the_openapi_document() -> None:
    done = subprocess.run(
        ["node", "scripts/generate.mjs", "--check"],
        cwd=CLIENT,
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_it_knows_every_code_that_the_server_refuses_with() -> None:
    union = (CLIENT / "src" / "errors.ts").read_text().partition("export type ErrorCode =")[2].partition("(string")[0]
    known = set(re.findall(r"'(\w+)'", union))
    protocol = (CLIENT.parents[1] / "PROTOCOL.md").read_text().partition("## 2. Errors")[2].partition("\n## ")[0]
    stated = set(re.findall(r"^\| `(\w+)` \| \d+ \|", protocol, re.MULTILINE))
    assert len(stated) > 20
    assert errors.HoldfastError.code in stated
    assert known == stated | OWN_CODES
