"""Where the output goes there is no room left."""

import subprocess
import sys

import pytest

from holdfast.cli import exits


@pytest.mark.parametrize("arguments", [("--help",), ("agents",), ("ls", "--json"), ("openapi",)])
def test_an_output_that_finds_no_room_is_told_in_a_sentence(at_home, arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "holdfast", *arguments], env=at_home, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.stderr == "The output cannot be written: No space left on device.\n"
    assert done.returncode == exits.FAILURE
