"""The memory of an agent's processes, measured."""

from holdfast.keeper.limits import tree_memory_mb
from tests.agents.alone import alone

HUNGRY = """
import os, sys
held = bytearray(os.urandom(1)) * (40 * 1024 * 1024)
if len(sys.argv) == 1: os.fork()
print("ready", flush=True); sys.stdin.read()
"""
# In a process of its own: what other tests have started below theirs comes and goes as it likes.
MEASURE = """
from holdfast.keeper.limits import tree_memory_mb
def hungry(*arguments):
    return subprocess.Popen(python(sys.argv[1], *arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
with hungry() as forked, hungry("alone") as single:
    for process, lines in ((forked, 2), (single, 1)):
        for _ in range(lines): assert process.stdout.readline() == b"ready\\n"
    tell(together=tree_memory_mb(os.getpid()), below=tree_memory_mb(forked.pid))
    forked.communicate()
    single.communicate()
"""


def test_the_memory_of_a_tree_is_that_of_all_below_and_what_is_shared_counts_once():
    found = alone(MEASURE, HUNGRY)
    assert 80 < found["together"] < 110  # 40 of each program; a fork's copy of it is the same memory
    assert 15 < found["below"] < 40  # the fork's half


def test_the_memory_of_nobody_is_nothing():
    assert tree_memory_mb(2**22 + 1) == 0
