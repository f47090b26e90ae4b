"""What a new task can be given: profiles, projects, folders."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.policy import BUILT_IN
from tests.client import Client
from tests.conftest import Server


def test_the_profiles_are_the_built_in_ones_and_those_of_the_settings(make_server: Callable[..., Server]) -> None:
    server = make_server()
    server.config.write_text(
        'default_profile = "docs"\n'
        '[profiles.docs]\ndescription = "Writes documentation."\nallow = ["Edit(docs/**)"]\ndeny = ["Bash"]\n'
        '[profiles.careful]\nallow = ["Read"]\n'
    )
    with server.start().client() as client:
        profiles = {profile["name"]: profile for profile in client.get("/profiles").json()["profiles"]}
    assert list(profiles) == [*BUILT_IN, "docs"]
    assert profiles["docs"] == {
        "name": "docs",
        "description": "Writes documentation.",
        "default": True,
        "configured": True,
        "allow": ["Edit(docs/**)"],
        "ask": [],
        "deny": ["Bash"],
        "questions": "person",
        "fallback": "deny",
    }
    assert [name for name, profile in profiles.items() if profile["default"]] == ["docs"]
    assert profiles["careful"]["allow"] == ["Read"], "the settings' own counts"
    assert profiles["careful"]["configured"] is True
    assert profiles["standard"]["configured"] is False
    assert all(profiles[name]["description"].endswith(".") for name in BUILT_IN if name != "careful")


@pytest.mark.requirement("R053")
def test_the_projects_are_the_callers_with_the_latest_news_first(ada: Client, local: Client, tmp_path: Path) -> None:
    assert ada.get("/projects").json() == {"projects": []}
    sessions = {}
    for name in ("shop", "blog"):
        (tmp_path / name).mkdir()
        sessions[name] = ada.run_task(
            f"Work on the {name}", agent="quick", project_id=f"{name}-of-ada", workspace=str(tmp_path / name)
        )
        ada.end_of(sessions[name])
    ada.run_task("without a project", agent="quick")
    local.run_task("another's", agent="quick", project_id="not-of-ada")

    def found() -> list[str]:
        return [project["project_id"] for project in ada.get("/projects").json()["projects"]]

    assert found() == ["blog-of-ada", "shop-of-ada"]
    ada.next_task(sessions["shop"], "And again")
    ada.end_of(sessions["shop"])
    assert found() == ["shop-of-ada", "blog-of-ada"]
    project = ada.get("/projects").json()["projects"][0]
    record = ada.record(sessions["shop"])
    assert project == {
        "project_id": "shop-of-ada",
        **{name: record[name] for name in ("session_id", "status", "agent", "workspace", "task", "runs")},
        **{name: record[name] for name in ("created_at", "updated_at")},
    }
    assert (project["runs"], project["task"], project["workspace"]) == (2, "And again", str(tmp_path / "shop"))


def test_the_folders_in_a_folder_are_its_visible_ones_by_name(client: Client, tmp_path: Path) -> None:
    for name in ("beta", "Alpha", "ümlaut", ".hidden", "with space", "gamma"):
        (tmp_path / name).mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "beta")
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkdir(os.fsencode(tmp_path) + b"/\xff\xfe")
    answer = client.get("/folders", params={"path": str(tmp_path)})
    assert answer.json() == {
        "path": str(tmp_path),
        "parent": str(tmp_path.parent),
        "folders": ["Alpha", "beta", "gamma", "link", "with space", "ümlaut"],
        "truncated": False,
    }


@pytest.mark.parametrize("way", ["{}/", "{}/.", "/{}", "{}/a/..", "{}//"])
def test_a_folder_may_be_written_in_more_than_one_way(client: Client, tmp_path: Path, way: str) -> None:
    (tmp_path / "a").mkdir()
    found = client.get("/folders", params={"path": way.format(tmp_path)}).json()
    assert (found["path"], found["folders"]) == (str(tmp_path), ["a"])


def test_home_is_where_one_begins_and_the_root_has_no_parent(client: Client) -> None:
    home = client.get("/folders").json()
    assert home["path"] == str(Path.home())
    assert client.get("/folders", params={"path": "~"}).json() == home
    assert client.get("/folders", params={"path": "~/.."}).json()["path"] == str(Path.home().parent)
    root = client.get("/folders", params={"path": "/"}).json()
    assert root["path"] == "/"
    assert "parent" not in root


def test_of_very_many_folders_the_first_are_listed_and_it_says_so(client: Client, tmp_path: Path) -> None:
    for number in range(501):
        (tmp_path / f"{number:04}").mkdir()
    found = client.get("/folders", params={"path": str(tmp_path)}).json()
    assert found["folders"] == [f"{number:04}" for number in range(500)]
    assert found["truncated"] is True


@pytest.mark.parametrize(
    "path", ["", "relative", ".", "~nobody-of-this-name", "~x/y", "/no/such/folder", "/etc/hostname", "/" + "x" * 5000]
)
def test_what_is_no_folder_is_refused_by_name(client: Client, path: str) -> None:
    answer = client.get("/folders", params={"path": path})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_workspace")
    assert repr(path) in answer.json()["detail"]


def test_a_query_that_nobody_reads_is_refused(client: Client) -> None:
    for path in ("/me", "/profiles", "/projects", "/folders"):
        assert client.get(path, params={"colour": "blue"}).status_code == 400
    assert client.get("/folders", params={"path": "/a\0b"}).status_code == 400
