"""Builds the web UI into the package: hatchling's build hook, and `python hatch_build.py` for `make ui`.

The built files carry a stamp, a hash of all that they were made from. Then
- the stamp is current: there is nothing to do;
- else npm is there: the UI is built anew;
- else there are built files, as in an sdist: they are used as they are;
- else Holdfast is built without a UI, and says so.
"""

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ModuleNotFoundError:  # `make ui` runs before anything that needs hatchling
    BuildHookInterface = object

BUILT = "src/holdfast/_web"
STAMP = ".stamp"
SOURCES = ("web", "clients/typescript/src", "package.json", "package-lock.json", "hatch_build.py")
# What older ones say of our build would help nobody.
NODE = 20


class WebUi(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # An editable install serves whatever lies in the source tree, and `make ui` puts it there.
        if version != "editable":
            bring_up_to_date(Path(self.root), self.app.display_warning)


def bring_up_to_date(root: Path, say: Callable[[str], object]) -> None:
    """Raises SystemExit, with a sentence, if there is an npm and it cannot build the UI."""
    built = root / BUILT
    stamp = _stamp(root)
    if _read(built / STAMP) == stamp:
        return
    missing = _missing()
    if missing is None:
        _build(root)
        _squeeze(built)
        (built / STAMP).write_text(stamp)
    elif (built / "index.html").is_file():
        say(f"The web UI is not built anew, since {missing}; the files of an earlier build are used.")
    else:
        say(f"Holdfast is built without its web UI, since {missing}.")


def _stamp(root: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(_sources(root)):
        digest.update(f"{path.relative_to(root).as_posix()}\n{path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources(root: Path) -> Iterator[Path]:
    for source in SOURCES:
        if (root / source).is_file():
            yield root / source
        for folder, folders, names in os.walk(root / source):
            folders[:] = [name for name in folders if name not in ("node_modules", "dist") and not name.startswith(".")]
            # Tests and words about the code change nothing of what is built.
            yield from (
                Path(folder, name)
                for name in names
                if ".test." not in name and not name.startswith(".") and not name.endswith(".md")
            )


def _missing() -> str | None:
    """Why nothing can be built here; None if it can."""
    if shutil.which("npm") is None or (node := shutil.which("node")) is None:
        return f"there is no npm (it takes Node.js {NODE} or newer)"
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    major = version.removeprefix("v").partition(".")[0]
    return (
        None if major.isdigit() and int(major) >= NODE else f"it takes Node.js {NODE} or newer, and this is {version}"
    )


def _build(root: Path) -> None:
    # npm writes the first from the second when it has installed all of it.
    installed, lock = root / "node_modules/.package-lock.json", root / "package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        _npm(root, "ci")
    _npm(root, "run", "build")


def _npm(root: Path, *words: str) -> None:
    npm = shutil.which("npm")
    assert npm is not None
    # Not to stdout: a frontend may read that.
    done = subprocess.run([npm, *words], cwd=root, stdout=sys.stderr, check=False)
    if done.returncode:
        raise SystemExit(f"The web UI could not be built: npm {' '.join(words)} ended with {done.returncode}.")


def _squeeze(folder: Path) -> None:
    """A .gz beside every file that becomes notably smaller by it: the server sends what is there."""
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            body = file.read_bytes()
            squeezed = gzip.compress(body, mtime=0)
            if len(squeezed) < 0.9 * len(body):
                file.with_name(f"{file.name}.gz").write_bytes(squeezed)


def _read(file: Path) -> str | None:
    try:
        return file.read_text()
    except FileNotFoundError:
        return None


if __name__ == "__main__":
    bring_up_to_date(Path(__file__).resolve().parent, print)
