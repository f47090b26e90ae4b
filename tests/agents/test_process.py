"""An agent's process: seen at once when it ends, read without ever blocking it, gone when we are done with it."""

import os
import signal

import pytest

from holdfast.agents.process import Exit
from tests.agents.alone import alone, started
from tests.processes import eventually, is_alive

# Starts the program and keeps what it says.
START = """
said = bytearray()
stderr = StderrCollector(head=50, tail=50)
async def start(program, *arguments):
    tree.become_subreaper()
    return await AgentProcess.start(
        python(program, *arguments), cwd="/", environment=dict(os.environ), stderr=stderr, take=said.extend
    )
async def gone(agent):
    began = time.monotonic()
    await asyncio.wait_for(agent.gone(), 20)
    return time.monotonic() - began
"""


def play(body, *arguments):
    """The async body, with an agent's process at hand; answers what it told."""
    indented = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
    return alone(f"{START}\nasync def main():\n{indented}\nasyncio.run(main())\n", *arguments)


@pytest.mark.requirement("R121")
@pytest.mark.parametrize(
    ("returncode", "code", "name", "told"),
    [
        (0, 0, None, "code 0"),
        (255, 255, None, "code 255"),
        (-9, None, "SIGKILL", "signal SIGKILL"),
        (-11, None, "SIGSEGV", "signal SIGSEGV"),
        (-40, None, "SIG40", "signal SIG40"),
    ],
)
def test_an_exit_is_a_code_or_a_signal_and_never_both(returncode, code, name, told):
    exit_ = Exit(returncode)
    assert (exit_.code, exit_.signal, str(exit_)) == (code, name, told)


@pytest.mark.requirement("R121")
@pytest.mark.parametrize(
    ("death", "expected"),
    [
        ("os._exit(0)", [0, None]),
        ("os._exit(3)", [3, None]),
        ("os.kill(os.getpid(), 9)", [None, "SIGKILL"]),
        ("os.kill(os.getpid(), 15)", [None, "SIGTERM"]),
        ("os.abort()", [None, "SIGABRT"]),
    ],
)
def test_a_death_is_seen_at_once_and_as_what_it_was(death, expected):
    found = play(
        f"""
import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
agent = await start("import os; os.write(1, b'out'); os.write(2, b'err'); {death}")
took_s = await gone(agent)
exit = [agent.exit.code, agent.exit.signal]
tell(exit=exit, took_s=took_s, said=said.decode(), err=stderr.result().head, zombies=zombies())
"""
    )
    assert found["exit"] == expected
    assert (found["said"], found["err"]) == ("out", "err")
    assert found["took_s"] < 15
    assert found["zombies"] == []


@pytest.mark.requirement("R119")
def test_everything_that_was_written_before_the_death_is_read_also_if_we_held_it_up():
    found = play(
        """
agent = await start("import os; os.write(1, b'x' * 60_000); os.write(2, b'z' * 60_000); os._exit(1)")
agent.pause()
await until(agent.exited.is_set)
asyncio.get_running_loop().call_later(1.5, agent.resume)  # longer than a drain that is not held up takes
await gone(agent)
tell(said=len(said), lines=stderr.result().total_lines)
"""
    )
    assert found == {"said": 60_000, "lines": 1}


def test_a_child_that_holds_the_pipes_open_is_not_waited_for():
    found = play(
        """
program = '''
import os, time
done, tell = os.pipe()
if os.fork():
    os.read(done, 1)
    os._exit(5)
os.write(1, b"x"); os.write(tell, b"x"); time.sleep(60)
'''
agent = await start(program)
took_s = await gone(agent)
tell(code=agent.exit.code, took_s=took_s, said=said.decode())
await agent.end(patience_s=0, grace_s=0.2, deadline_s=20)
"""
    )
    assert (found["code"], found["said"]) == (5, "x")
    assert found["took_s"] < 15


def test_a_child_that_goes_on_writing_is_read_for_a_while_and_no_longer():
    found = play(
        """
agent = await start("import os, time\\nif os.fork(): os._exit(5)\\nwhile True: os.write(1, b'x'); time.sleep(0.05)")
took_s = await gone(agent)
tell(took_s=took_s)
await agent.end(patience_s=0, grace_s=0.2, deadline_s=20)
"""
    )
    assert found["took_s"] < 15


def test_writing_to_an_agent_that_is_gone_or_does_not_listen_raises_nothing():
    found = play(
        """
agent = await start("import os, time; os.close(0); time.sleep(60)")
for _ in range(20): agent.write(b"x" * 100_000)
await asyncio.wait_for(agent.stdin_closed.wait(), 10)
agent.write(b"more")
await agent.end(patience_s=0, grace_s=0.2, deadline_s=20)
agent.write(b"even more")
agent.pause(); agent.resume(); agent.resume()
tell(signal=agent.exit.signal)
"""
    )
    assert found["signal"] in ("SIGTERM", "SIGKILL")


@pytest.mark.requirement("R122")
def test_an_agent_that_floods_both_pipes_is_never_blocked_by_stderr_while_its_output_is_held():
    found = play(
        """
agent = await start("import os\\nfor _ in range(400): os.write(2, b'e' * 50_000 + b'\\\\n')\\nos.write(1, b'done')")
agent.pause()
await asyncio.wait_for(agent.exited.wait(), 20)
agent.resume()
await gone(agent)
tell(lines=stderr.result().total_lines, said=said.decode())
"""
    )
    assert found == {"lines": 400, "said": "done"}


def test_a_paused_agent_is_held_up_and_a_resumed_one_goes_on():
    found = play(
        """
agent = await start("import os\\nfor _ in range(100): os.write(1, b'x' * 10_000)")
agent.pause()
try:
    await asyncio.wait_for(agent.exited.wait(), 0.5)
    held = False
except TimeoutError:
    held = True
paused_at = len(said)
agent.resume()
await gone(agent)
tell(held=held, paused_at=paused_at, said=len(said), code=agent.exit.code)
"""
    )
    assert found["held"]
    assert found["paused_at"] < 1_000_000
    assert (found["said"], found["code"]) == (1_000_000, 0)


@pytest.mark.requirement("R091")
@pytest.mark.parametrize(("patience_s", "needs_s", "is_tidy"), [(20, 0.3, True), (0, 60, False)])
def test_an_agent_may_leave_by_itself_when_its_input_closes_if_there_is_time(tmp_path, patience_s, needs_s, is_tidy):
    found = play(
        """
program = '''
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
print("ready", flush=True)
sys.stdin.read(); time.sleep(float(sys.argv[2])); open(sys.argv[1], "w").close()
'''
agent = await start(program, sys.argv[1], sys.argv[3])
await until(lambda: said)
is_ended = await agent.end(patience_s=float(sys.argv[2]), grace_s=20, deadline_s=25)
tell(is_ended=is_ended, code=agent.exit.code, zombies=zombies(), left=tree.descendants(os.getpid()))
""",
        tmp_path / "tidy",
        patience_s,
        needs_s,
    )
    assert found["is_ended"]
    assert (found["zombies"], found["left"]) == ([], [])
    assert (tmp_path / "tidy").exists() == is_tidy
    assert found["code"] == (0 if is_tidy else 9)


@pytest.mark.requirement("R146")
def test_an_agent_dies_with_us_though_nobody_could_end_it():
    keeper = started(
        START
        + """
async def main():
    agent = await start("import signal, time\\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\\ntime.sleep(60)")
    tell(agent=agent.pid)
    await asyncio.sleep(60)
asyncio.run(main())
"""
    )
    agent = int(keeper.stdout.readline().split(b":")[1].strip(b" }\n"))
    assert is_alive(agent)
    os.kill(keeper.pid, signal.SIGKILL)
    keeper.wait()
    keeper.stdout.close()
    eventually(lambda: not is_alive(agent))


def test_orphans_of_an_agent_that_works_on_leave_no_zombies():
    found = play(
        """
program = '''
import os, time
for _ in range(20):
    if not os.fork():
        if os.fork(): os._exit(0)
        os._exit(1)
    os.wait()
os.write(1, b"done"); time.sleep(60)
'''
agent = await start(program)
await until(lambda: said)
await until(lambda: not zombies())
tell(zombies=zombies(), alive=is_alive(agent.pid))
await agent.end(patience_s=0, grace_s=0.2, deadline_s=20)
"""
    )
    assert found == {"zombies": [], "alive": True}
