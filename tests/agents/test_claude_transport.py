"""The Claude CLI as a process of ours: what it prints goes where it belongs, and its end is seen by whoever waits."""

import json

import pytest

from holdfast.agents.claude_transport import user_message
from tests.agents.alone import alone
from tests.programs import program

# Starts a program as the CLI and keeps what comes of it.
PLAY = """
from claude_agent_sdk import ClaudeAgentOptions, CLIConnectionError
from holdfast.agents.claude_transport import CliTransport

taken, unparsed, pids, control = [], [], [], []
stderr = StderrCollector(head=50, tail=50)

async def main():
    tree.become_subreaper()
    transport = CliTransport(
        ClaudeAgentOptions(cli_path=sys.argv[1]),
        cwd=sys.argv[2],
        environment={"PATH": "/usr/bin:/bin", "GIVEN": "yes"},
        stderr=stderr,
        take=taken.append,
        unparsed=unparsed.append,
        started=pids.append,
    )
    await transport.connect()
    before = transport.is_ready()
    gone = None
    try:
        async for frame in transport.read_messages():
            control.append(frame)
            if frame.get("type") == "control_request":
                await transport.write("go on\\n")
    except CLIConnectionError as error:
        gone = str(error)
    try:
        await transport.write("too late\\n")
        late = "written"
    except CLIConnectionError as error:
        late = str(error)
    process = transport.process_of_cli
    tell(
        taken=taken, unparsed=unparsed, control=control, gone=gone, late=late, ready=[before, transport.is_ready()],
        exit=str(process.exit), stderr=stderr.result().head if stderr.result() else None,
        pid_told=pids == [process.pid],
    )

asyncio.run(main())
"""


@pytest.fixture
def play(tmp_path):
    def play(source):
        return alone(PLAY, program(tmp_path / "bin", "claude", source), tmp_path)

    return play


def test_frames_of_the_conversation_are_taken_and_those_of_the_control_protocol_handed_on(play, tmp_path):
    found = play(
        r"""
        import json, os, sys, time

        def say(data):
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

        say(b'{"type":"system","subtype":"init","cwd":' + json.dumps(os.getcwd()).encode() + b'}\n')
        say(b'this is no JSON\n\n   \n[1, 2]\n"text"\n\xff\xfe\n{"type": ["odd"]}\n')
        say(rb'{"type":"user","text":"half \uD83D, whole \ud83d\ude00"}' + b"\n")
        say(b'{"type":"assis')
        time.sleep(0.05)
        say(b'tant","n":1}\n{"type":"control_request","n":2}\n')
        assert sys.stdin.readline() == "go on\n"
        say(b'{"type":"transcript_mirror","n":3}\n{"type":"result","n":4}\n')
        print(sorted(os.environ)[:1], os.environ["GIVEN"], file=sys.stderr)
        say(b'{"type":"half')
        sys.exit(7)
        """
    )
    assert [frame.get("n", frame["type"]) for frame in found["taken"]] == ["system", ["odd"], "user", 1, 4]
    # Half a character spoils nothing but itself.
    assert found["taken"][2]["text"] == "half \ufffd, whole 😀"
    assert found["taken"][0]["cwd"] == str(tmp_path)
    assert [frame["n"] for frame in found["control"]] == [2, 3, 4]
    assert found["unparsed"][:3] == ["this is no JSON", "[1, 2]", '"text"']
    assert found["unparsed"][-1] == '{"type":"half'
    assert len(found["unparsed"]) == 5
    assert (found["gone"], found["late"]) == ("the CLI is gone", "the CLI is gone")
    assert found["ready"] == [True, False]
    assert found["exit"] == "code 7"
    assert found["pid_told"] is True
    # Nothing of our own environment but what was given.
    assert found["stderr"] == "['GIVEN'] yes"


def test_whoever_waits_for_an_answer_learns_that_the_cli_was_killed(play):
    found = play(
        """
        import os, signal
        print('{"type":"assistant","n":1}', flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    assert found["taken"] == [{"type": "assistant", "n": 1}]
    assert (found["gone"], found["exit"]) == ("the CLI is gone", "signal SIGKILL")


def test_a_prompt_is_one_line_with_its_images_before_its_text():
    plain = user_message("Hello\nthere", [])
    assert plain.count("\n") == 1
    assert json.loads(plain)["message"] == {"role": "user", "content": "Hello\nthere"}
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    assert json.loads(user_message("Look", [image]))["message"]["content"] == [image, {"type": "text", "text": "Look"}]
