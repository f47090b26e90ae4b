"""The memory of an agent's processes, measured."""

import os
import subprocess
import sys

from holdfast.keeper.limits import tree_memory_mb

HUNGRY = """
import os, sys
held = bytearray(os.urandom(1)) * (40 * 1024 * 1024)
if len(sys.argv) == 1: os.fork()
print("ready", flush=True); sys.stdin.read()
"""


def _hungry(*arguments):
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", HUNGRY, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def test_the_memory_of_a_tree_is_that_of_all_below_and_what_is_shared_counts_once():
    before = tree_memory_mb(os.getpid())
    with _hungry() as forked, _hungry("alone") as single:
        for process, lines in ((forked, 2), (single, 1)):
            for _ in range(lines):
                assert process.stdout.readline() == b"ready\n"
        together = tree_memory_mb(os.getpid()) - before
        below = tree_memory_mb(forked.pid)
        forked.communicate()
        single.communicate()
    assert 80 < together < 110  # 40 of each program; a fork's copy of it is the same memory
    assert 15 < below < 40  # the fork's half


def test_the_memory_of_nobody_is_nothing():
    assert tree_memory_mb(2**22 + 1) == 0
