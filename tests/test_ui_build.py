"""How the web UI gets into the package: built if it is not current, taken as it is without npm, in wheel and sdist."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# A build of three lines; npm itself is the real one.
BUILD = """
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
const folder = 'src/holdfast/_web'
rmSync(folder, { recursive: true, force: true })
mkdirSync(`${folder}/assets`, { recursive: true })
writeFileSync(`${folder}/index.html`, readFileSync('web/index.html'))
writeFileSync(`${folder}/assets/main-abc.js`, 'let a = 1\\n'.repeat(500))
writeFileSync(`${folder}/assets/tiny-abc.js`, '1')
"""


class Tree:
    """A checkout with a web UI of one page."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.built = root / "src/holdfast/_web"
        for name in ("hatch_build.py", "pyproject.toml", "README.md", "LICENSE", ".gitignore", ".npmrc"):
            self.put(name, (ROOT / name).read_text())
        self.put("src/holdfast/__init__.py", '__version__ = "1.0"\n')
        whole = {"name": "x", "dependencies": {"a": "file:a"}}
        packages = {"": whole, "a": {}, "node_modules/a": {"resolved": "a", "link": True}}
        self.put("package.json", json.dumps({**whole, "scripts": {"build": "node web/build.mjs"}}))
        self.put("package-lock.json", json.dumps({"name": "x", "lockfileVersion": 3, "packages": packages}))
        self.put("a/package.json", '{"name": "a"}')
        self.put("web/build.mjs", BUILD)
        self.put("web/index.html", "<title>one</title>")
        self.put("clients/typescript/src/index.ts", "")

    def put(self, path: str, content: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(content)

    def run(self, *program: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PATH": os.environ["PATH"] if path is None else path}
        return subprocess.run(
            [sys.executable, *program], cwd=self.root, env=environment, capture_output=True, text=True, timeout=100
        )

    def make(self, path: str | None = None) -> str:
        done = self.run("hatch_build.py", path=path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def hatch(self, call: str, path: str | None = None) -> Path:
        """What a frontend like pip calls; answers the file that it made."""
        out = self.root.parent / "out"
        out.mkdir(exist_ok=True)
        done = self.run("-c", f"import hatchling.build as b; print('made', b.{call}({str(out)!r}))", path=path)
        assert done.returncode == 0, done.stderr
        return out / done.stdout.strip().rpartition("made ")[2]

    @property
    def page(self) -> str:
        return (self.built / "index.html").read_text()


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path / "tree")


@pytest.fixture
def no_npm(tmp_path: Path) -> str:
    """A PATH on which there is nothing."""
    (tmp_path / "empty").mkdir()
    return str(tmp_path / "empty")


def old_node(tmp_path: Path) -> str:
    folder = tmp_path / "old"
    folder.mkdir()
    for name, says in (("node", "v18.19.0"), ("npm", "9.2.0")):
        (folder / name).write_text(f"#!/bin/sh\necho {says}\n")
        (folder / name).chmod(0o755)
    return str(folder)


def names(archive: Path) -> set[str]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return set(wheel.namelist())
    with tarfile.open(archive) as sdist:
        return {name.partition("/")[2] for name in sdist.getnames()}


def test_it_is_built_once_and_again_only_when_something_of_it_changed(tree: Tree) -> None:
    tree.make()
    assert tree.page == "<title>one</title>"
    assert gzip.decompress((tree.built / "assets/main-abc.js.gz").read_bytes()) == b"let a = 1\n" * 500
    assert not (tree.built / "assets/tiny-abc.js.gz").exists(), "it would only be larger"
    made = (tree.built / "index.html").stat().st_mtime_ns

    def is_built_again() -> bool:
        nonlocal made
        tree.make()
        before, made = made, (tree.built / "index.html").stat().st_mtime_ns
        return made != before

    assert not is_built_again()
    for path in ("web/src/main.test.ts", "web/README.md", "web/node_modules/x/index.js", "src/holdfast/more.py"):
        tree.put(path, "x")
        assert not is_built_again(), path
    for path in ("web/index.html", "web/src/main.ts", "clients/typescript/src/index.ts"):
        tree.put(path, (tree.root / path).read_text() + " " if (tree.root / path).exists() else "x")
        assert is_built_again(), path
    (tree.root / "web/src/main.ts").unlink()
    assert is_built_again()
    shutil.rmtree(tree.built)
    tree.make()
    assert tree.page == "<title>one</title> "


def test_packages_are_installed_when_they_are_missing_or_older_than_the_lock(tree: Tree) -> None:
    tree.make()
    installed = tree.root / "node_modules/.package-lock.json"
    at_first = installed.stat().st_mtime_ns
    tree.put("web/index.html", "<title>two</title>")
    tree.make()
    assert installed.stat().st_mtime_ns == at_first
    os.utime(installed, (0, 0))
    tree.put("web/index.html", "<title>three</title>")
    tree.make()
    assert installed.stat().st_mtime_ns > at_first
    assert tree.page == "<title>three</title>"


def test_without_npm_the_files_of_an_earlier_build_are_used(tree: Tree, no_npm: str) -> None:
    tree.make()
    assert tree.make(no_npm) == "", "they are current"
    tree.put("web/index.html", "<title>two</title>")
    said = tree.make(no_npm)
    assert "earlier build" in said
    assert "no npm" in said
    assert tree.page == "<title>one</title>"


@pytest.mark.parametrize("way", ["no npm", "v18.19.0"])
def test_without_npm_and_without_built_files_there_is_no_ui_and_it_says_so(
    tree: Tree, no_npm: str, tmp_path: Path, way: str
) -> None:
    path = no_npm if way == "no npm" else old_node(tmp_path)
    said = tree.make(path)
    assert "without its web UI" in said
    assert way in said
    assert not tree.built.exists()
    assert "holdfast/__init__.py" in names(tree.hatch("build_wheel", path))


def test_a_build_that_fails_is_told_and_leaves_no_stamp(tree: Tree) -> None:
    tree.put("web/build.mjs", "process.exit(7)")
    done = tree.run("hatch_build.py")
    assert done.returncode != 0
    assert "The web UI could not be built: npm run build ended with" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tree.built / ".stamp").exists()


@pytest.mark.parametrize("call", ["build_wheel", "build_sdist"])
def test_wheel_and_sdist_have_the_built_files_although_git_ignores_them(tree: Tree, call: str) -> None:
    found = names(tree.hatch(call))
    prefix = "src/" if call == "build_sdist" else ""
    assert {f"{prefix}holdfast/_web/{name}" for name in ("index.html", "assets/main-abc.js.gz", ".stamp")} <= found
    assert not any("node_modules" in name for name in found)


def test_an_sdist_installs_without_npm_and_has_its_ui(tree: Tree, no_npm: str, tmp_path: Path) -> None:
    archive = tree.hatch("build_sdist")
    with tarfile.open(archive) as sdist:
        sdist.extractall(tmp_path / "unpacked", filter="data")
    [folder] = (tmp_path / "unpacked").iterdir()
    unpacked = object.__new__(Tree)
    unpacked.root, unpacked.built = folder, folder / "src/holdfast/_web"
    assert unpacked.make(no_npm) == "", "its stamp is current"
    assert "holdfast/_web/assets/main-abc.js" in names(unpacked.hatch("build_wheel", no_npm))


def test_an_editable_install_builds_nothing(tree: Tree) -> None:
    assert tree.hatch("build_editable").name.endswith(".whl")
    assert not tree.built.exists()
