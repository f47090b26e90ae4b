"""Every case, with its faults, through plain requests and through both clients, against servers of its own.

HOLDFAST_ROUNDS says how often; each failure is told with the seed by which it can be had again.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROUNDS = int(os.environ.get("HOLDFAST_ROUNDS", "1"))
SUMMARY = re.compile(r"^(\d+) rounds of (\d+) cases passed, (\d+) failed, (\d+) cases skipped \((\w+),", re.MULTILINE)
# The suite bounds every step itself; this is for a suite that hangs.
PATIENCE_S = 600 * ROUNDS


@pytest.mark.timeout(PATIENCE_S + 60)
@pytest.mark.requirement("R057", "R058", "R059", "R060", "R065", "R068", "R069", "R070", "R090", "R143", "R144")
def test_plain_requests_and_both_clients_pass_every_case_with_faults_injected() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "conformance", "--client", "all", "--rounds", str(ROUNDS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    found = {name: tuple(map(int, numbers)) for *numbers, name in SUMMARY.findall(done.stdout)}
    assert found.keys() == {"raw", "python", "typescript"}
    for passed, cases, failed, skipped in found.values():
        assert (passed, failed) == (cases * ROUNDS, 0)
        # Those about the server alone, or about clients alone.
        assert 0 < skipped < 15 < cases
