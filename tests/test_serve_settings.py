"""`holdfast serve` as a user starts it: which setting counts, and what stops it from starting."""

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import Server, free_port, is_up
from tests.processes import eventually


class Serving:
    """The program with just these flags, variables and settings file; what it says goes to files."""

    def __init__(self, folder: Path, *flags: str, toml: str = "", **variables: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "holdfast.toml").write_text(toml)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "XDG_"))}
        self.said = folder / "said"
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "holdfast", "serve", *flags],
                env={**environment, "HOME": str(folder), **variables},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                cwd=folder,
            )

    def refusal(self) -> tuple[int, str]:
        """The exit code and what it said, of one that does not start."""
        return self.process.wait(60), self.said.read_text()

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(30)


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[type[Serving]]:
    started: list[Serving] = []

    class Kept(Serving):
        def __init__(self, name: str, *flags: str, toml: str = "", **variables: str) -> None:
            super().__init__(tmp_path / name, *flags, toml=toml, **variables)
            started.append(self)

    yield Kept
    for one in started:
        if one.process.poll() is None:
            one.close()


def test_a_flag_beats_the_environment_which_beats_the_file(serving: type[Serving], tmp_path: Path) -> None:
    """Three servers at the same time: with all three ways, with two, and with the file alone."""
    ports = [free_port() for _ in range(6)]

    def toml(name: str, port: int) -> str:
        return f'port = {port}\ndata = "{name}-file"\n'

    flags = ["--port", str(ports[0]), "--data", str(tmp_path / "flag")]
    variables = {"HOLDFAST_PORT": str(ports[1]), "HOLDFAST_DATA": str(tmp_path / "variable-too")}
    serving("all", *flags, toml=toml("all", ports[2]), **variables)
    variables = {"HOLDFAST_PORT": str(ports[3]), "HOLDFAST_DATA": str(tmp_path / "variable")}
    serving("two", toml=toml("two", ports[4]), **variables)
    serving("file", toml=toml("file", ports[5]))
    for port, data in (
        (ports[0], tmp_path / "flag"),
        (ports[3], tmp_path / "variable"),
        (ports[5], tmp_path / "file" / "file-file"),
    ):
        eventually(lambda port=port: is_up(port), 60, f"a server on port {port}")
        token = (data / "token").read_text().strip()
        answer = httpx.get(
            f"http://127.0.0.1:{port}/api/v1/sessions", params={"token": token}, timeout=10, verify=False
        )
        assert answer.status_code == 200
    for port in (ports[1], ports[2], ports[4]):
        assert not is_up(port)
    for weaker in ("variable-too", "all/all-file", "two/two-file"):
        assert not (tmp_path / weaker).exists()


@pytest.mark.parametrize("host", ["0.0.0.0", "agents.example"])
def test_a_public_address_without_a_token_of_ones_own_is_refused(serving: type[Serving], host: str) -> None:
    """A token that was made and lies in a file is one that nobody has thought about."""
    users = '[users.ada]\ntoken = "hers"\n'
    code, said = serving("public", "--host", host, "--port", str(free_port()), toml=users).refusal()
    assert code == 1
    assert host in said
    assert "HOLDFAST_TOKEN" in said
    assert "Traceback" not in said


def test_a_second_server_on_the_same_data_is_refused_and_told_who_is_there(
    serving: type[Serving], shared_server: Server
) -> None:
    second = serving("second", "--data", str(shared_server.data), "--port", str(free_port()))
    code, said = second.refusal()
    assert code == 1
    assert str(shared_server.pid) in said
    assert str(shared_server.data) in said
    assert "Traceback" not in said
    assert is_up(shared_server.port), "the first one goes on"


def test_a_port_in_use_is_told(serving: type[Serving]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = serving("port", "--port", str(port), "--data", "data").refusal()
    assert code == 1
    assert f"127.0.0.1:{port}" in said
    assert "in use; choose another with --port or HOLDFAST_PORT" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("toml", "variables", "named"),
    [
        ("prot = 1\n", {}, "prot"),
        ("", {"HOLDFAST_DATA": "/proc/nowhere"}, "/proc/nowhere"),
        ("", {"HOLDFAST_DATA": "/etc/passwd"}, "The data folder /etc/passwd cannot be used: it is not a folder"),
        ("", {"HOLDFAST_HOST": "nonsense.invalid"}, "The host nonsense.invalid is not known"),
        ('default_agent = "nope"\n', {}, "The setting default_agent says 'nope'; there are: "),
        ('default_profile = "nope"\n', {}, "The setting default_profile says 'nope'; there are: "),
    ],
)
def test_a_wrong_setting_is_named_and_nothing_starts(
    serving: type[Serving], toml: str, variables: dict[str, str], named: str
) -> None:
    code, said = serving("wrong", toml=toml, **variables).refusal()
    assert code != 0
    assert named in said
    assert "Errno" not in said
    assert "Traceback" not in said


def test_an_empty_data_folder_is_refused(serving: type[Serving]) -> None:
    code, said = serving("empty", "--data", "").refusal()
    assert code == 2
    assert "the flag --data" in said


def test_others_cannot_read_the_log_though_they_can_look_into_the_folder(
    serving: type[Serving], tmp_path: Path
) -> None:
    """One that was readable before is not any more; what agents make is theirs, so no umask does this."""
    data = tmp_path / "open"
    data.mkdir()
    data.chmod(0o755)
    (data / "holdfast.db").touch()
    (data / "holdfast.db").chmod(0o644)
    port = free_port()
    serving("reader", "--data", str(data), "--port", str(port))
    eventually(lambda: is_up(port), 60, "the server")
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in data.glob("holdfast.db*")}
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}


def test_what_libraries_log_looks_like_our_own_lines(serving: type[Serving], tmp_path: Path) -> None:
    port = free_port()
    server = serving("lines", "--data", str(tmp_path / "lines"), "--port", str(port), "--log-format", "json")
    eventually(lambda: is_up(port), 60, "the server")
    with socket.create_connection(("127.0.0.1", port)) as wire:
        wire.sendall(b"no http\r\n\r\n")
        wire.recv(1000)
    eventually(lambda: "Invalid HTTP request" in server.said.read_text(), 10, "the line")
    [line] = [line for line in server.said.read_text().splitlines() if "Invalid HTTP request" in line]
    assert {"level": "warning", "logger": "uvicorn.error"}.items() <= json.loads(line).items()
