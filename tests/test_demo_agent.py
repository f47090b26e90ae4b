"""The demo agent as a client sees it: the real process over pipes, every message checked against the ACP models."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from acp import schema

import holdfast

WAIT = 20.0  # bounds every wait; nothing here takes so long unless it is broken
SILENCE = 0.4  # how long we listen for an answer that must not come
MARK = "HOLDFAST_DEMO_TEST"

RESULTS = {
    "initialize": schema.InitializeResponse,
    "session/new": schema.NewSessionResponse,
    "session/load": schema.LoadSessionResponse,
    "session/resume": schema.ResumeSessionResponse,
    "session/list": schema.ListSessionsResponse,
    "session/prompt": schema.PromptResponse,
}


def check(model, value):
    """Valid, and nothing in it that the model does not know: models drop unknown fields in silence."""
    parsed = model.model_validate(value)
    assert parsed.model_dump(mode="json", by_alias=True, exclude_unset=True) == value


class Client:
    def __init__(self, mark, state, stderr):
        self.mark = mark
        source = str(Path(holdfast.__file__).parents[1])
        self.stderr = stderr
        with stderr.open("ab") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "holdfast.demo"],
                env={
                    **os.environ,
                    "PYTHONPATH": source,
                    "HOLDFAST_DEMO_STATE": str(state),
                    MARK: mark,
                },
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                bufsize=0,
            )
        self.pid = self.process.pid
        self.methods = {}
        self.partial = b""
        self.lines = []
        self.heard = []  # every valid message so far
        self.arrived = []  # and when it came

    # the wire

    def send_line(self, line):
        self.process.stdin.write(line + b"\n")

    def send(self, message):
        self.send_line(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def request(self, method, **params):
        number = len(self.methods) + 1
        self.methods[number] = method
        self.send({"id": number, "method": method, "params": params})
        return number

    def line(self, within=WAIT):
        """The next line, b"" at the end of stdout, None if nothing came."""
        deadline = time.monotonic() + within
        while not self.lines:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self.process.stdout], [], [], left)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return b""
            *self.lines, self.partial = (self.partial + data).split(b"\n")
        return self.lines.pop(0) + b"\n"

    def message(self, within=WAIT):
        line = self.line(within)
        assert line, f"no message within {within} s: {line!r}, stderr {self.stderr.read_text()[-2000:]}"
        message = json.loads(line)
        self.check(message)
        self.heard.append(message)
        self.arrived.append(time.monotonic())
        return message

    def check(self, message):
        assert message.pop("jsonrpc") == "2.0"
        if "method" not in message:
            assert message.keys() in ({"id", "result"}, {"id", "error"})
            if "result" in message:
                check(RESULTS[self.methods[message["id"]]], message["result"])
            else:
                check(schema.Error, message["error"])
        elif message["method"] == "session/update":
            assert message.keys() == {"method", "params"}
            check(schema.SessionNotification, message["params"])
        else:
            assert message["method"] == "session/request_permission"
            assert message.keys() == {"id", "method", "params"}
            check(schema.RequestPermissionRequest, message["params"])

    # conversations

    def until(self, wanted):
        """Messages up to the first that is wanted, that one included."""
        begin = len(self.heard)
        while not wanted(self.message()):
            pass
        return self.heard[begin:]

    def response(self, number):
        return self.until(lambda message: "method" not in message and message["id"] == number)

    def call(self, method, **params):
        return self.response(self.request(method, **params))[-1]

    def open(self, cwd):
        self.cwd = str(cwd)
        assert "result" in self.call("initialize", protocolVersion=1, clientCapabilities={})
        self.session = self.call("session/new", cwd=self.cwd, mcpServers=[])["result"]["sessionId"]
        return self

    def prompt(self, text):
        blocks = [{"type": "text", "text": text}]
        return self.request("session/prompt", sessionId=self.session, prompt=blocks)

    def turn(self, text):
        """The updates of a whole turn, and its response."""
        *updates, response = self.response(self.prompt(text))
        return [update["params"]["update"] for update in updates], response

    def cancel(self):
        self.send({"method": "session/cancel", "params": {"sessionId": self.session}})

    def answer(self, request, outcome):
        self.send({"id": request["id"], "result": {"outcome": outcome}})

    # the process

    def exit_code(self):
        return self.process.wait(WAIT)

    def family(self):
        """The processes of this test that are alive, found as Holdfast finds them: by their environment."""
        found = []
        for folder in Path("/proc").iterdir():
            try:
                entries = (folder / "environ").read_bytes().split(b"\0") if folder.name.isdigit() else []
                alive = entries and (folder / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
            except OSError:
                continue  # it ended while we looked
            if alive and f"{MARK}={self.mark}".encode() in entries:
                found.append(int(folder.name))
        return found

    def end(self):
        for pid in self.family():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(WAIT)
        self.process.stdin.close()
        self.process.stdout.close()
        deadline = time.monotonic() + WAIT
        while self.family():
            assert time.monotonic() < deadline


@pytest.fixture
def start(tmp_path):
    """Starts agents that share their stored sessions."""
    clients = []

    def start():
        folder = tmp_path / f"agent-{len(clients)}"
        folder.mkdir()
        clients.append(Client(str(uuid.uuid4()), tmp_path / "state", folder / "stderr"))
        return clients[-1]

    yield start
    for client in clients:
        client.end()


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def agent(start, workspace):
    return start().open(workspace)


def text_of(updates, kind="agent_message_chunk"):
    return "".join(update["content"]["text"] for update in updates if update["sessionUpdate"] == kind)


def of_kind(updates, kind):
    return [update for update in updates if update["sessionUpdate"] == kind]


def is_update(kind):
    return lambda message: (
        message.get("method") == "session/update" and message["params"]["update"]["sessionUpdate"] == kind
    )


def is_permission(message):
    return message.get("method") == "session/request_permission"


END_TURN = {"stopReason": "end_turn"}
CANCELLED = {"stopReason": "cancelled"}


# starting and stopping


def test_it_introduces_itself(start):
    result = start().call("initialize", protocolVersion=1, clientCapabilities={})["result"]
    assert result["protocolVersion"] == 1
    assert result["agentInfo"]["name"] == "holdfast-demo"
    assert result["agentInfo"]["version"] == holdfast.__version__
    assert result["agentCapabilities"]["loadSession"] is True
    assert result["agentCapabilities"]["sessionCapabilities"] == {"resume": {}, "list": {}}


def test_it_starts_without_the_slow_parts_of_the_standard_library():
    source = str(Path(holdfast.__file__).parents[1])
    program = f"import sys; sys.path.insert(0, {source!r}); import holdfast.demo.__main__; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, check=True, timeout=WAIT, text=True
    )
    loaded = set(done.stdout.split())
    assert "holdfast.demo.show" in loaded
    assert not loaded & {"typing", "dataclasses", "pathlib", "asyncio", "threading", "subprocess", "logging"}
    assert {name for name in loaded if name.startswith("holdfast.")} == {
        name for name in loaded if name.startswith("holdfast.demo")
    }


def test_the_end_of_its_stdin_ends_it_with_code_0(agent):
    agent.process.stdin.close()
    assert agent.exit_code() == 0


@pytest.mark.parametrize("prompt", ["slow 600", "ask", "hang", "slow 600 flood 10"])
def test_the_end_of_its_stdin_ends_it_in_the_middle_of_a_turn_too(agent, prompt):
    agent.prompt(prompt)
    agent.process.stdin.close()
    assert agent.exit_code() == 0
    assert agent.stderr.read_text() == ""


def test_it_ends_quietly_when_nobody_reads_its_stdout_any_more(agent):
    agent.prompt("flood 10000000")
    agent.process.stdout.close()
    assert agent.exit_code() == 0
    assert agent.stderr.read_text() == ""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_ends_it_without_a_traceback(agent, name):
    os.kill(agent.pid, signal.Signals[name])
    assert agent.exit_code() == -signal.Signals[name]
    assert agent.stderr.read_text() == ""


# requests that cannot be served


def test_a_workspace_that_is_missing_or_relative_is_refused(start, workspace):
    agent = start()
    for cwd in (str(workspace / "missing"), ".", "", "/nul\0", "/\ud800", 5, None):
        assert agent.call("session/new", cwd=cwd, mcpServers=[])["error"]["code"] == -32602
    assert agent.call("session/new")["error"]["code"] == -32602


@pytest.mark.parametrize("unknown", ["demo-0123456789abcdef", "../state", "", "demo-../x", "demo-\ud800"])
def test_an_unknown_session_is_not_found(agent, workspace, unknown):
    for method in ("session/load", "session/resume"):
        answer = agent.call(method, sessionId=unknown, cwd=str(workspace), mcpServers=[])
        assert answer["error"]["code"] == -32002
    assert agent.call("session/prompt", sessionId=unknown, prompt=[])["error"]["code"] == -32002


def test_what_is_no_request_is_answered_with_its_error_and_the_agent_goes_on(agent):
    wanted = {
        b"{": -32700,
        b"\xff\xfe": -32700,
        b"[" * 100_000: -32700,
        b"[]": -32600,
        b"5": -32600,
        b"{}": -32600,
    }
    for line, code in wanted.items():
        agent.send_line(line)
        answer = agent.message()
        assert (answer["id"], answer["error"]["code"]) == (None, code)
    assert agent.call("session/dance")["error"]["code"] == -32601
    assert agent.call("_ext/dance")["error"]["code"] == -32601
    assert agent.turn("flood 3")[1]["result"] == END_TURN


def test_params_of_the_wrong_shape_are_refused(agent):
    agent.methods[99] = "session/prompt"
    agent.send({"id": 99, "method": "session/prompt", "params": [1]})
    assert agent.message()["error"]["code"] == -32602
    for blocks in (None, "text", [5], [{"type": "text"}], [{"text": "x"}], [{"type": "resource", "resource": 1}]):
        answer = agent.call("session/prompt", sessionId=agent.session, prompt=blocks)
        assert answer["error"]["code"] == -32602


def test_notifications_and_answers_that_nobody_waits_for_are_not_answered(agent):
    agent.send({"method": "demo/unheard_of", "params": {}})
    agent.send({"method": "session/cancel", "params": {"sessionId": "nobody"}})
    agent.send({"id": 12345, "result": {}})
    agent.send({"id": ["odd"], "error": {"code": 1, "message": "x"}})
    agent.send_line(b"")
    number = agent.request("session/list")
    assert agent.message()["id"] == number


def test_a_second_prompt_is_refused_while_one_is_worked_on(agent):
    first = agent.prompt("ask")
    agent.until(is_permission)
    refused = agent.call("session/prompt", sessionId=agent.session, prompt=[{"type": "text", "text": "x"}])
    assert refused["error"]["code"] == -32600
    agent.cancel()
    assert agent.response(first)[-1]["result"] == CANCELLED


def test_a_prompt_of_three_megabytes_is_read(agent):
    assert agent.turn("flood 2 " + "x" * 3_000_000)[1]["result"] == END_TURN


# the usual show


def test_a_plain_prompt_shows_thought_plan_text_and_real_tool_calls(agent, workspace):
    begin = time.monotonic()
    updates, response = agent.turn("Tidy up the \ud83d\ude80 parser")
    assert 1.0 < time.monotonic() - begin < WAIT
    assert response["result"] == END_TURN
    assert len(of_kind(updates, "agent_thought_chunk")) > 3
    assert len(of_kind(updates, "agent_message_chunk")) > 20
    assert all(update["messageId"] for update in updates if update["sessionUpdate"].endswith("_chunk"))
    assert updates[-1]["sessionUpdate"] == "agent_message_chunk"

    states = [[entry["status"] for entry in plan["entries"]] for plan in of_kind(updates, "plan")]
    assert states == [
        ["pending", "pending", "pending"],
        ["in_progress", "pending", "pending"],
        ["completed", "in_progress", "pending"],
        ["completed", "completed", "in_progress"],
        ["completed", "completed", "completed"],
    ]

    calls, ends = of_kind(updates, "tool_call"), of_kind(updates, "tool_call_update")
    assert [call["kind"] for call in calls] == ["edit", "read", "execute"]
    assert [call["toolCallId"] for call in calls] == [end["toolCallId"] for end in ends]
    assert {end["status"] for end in ends} == {"completed"}
    assert all("rawInput" in call for call in calls)
    assert all("rawOutput" in end for end in ends)

    note = workspace / "holdfast-demo.md"
    assert "Tidy up the 🚀 parser" in note.read_text()
    for diff in (calls[0]["content"][0], ends[0]["content"][0]):
        assert diff == {"type": "diff", "path": str(note), "oldText": None, "newText": note.read_text()}
    assert ends[1]["content"][0]["content"]["text"] == note.read_text()
    assert "holdfast-demo.md" in ends[2]["content"][0]["content"]["text"]
    assert calls[2]["rawInput"]["command"] == "ls -la"
    assert ends[2]["rawOutput"]["exitCode"] == 0

    answer = text_of(updates)
    assert "> Tidy up the 🚀 parser" in answer
    assert "wrote `holdfast-demo.md`" in answer
    assert "earlier task" not in answer


def test_the_next_task_of_a_session_edits_its_own_note(agent, workspace):
    agent.turn("slow 0.1 one")
    before = (workspace / "holdfast-demo.md").read_text()
    updates, _ = agent.turn("slow 0.1 two")
    assert [path.name for path in workspace.iterdir()] == ["holdfast-demo.md"]
    assert of_kind(updates, "tool_call")[0]["content"][0]["oldText"] == before
    assert (workspace / "holdfast-demo.md").read_text().startswith(before)
    assert "I remember 1 earlier task of this session; the last one was “slow 0.1 one”" in text_of(updates)


def test_it_never_writes_over_what_it_did_not_write(agent, workspace):
    (workspace / "holdfast-demo.md").write_text("mine")
    (workspace / "holdfast-demo-2.md").symlink_to(workspace / "nowhere")
    agent.turn("slow 0.1")
    assert (workspace / "holdfast-demo-3.md").exists()
    (workspace / "holdfast-demo-3.md").write_text("changed by the user")
    agent.turn("slow 0.1")
    assert (workspace / "holdfast-demo.md").read_text() == "mine"
    assert not (workspace / "nowhere").exists()
    assert (workspace / "holdfast-demo-3.md").read_text() == "changed by the user"
    assert (workspace / "holdfast-demo-4.md").exists()


def test_it_does_not_write_over_what_appears_or_changes_while_it_works(agent, workspace):
    note = workspace / "holdfast-demo.md"
    for text in ("appeared", "changed"):
        number = agent.prompt("slow 3")
        agent.until(is_update("agent_thought_chunk"))
        note.write_text(text)
        end = agent.until(is_update("tool_call_update"))[-1]["params"]["update"]
        assert end["status"] == "failed"
        assert note.read_text() == text
        agent.cancel()
        agent.response(number)
        note.unlink()
        agent.turn("slow 0.1")  # so that in the second round the file is the session's own


def test_a_tool_call_that_cannot_work_fails_and_the_turn_goes_on(agent, workspace):
    workspace.rmdir()
    updates, response = agent.turn("slow 0.1")
    assert response["result"] == END_TURN
    assert {end["status"] for end in of_kind(updates, "tool_call_update")} == {"failed"}
    assert "could not write" in text_of(updates)


@pytest.mark.parametrize(
    "prompt", ["", "   ", "a" * 10_000, "\ud800 lone", "line\nline\r\n> *x*", "日本語のプロンプト"]
)
def test_any_text_can_be_a_prompt(agent, prompt):
    assert agent.turn(prompt + " slow 0.1")[1]["result"] == END_TURN


# cancelling


@pytest.mark.parametrize(
    ("prompt", "moment"),
    [
        ("a plain task, but slow 60", is_update("agent_thought_chunk")),
        ("flood 2000 slow 600", is_update("agent_message_chunk")),
        ("tools 2000 slow 600", is_update("tool_call")),
        ("flood 10000000", is_update("agent_message_chunk")),
        ("ask", is_permission),
    ],
)
def test_a_cancel_ends_the_turn_at_once_and_the_next_prompt_works(agent, prompt, moment):
    number = agent.prompt(prompt)
    agent.until(moment)
    agent.cancel()
    assert agent.response(number)[-1]["result"] == CANCELLED
    assert agent.turn("flood 3")[1]["result"] == END_TURN


def test_a_cancel_right_behind_its_prompt_is_noticed(agent):
    number = 99
    agent.methods[number] = "session/prompt"
    params = {"sessionId": agent.session, "prompt": [{"type": "text", "text": "slow 600"}]}
    lines = [
        {"jsonrpc": "2.0", "id": number, "method": "session/prompt", "params": params},
        {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": agent.session}},
    ]
    agent.send_line(b"\n".join(json.dumps(line).encode() for line in lines))
    assert agent.response(number)[-1]["result"] == CANCELLED


def test_a_cancelled_turn_leaves_no_tool_call_at_work(agent):
    number = agent.prompt("ask")
    agent.until(is_permission)
    agent.cancel()
    end, response = agent.response(number)
    assert end["params"]["update"]["status"] == "failed"
    assert response["result"] == CANCELLED


def test_a_cancel_for_another_session_is_not_ours(agent, workspace):
    other = agent.call("session/new", cwd=str(workspace), mcpServers=[])["result"]["sessionId"]
    number = agent.prompt("slow 0.5 flood 5")
    agent.send({"method": "session/cancel", "params": {"sessionId": other}})
    assert agent.response(number)[-1]["result"] == END_TURN


# sessions that outlive the process


def test_load_replays_the_history_before_its_answer_in_a_new_process(agent, start, workspace):
    first, _ = agent.turn("slow 0.1 one")
    second, _ = agent.turn("flood 3 tools 2 two")
    agent.process.kill()

    later = start()
    *replayed, answer = later.response(
        later.request("session/load", sessionId=agent.session, cwd=str(workspace), mcpServers=[])
    )
    assert answer["result"] == {}
    replay = [message["params"]["update"] for message in replayed]
    assert text_of(replay, "user_message_chunk") == "slow 0.1 oneflood 3 tools 2 two"
    assert text_of(replay, "agent_thought_chunk") == text_of(first, "agent_thought_chunk")
    assert text_of(replay) == text_of(first) + text_of(second)
    ids = [call["toolCallId"] for call in of_kind(first + second, "tool_call")]
    assert [call["toolCallId"] for call in of_kind(replay, "tool_call")] == ids
    assert of_kind(replay, "plan") == of_kind(first, "plan")[-1:]
    assert [update["sessionUpdate"] for update in replay].index("user_message_chunk") == 0

    later.session = agent.session
    updates, _ = later.turn("slow 0.1 three")
    assert "I remember 2 earlier tasks" in text_of(updates)
    assert not set(ids) & {call["toolCallId"] for call in of_kind(updates, "tool_call")}


def test_resume_does_not_replay_and_remembers_all_the_same(agent, start, workspace):
    agent.turn("slow 0.1 one")
    agent.process.kill()
    later = start()
    number = later.request("session/resume", sessionId=agent.session, cwd=str(workspace), mcpServers=[])
    assert later.message() == {"id": number, "result": {}}
    later.session = agent.session
    assert "I remember 1 earlier task " in text_of(later.turn("slow 0.1 two")[0])


def test_a_task_that_crashed_is_remembered_but_not_what_it_said(agent, start, workspace):
    agent.prompt("flood 5 crash")
    assert agent.exit_code() == 1
    later = start()
    *replayed, _ = later.response(later.request("session/load", sessionId=agent.session, cwd=str(workspace)))
    assert [message["params"]["update"]["content"]["text"] for message in replayed] == ["flood 5 crash"]


def test_half_a_line_that_a_kill_left_behind_is_cut_off(agent, start, workspace, tmp_path):
    agent.turn("flood 1")
    agent.process.kill()
    [file] = (tmp_path / "state").iterdir()
    with file.open("ab") as stored:
        stored.write(b'{"sessionUpdate":"agent_mess')
    later = start()
    later.session = agent.session
    for tasks in (1, 2):
        *replayed, answer = later.response(later.request("session/load", sessionId=agent.session, cwd=str(workspace)))
        assert answer["result"] == {}
        updates = [message["params"]["update"] for message in replayed]
        assert len(of_kind(updates, "user_message_chunk")) == tasks
        later.turn("flood 1")


def test_the_history_of_a_flood_is_bounded(agent, workspace):
    agent.turn("tools 3000 flood 10")
    *replayed, _ = agent.response(agent.request("session/load", sessionId=agent.session, cwd=str(workspace)))
    assert len(replayed) <= 1001
    agent.turn("flood 100000")
    *replayed, _ = agent.response(agent.request("session/load", sessionId=agent.session, cwd=str(workspace)))
    text = text_of([message["params"]["update"] for message in replayed])
    assert text.startswith("word-1 word-2 ")
    assert len(text) == 1024 * 1024


def test_a_session_that_cannot_be_stored_is_an_error_and_not_the_end(agent, tmp_path):
    for file in (tmp_path / "state").iterdir():
        file.unlink()
    (tmp_path / "state").rmdir()
    for _ in range(2):
        assert agent.call("session/prompt", sessionId=agent.session, prompt=[])["error"]["code"] == -32603
    (tmp_path / "state").write_text("no folder")
    assert agent.call("session/new", cwd=agent.cwd, mcpServers=[])["error"]["code"] == -32603


def test_list_tells_of_the_stored_sessions(agent, start, workspace, tmp_path):
    agent.turn("flood 1")
    (tmp_path / "state" / "foreign.jsonl").write_text("x")
    later = start()
    [info] = later.call("session/list")["result"]["sessions"]
    assert info["sessionId"] == agent.session
    assert info["cwd"] == str(workspace)
    assert info["title"] == "flood 1"
    assert later.call("session/list", cwd="/elsewhere")["result"]["sessions"] == []


def test_sessions_go_where_xdg_wants_them_unless_told_otherwise():
    from holdfast.demo.store import state_folder

    assert state_folder({"HOLDFAST_DEMO_STATE": "/a", "XDG_STATE_HOME": "/b"}) == "/a"
    assert state_folder({"XDG_STATE_HOME": "/b"}) == "/b/holdfast-demo"
    assert state_folder({"XDG_STATE_HOME": "b"}) == os.path.expanduser("~/.local/state/holdfast-demo")


# the words


@pytest.mark.parametrize(
    ("prompt", "wanted", "seconds"),
    [
        ("Crash", ["crash 1"], None),
        ("crash 0 CRASH 999", ["crash 0", "crash 255"], None),
        ("stderr flood tools", ["stderr 10", "flood 1000", "tools 100"], None),
        ("flood 0 tools 99999999999", ["flood 1", "tools 10000000"], None),
        ("flood " + "9" * 6000, ["flood 10000000"], None),
        ("please ask, then hang.", ["ask", "hang"], None),
        ("slow flood 5", ["flood 5"], 10),
        ("tools 2 slow 99999", ["tools 2"], 3600),
        ("slow 0.5", [], 0.5),
        ("flood -5", ["flood 1000"], None),
        ("flood\n7.", ["flood 7"], None),
        ("crash SIGNIFICANT", ["crash 1"], None),
        ("crashed src/crash crash.py crash-test task asks slowly _hang", [], None),
    ],
)
def test_words_are_read_with_their_numbers(prompt, wanted, seconds):
    from holdfast.demo.words import read

    acts, slow = read(prompt)
    assert ([str(act) for act in acts], slow) == (wanted, seconds)


@pytest.mark.parametrize(("prompt", "code"), [("crash", 1), ("crash 3", 3), ("crash 0", 0), ("crash 255", 255)])
def test_crash_exits_with_its_code_and_a_traceback(agent, prompt, code):
    agent.prompt(prompt)
    assert agent.exit_code() == code
    assert agent.stderr.read_text().startswith("Traceback (most recent call last):\n")
    assert agent.line() == b""


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSEGV", "SIGINT", "SIGTERM", "SIGPIPE", "sigabrt"])
def test_crash_with_a_signal_dies_of_it(agent, workspace, name):
    agent.prompt(f"stubborn crash {name}")
    assert agent.exit_code() == -signal.Signals[name.upper()]
    assert list(workspace.iterdir()) == []


def test_crash_with_a_signal_that_does_not_kill_ends_all_the_same(agent):
    agent.prompt("crash SIGWINCH")
    assert agent.exit_code() == 128 + signal.SIGWINCH


def test_stderr_writes_numbered_lines(agent):
    updates, response = agent.turn("stderr 25000")
    assert response["result"] == END_TURN
    assert agent.stderr.read_text() == "".join(f"line {n}\n" for n in range(1, 25001))
    assert len(updates) == 1


def test_a_flood_is_whole_and_in_order(agent):
    updates, response = agent.turn("flood 5000")
    assert response["result"] == END_TURN
    *flood, final = updates
    assert [update["content"]["text"] for update in flood] == [f"word-{n} " for n in range(1, 5001)]
    assert len({update["messageId"] for update in flood}) == 1
    assert final["messageId"] != flood[0]["messageId"]
    assert final["content"]["text"] == "Done: `flood 5000`."


def test_tool_calls_that_do_nothing_have_distinct_ids_and_are_completed(agent):
    updates, response = agent.turn("tools 1000 tools 500")
    assert response["result"] == END_TURN
    more, _ = agent.turn("tools 10")
    calls = of_kind(updates + more, "tool_call")
    ends = of_kind(updates + more, "tool_call_update")
    ids = [call["toolCallId"] for call in calls]
    assert len(set(ids)) == 1510
    assert [end["toolCallId"] for end in ends] == ids
    assert {end["status"] for end in ends} == {"completed"}
    kinds = [update["sessionUpdate"] for update in updates[:4]]
    assert kinds == ["tool_call", "tool_call_update"] * 2


@pytest.mark.parametrize("prompt", ["slow 1 flood 10 tools 10", "flood 10 tools 10 slow 1"])
def test_slow_spreads_the_work_evenly_over_its_seconds(agent, prompt):
    number = agent.prompt(prompt)
    sent = time.monotonic()
    *messages, response = agent.response(number)
    assert response["result"] == END_TURN
    times = agent.arrived[-len(messages) - 1 :]
    for step, moment in enumerate(times[:10], 1):  # the deltas; none comes before its time
        assert moment - sent > step / 20 - 0.02
    for step, moment in enumerate(times[10:30:2], 11):  # the calls
        assert moment - sent > step / 20 - 0.02
    assert times[0] - sent < times[9] - sent < times[28] - sent
    assert times[28] - times[0] > 0.5


def test_slow_delays_a_crash(agent):
    begin = time.monotonic()
    agent.prompt("slow 0.5 crash 7")
    assert agent.exit_code() == 7
    assert time.monotonic() - begin > 0.5


def test_hang_answers_nothing_and_ignores_a_cancel_but_dies_of_sigterm(agent):
    agent.prompt("flood 1 hang flood 1")
    assert agent.message()["params"]["update"]["content"]["text"] == "word-1 "
    agent.cancel()
    agent.request("session/list")
    agent.send_line(b"x" * 1_000_000)  # more than a pipe holds: it still reads
    assert agent.line(SILENCE) is None
    os.kill(agent.pid, signal.SIGTERM)
    assert agent.exit_code() == -signal.SIGTERM


def test_garbage_is_really_garbage_and_then_it_goes_on(agent):
    number = agent.prompt("flood 1 garbage flood 1")
    assert is_update("agent_message_chunk")(agent.message())
    lines = [agent.line() for _ in range(10)]
    parsed = []
    for line in lines:
        try:
            parsed.append(json.loads(line))
        except ValueError:
            parsed.append(None)
    assert b"\xff" in lines[1]
    assert parsed[0] is None
    assert parsed[1] is None
    assert parsed[2:5] == [[1, 2, 3], 42, None]
    assert lines[5].startswith(b'{"jsonrpc"')
    assert parsed[5] is None
    assert "id" not in parsed[6]
    assert parsed[7]["id"] == "garbage-1"
    assert parsed[8]["result"] == {}
    assert parsed[9]["params"]["update"]["sessionUpdate"] == "unheard_of"
    agent.send({"id": "garbage-1", "error": {"code": -32601, "message": "what?"}})
    *updates, response = agent.response(number)
    assert response["result"] == END_TURN
    assert updates[0]["params"]["update"]["content"]["text"] == "word-1 "


def asked(agent, prompt="ask"):
    number = agent.prompt(prompt)
    call, request = agent.until(is_permission)
    update = call["params"]["update"]
    assert (update["sessionUpdate"], update["kind"], update["status"]) == ("tool_call", "execute", "pending")
    assert request["params"]["toolCall"]["toolCallId"] == update["toolCallId"]
    return number, request


def option(request, kind):
    [found] = [entry for entry in request["params"]["options"] if entry["kind"] == kind]
    return {"outcome": "selected", "optionId": found["optionId"]}


def test_ask_waits_and_runs_the_command_when_it_is_allowed(agent, workspace):
    number, request = asked(agent)
    assert request["id"] == 0
    assert [entry["kind"] for entry in request["params"]["options"]] == [
        "allow_once",
        "allow_always",
        "reject_once",
    ]
    assert agent.line(SILENCE) is None
    assert list(workspace.iterdir()) == []
    agent.answer(request, option(request, "allow_once"))
    *updates, response = agent.response(number)
    states = [update["params"]["update"].get("status") for update in updates]
    assert states[:2] == ["in_progress", "completed"]
    assert (workspace / "holdfast-permission.txt").exists()
    assert response["result"] == END_TURN
    assert asked(agent)[1]["id"] == 1


def test_ask_does_not_run_what_was_rejected(agent, workspace):
    number, request = asked(agent, "ask flood 2")
    agent.answer(request, option(request, "reject_once"))
    *updates, response = agent.response(number)
    updates = [message["params"]["update"] for message in updates]
    assert updates[0]["status"] == "failed"
    assert "rejected" in text_of(updates)
    assert "word-1 word-2 " in text_of(updates)
    assert list(workspace.iterdir()) == []
    assert response["result"] == END_TURN


def test_ask_asks_no_more_once_it_is_always_allowed(agent):
    number, request = asked(agent)
    agent.answer(request, option(request, "allow_always"))
    agent.response(number)
    updates, response = agent.turn("ask")
    assert response["result"] == END_TURN
    assert of_kind(updates, "tool_call_update")[-1]["status"] == "completed"


def test_ask_ends_the_turn_when_the_question_was_cancelled(agent, workspace):
    number, request = asked(agent)
    agent.answer(request, {"outcome": "cancelled"})
    assert agent.response(number)[-1]["result"] == CANCELLED
    assert list(workspace.iterdir()) == []


def test_ask_when_stubborn_does_not_end_the_turn_of_a_cancelled_question(agent):
    _, request = asked(agent, "stubborn ask flood 1")
    agent.answer(request, {"outcome": "cancelled"})
    agent.until(lambda message: message["params"]["update"].get("content") == {"type": "text", "text": "word-1 "})
    assert agent.line(SILENCE) is None


@pytest.mark.parametrize(
    "answer",
    [{"error": {"code": -32601, "message": "no"}}, {"result": None}, {"result": {"outcome": {"outcome": "selected"}}}],
)
def test_ask_takes_a_client_that_cannot_answer_as_a_no(agent, workspace, answer):
    number, request = asked(agent)
    agent.send({"id": request["id"], **answer})
    *updates, response = agent.response(number)
    assert updates[0]["params"]["update"]["status"] == "failed"
    assert response["result"] == END_TURN
    assert list(workspace.iterdir()) == []


def status_of(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def test_orphan_leaves_one_in_its_own_session_and_one_that_holds_stdout(agent):
    _, response = agent.turn("orphan")
    assert response["result"] == END_TURN
    left = set(agent.family()) - {agent.pid}
    assert len(left) == 2
    [away] = [pid for pid in left if os.getsid(pid) != os.getsid(agent.pid)]
    [near] = left - {away}
    assert os.getpgid(near) == os.getpgid(agent.pid)
    assert int(status_of(near)["PPid"]) == agent.pid
    assert int(status_of(away)["PPid"]) != agent.pid
    ignored = int(status_of(away)["SigIgn"], 16)
    assert all(ignored >> (number - 1) & 1 for number in (signal.SIGTERM, signal.SIGHUP))
    assert os.listdir(f"/proc/{away}/fd") == []
    assert os.readlink(f"/proc/{near}/fd/1") == os.readlink(f"/proc/{agent.pid}/fd/1")

    agent.process.stdin.close()
    assert agent.exit_code() == 0
    assert agent.line(SILENCE) is None  # stdout is still held
    os.kill(away, signal.SIGTERM)
    os.kill(near, signal.SIGTERM)
    assert agent.line() == b""
    assert agent.family() == [away]


def test_stubborn_goes_on_with_the_words_and_then_only_sigkill_ends_it(agent):
    agent.prompt("stubborn slow 0.3 flood 3 stderr 2")
    agent.message()
    agent.cancel()
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        os.kill(agent.pid, signal.Signals[name])
    agent.process.stdin.close()
    texts = [agent.message()["params"]["update"]["content"]["text"] for _ in range(2)]
    assert texts == ["word-2 ", "word-3 "]
    assert agent.line(SILENCE) is None
    assert agent.stderr.read_text() == "line 1\nline 2\n"
    used = os.sysconf("SC_CLK_TCK") * 0.3
    before = processor_time(agent.pid)
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        os.kill(agent.pid, signal.Signals[name])
    assert agent.line(SILENCE) is None
    assert agent.process.poll() is None
    assert processor_time(agent.pid) - before < used  # it sleeps; the end of stdin does not make it spin
    agent.process.kill()
    assert agent.exit_code() == -signal.SIGKILL


def processor_time(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_stubborn_goes_on_when_nobody_reads_it(agent):
    agent.prompt("stubborn slow 0.5 flood 5 crash 9")
    agent.process.stdout.close()
    agent.process.stdin.close()
    assert agent.exit_code() == 9


def test_words_are_done_in_the_order_in_which_they_stand(agent):
    updates, response = agent.turn("First tools 1, then flood 1, then tools 1 again; stderr 1.")
    assert response["result"] == END_TURN
    assert [update["sessionUpdate"] for update in updates] == [
        "tool_call",
        "tool_call_update",
        "agent_message_chunk",
        "tool_call",
        "tool_call_update",
        "agent_message_chunk",
    ]
    assert text_of(updates[-1:]) == "Done: `tools 1`, `flood 1`, `tools 1`, `stderr 1`."
