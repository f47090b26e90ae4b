"""The Python client says what the server says: the same events, fields, settings and codes."""

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

from holdfast import errors
from holdfast.agents import inquiry
from holdfast.client import Refused, address, events, orders, records
from holdfast.client.errors import refused_by
from holdfast.ends import AgentComplete, Cancelled, Error
from holdfast.errors import ConfigError, HoldfastError
from holdfast.events import TYPES
from holdfast.http import choices, login, meta, requests
from holdfast.http import sessions as answers
from holdfast.sessions import agents, auth_health, files, folders, permissions, projects, record
from holdfast.sessions.orders import RunConfig
from holdfast.state import ForkedFrom
from holdfast.waiting import WaitingOn

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (records.Record, record.Record),
        (records.WaitingOn, WaitingOn),
        (records.ForkedFrom, ForkedFrom),
        (records.Started, answers.Started),
        (records.SessionPage, answers.SessionList),
        (records.Waiting, permissions.Waiting),
        (records.AgentInfo, agents.AgentInfo),
        (records.AgentCapabilities, inquiry.AgentCapabilities),
        (records.AgentModel, inquiry.AgentModel),
        (records.AgentAccount, inquiry.AgentAccount),
        (records.AuthMethod, inquiry.AuthMethod),
        (records.AuthStatus, auth_health.AuthStatus),
        (records.Health, meta.Health),
        (records.ProfileInfo, choices.ProfileInfo),
        (records.Project, projects.Project),
        (records.FolderList, folders.FolderList),
        (records.FileList, files.FileList),
        (records.ChangedFile, files.ChangedFile),
        (records.Me, login.Me),
    ],
    ids=lambda kind: kind.__name__,
)
def test_an_answer_has_the_fields_that_the_server_gives_it(
    ours: type[msgspec.Struct], theirs: type[msgspec.Struct]
) -> None:
    assert set(ours.__struct_fields__) == set(theirs.__struct_fields__)
    needed = {field.name for field in msgspec.structs.fields(ours) if field.required}
    assert needed <= {field.name for field in msgspec.structs.fields(theirs) if field.required}


def test_an_end_has_all_that_terminal_events_say() -> None:
    said = {name for kind in (AgentComplete, Error, Cancelled) for name in kind.__struct_fields__}
    assert set(events.End.__struct_fields__) == said | {"type", "sequence", "timestamp"}


def test_every_event_is_narrowed_by_its_type() -> None:
    source = Path(events.__file__).read_text()
    known = dict(re.findall(r'Envelope\[Literal\["(\w+)"\], kinds\.(\w+)\]', source))
    assert known == {name: kind.__name__ for name, kind in TYPES.items()}


def test_a_run_can_be_told_all_that_the_server_takes() -> None:
    assert set(get_type_hints(orders.RunConfig)) == set(RunConfig.__struct_fields__)
    assert set(get_args(orders.Decision)) == set(get_args(get_args(get_type_hints(requests.AnswerBody)["decision"])[0]))


def test_every_code_of_the_protocol_is_its_class() -> None:
    table = (ROOT / "PROTOCOL.md").read_text().partition("## 2. Errors")[2].partition("\n## ")[0]
    codes = [(code, int(status)) for code, status in re.findall(r"^\| `(\w+)` \| (\d+) \|", table, re.MULTILINE)]
    assert len(codes) > 20
    kinds = {
        kind.code: kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)
    }
    for code, status in codes:
        refused = refused_by({"code": code, "status": status, "title": "T", "detail": "D"})
        assert isinstance(refused, Refused)
        assert isinstance(refused, kinds[code])
        assert (refused.code, refused.status, refused.title, str(refused)) == (code, status, "T", "D")


def test_a_code_of_a_later_version_is_a_refusal_with_that_code() -> None:
    refused = refused_by({"code": "too_late", "status": 418, "title": "T"})
    assert type(refused) is Refused
    assert (refused.code, refused.status, refused.detail) == ("too_late", 418, "T")
    assert HoldfastError.code == "internal", "the tree itself is as it was"


def test_importing_it_brings_neither_server_nor_database() -> None:
    code = (
        "import sys, holdfast.client, holdfast.client.sync\n"
        "heavy = {'sqlalchemy', 'alembic', 'starlette', 'fastapi', 'uvicorn', 'uvloop', 'typer', 'structlog'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_this_machines_token_is_found_and_does_not_go_to_another_machine(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret\n")
    environ = {"HOLDFAST_DATA": str(tmp_path), "HOLDFAST_PORT": "4999"}
    here = address.locate(None, None, environ)
    assert (here.url, here.token) == ("http://127.0.0.1:4999", "secret")
    assert address.locate("http://127.0.0.1:1/", None, environ).token == "secret"
    assert address.locate("http://holdfast.example", None, environ).token is None
    given = address.locate(None, None, environ | {"HOLDFAST_URL": "http://there:1", "HOLDFAST_TOKEN": "other"})
    assert (given.url, given.token) == ("http://there:1", "other")
    assert "secret" not in repr(here)


@pytest.mark.parametrize("url", ["localhost:4653", "ftp://x", "http://", "nonsense"])
def test_an_address_that_is_none_is_a_wrong_setting_also_with_a_token(url: str) -> None:
    from holdfast.client import Holdfast

    with pytest.raises(ConfigError, match="URL"):
        Holdfast(url, "t")
