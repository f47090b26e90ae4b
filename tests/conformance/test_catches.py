"""The suite finds what is wrong with a client, and says what it is and how to have it again."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BROKEN = Path(__file__).parent / "broken_client.py"


@pytest.mark.parametrize(
    ("fault", "case", "why"),
    [
        ("doubles", "client_asks_after_the_last", "the event 4 came behind 4"),
        ("skips", "client_asks_after_the_last", "the sequences are [2"),
        ("leaves", "client_asks_after_the_last", "the sequences are [1, 2, 3, 4], not [1, 2, 3, 4, 5"),
        ("changes", "client_reads_the_standard", "0 events are of_the_future, not 1"),
        ("raises", "client_takes_204_for_the_end", "the stream ended with ValueError"),
        ("dies", "client_takes_204_for_the_end", "the driver ended"),
    ],
)
def test_a_client_with_a_fault_fails_and_is_told_why(fault: str, case: str, why: str) -> None:
    done = _suite(fault, case)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{case} failed with the seed 5: " in done.stdout
    assert why in done.stdout
    assert f"again: python -m conformance --driver '{sys.executable} {BROKEN} {fault}' --cases {case}" in done.stdout


def _suite(fault: str, case: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} {BROKEN} {fault}"
    return subprocess.run(
        [sys.executable, "-m", "conformance", "--driver", command, "--cases", case, "--seed", "5"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
