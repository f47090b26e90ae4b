"""What an agent writes to stderr: its first and last lines are kept, however much there is, and no secret leaves."""

from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually
from tests.runs.agents import SECRET, note_of, run_that_times_out


def stderr_of(client: Client, task: str) -> dict[str, Any] | None:
    """What the end of a run says that its agent wrote before it failed."""
    session_id = client.run_task(f"{task}\nsys.stderr.flush(); os._exit(1)", agent="scripted")
    return client.end_of(session_id)["data"]["termination_info"].get("stderr")


def lines(first: int, last: int) -> str:
    return "\n".join(f"line {n}" for n in range(first, last + 1))


@pytest.mark.requirement("R123", "R124", "R125", "R126")
def test_up_to_a_hundred_lines_are_kept_whole_and_of_more_the_first_and_last_fifty(agents: Client) -> None:
    print_lines = "for n in range(1, {} + 1): print('line', n, file=sys.stderr)"
    assert stderr_of(agents, "pass") is None
    assert stderr_of(agents, print_lines.format(100)) == {
        "head": lines(1, 100),
        "truncated": False,
        "total_lines": 100,
    }
    assert stderr_of(agents, print_lines.format(101)) == {
        "head": lines(1, 50),
        "tail": lines(52, 101),
        "truncated": True,
        "total_lines": 101,
    }


@pytest.mark.requirement("R125", "R126")
def test_how_many_lines_are_kept_can_be_set(impatient: Client) -> None:
    whole = stderr_of(impatient, "print(*range(5), sep='\\n', file=sys.stderr)")
    assert whole == {"head": "0\n1\n2\n3\n4", "truncated": False, "total_lines": 5}
    cut = stderr_of(impatient, "print(*range(6), sep='\\n', file=sys.stderr)")
    assert cut == {"head": "0\n1", "tail": "3\n4\n5", "truncated": True, "total_lines": 6}


@pytest.mark.requirement("R127")
def test_long_lines_are_cut_and_bad_utf_8_is_replaced(agents: Client) -> None:
    task = (
        "sys.stderr.buffer.write(b'x' * 500 + b'\\n' + b'y' * 501 + b'\\n' + b'bad \\xff\\xc3 bytes\\n')\n"
        "sys.stderr.buffer.write(b'z' * 3_000_000 + b'\\n' + b'no line break at the end')"
    )
    stderr = stderr_of(agents, task)
    assert stderr is not None
    assert stderr["head"].split("\n") == [
        "x" * 500,
        "y" * 500 + "...",
        "bad \ufffd\ufffd bytes",
        "z" * 500 + "...",
        "no line break at the end",
    ]
    assert stderr["total_lines"] == 5


@pytest.mark.requirement("R133")
def test_secrets_are_removed_from_what_leaves_the_server(agents: Client) -> None:
    shapes = ["sk-ant-" + "a1B2" * 8, "ghp_" + "a1B2" * 9, "AKIA" + "ABCD1234" * 2]
    task = (
        f"print('the key is', os.environ['DEMO_API_KEY'], {shapes!r}, 'Bearer abcdef123456', file=sys.stderr)\n"
        "print('postgres://me:hunter22@db/x', file=sys.stderr)"
    )
    session_id = agents.run_task(f"{task}\nsys.stderr.flush(); os._exit(1)", agent="scripted")
    end = agents.end_of(session_id)
    head = end["data"]["termination_info"]["stderr"]["head"]
    assert head.startswith("the key is [secret] ")
    for secret in (SECRET, *shapes, "abcdef123456", "hunter22"):
        assert secret not in str(end["data"])
        assert secret not in agents.get(f"/sessions/{session_id}").json()["termination_info"]["stderr"]["head"]


@pytest.mark.requirement("R116")
def test_stderr_is_shown_for_errors_only(agents: Client, tmp_path: Path) -> None:
    noise = "print('noise', file=sys.stderr, flush=True)"
    done = agents.run_task(noise, agent="scripted")
    hanging = agents.run_task(f"{noise}; say('x'); time.sleep(600)", agent="scripted")
    agents.until(hanging, "message")
    agents.post(f"/sessions/{hanging}/cancel")
    assert "stderr" not in agents.end_of(done)["data"]["termination_info"]
    assert "stderr" not in agents.end_of(hanging)["data"]["termination_info"]
    late = run_that_times_out(agents, tmp_path, noise)[-1]["data"]
    assert (late["stop_reason"], late["termination_info"]["stderr"]["head"]) == ("timeout", "noise")


@pytest.mark.requirement("R122")
def test_two_hundred_megabytes_of_stderr_neither_hold_up_the_agent_nor_fill_the_keepers_memory(
    agents: Client, agents_server: Server, tmp_path: Path
) -> None:
    task = (
        "block = (b'.' * 999 + b'\\n') * 1000\n"
        "for _ in range(200): sys.stderr.buffer.write(block)\n"
        "sys.stderr.buffer.write(b'the last line'); sys.stderr.buffer.flush(); say('written'); until('go'); os._exit(3)"
    )
    session_id = agents.run_task(task, agent="scripted", workspace=str(tmp_path))
    agents.until(session_id, "message")
    note = eventually(lambda: note_of(agents_server, session_id))
    assert isinstance(note, dict)
    peak_kb = int(Path(f"/proc/{note['pid']}/status").read_text().partition("VmHWM:")[2].split()[0])
    assert peak_kb < 64 * 1024
    (tmp_path / "go").touch()
    stderr = agents.end_of(session_id)["data"]["termination_info"]["stderr"]
    assert stderr["total_lines"] == 200_001
    assert stderr["tail"].endswith("\nthe last line")
