"""Where a path leads, and whether a rule's path pattern means that place.

A relative pattern is meant from the workspace; one without a slash counts in every folder of it. `*` and `?` stay
within one name, `**` crosses folders, `{a,b}` is either, and a folder with a slash at its end means all that is in it.

An agent can make symbolic links in its workspace, so a pattern that allows looks only at where a path really leads. A
pattern that forbids looks at the path as it is written, too.
"""

import os.path
import re
from urllib.parse import unquote

from holdfast.policy.globs import alternatives, tokens

_BRACES = 20

# These are texts that name somebody else's files; pathlib would tidy them up before we have looked.
# ruff: noqa: PTH100, PTH111, PTH118


def written(path: str, workspace: str) -> str:
    """The path from the root, with `.` and `..` removed as text, symbolic links as they are."""
    return os.path.normpath(os.path.join(os.path.abspath(workspace), _local(path)))


def real(path: str, workspace: str) -> str:
    """Where the path leads as the system sees it; raises ValueError for one that the system takes for none."""
    return os.path.realpath(os.path.join(os.path.abspath(workspace), _local(path)))


def places(path: str, workspace: str) -> list[str]:
    """Where it may really lead: programs differ in whether `..` goes up from a link or from where that leads."""
    return list(dict.fromkeys((real(path, workspace), os.path.realpath(written(path, workspace)))))


def is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def home() -> str:
    return os.path.expanduser("~")


def _local(path: str) -> str:
    if path.startswith("file://"):
        path = unquote(path.removeprefix("file://"))
    if path == "~" or path.startswith("~/"):
        return home() + path[1:]
    return path


def check(pattern: str) -> None:
    """Raises ValueError, saying what is wrong with the pattern."""
    if re.sub(r"\\.", "", pattern, flags=re.DOTALL).count("{") > _BRACES:
        raise ValueError("it has too many braces")
    for one in alternatives(pattern):
        if not one:
            raise ValueError("an alternative is empty")
        if one.startswith("~") and not (one == "~" or one.startswith("~/")):
            raise ValueError("only ~ and ~/ stand for a home folder")
        if ".." in _split(one)[1]:
            raise ValueError("`..` cannot come after a wildcard")


def means(pattern: str, path: str, workspace: str) -> bool:
    """Whether a pattern that allows means the path, wherever it may lead."""
    root = real(".", workspace)
    for place in places(path, workspace):
        if not any(_fits(one, base, place) for one in alternatives(pattern) for base in _allowed(one, workspace, root)):
            return False
    return True


def touches(pattern: str, path: str, workspace: str) -> bool:
    """Whether a pattern that forbids means the path, as it is written or where it leads."""
    root = real(".", workspace)
    candidates = {written(path, workspace), *places(path, workspace)}
    return any(
        _fits(one, base, place)
        for one in alternatives(pattern)
        for base in {*_allowed(one, workspace, root), *_bases(one, workspace)}
        for place in candidates
    )


def _allowed(pattern: str, workspace: str, root: str) -> list[str]:
    """Where a pattern that allows begins: within the workspace no link leads it elsewhere."""
    base, _ = _bases(pattern, workspace)
    folder = os.path.abspath(workspace)
    for within in (folder, root):
        if is_inside(base, within):
            return [os.path.normpath(os.path.join(root, os.path.relpath(base, within)))]
    return [os.path.realpath(base)]


def _bases(pattern: str, workspace: str) -> tuple[str, str]:
    head, _ = _split(pattern)
    return written(head or ".", workspace), real(head or ".", workspace)


def _split(pattern: str) -> tuple[str, list[str]]:
    """The part without wildcards, as the text it means, and the names that follow it, as patterns."""
    if pattern.endswith("/") and pattern != "/":
        pattern += "**"
    segments = _segments(pattern)
    if len(segments) == 1 and segments[0] not in (".", "..", "~"):
        return "", ["**", *segments] if segments != ["**"] else segments
    plain = next((n for n, one in enumerate(segments) if any(wild for _, wild in tokens(one))), len(segments))
    head = "/".join("".join(character for character, _ in tokens(one)) for one in segments[:plain])
    return head or ("/" if pattern.startswith("/") else ""), [one for one in segments[plain:] if one not in ("", ".")]


def _segments(pattern: str) -> list[str]:
    """At its slashes, escaped or not: no name can have one."""
    found = [""]
    for character in re.findall(r"\\?.", pattern, re.DOTALL):
        if character in ("/", "\\/"):
            found.append("")
        else:
            found[-1] += character
    return found


def _fits(pattern: str, base: str, place: str) -> bool:
    _, rest = _split(pattern)
    if not rest:
        return place == base
    if not is_inside(place, base):
        return False
    below = place[len(base.rstrip("/")) :]
    expression = ""
    for n, segment in enumerate(rest):
        if segment == "**":
            expression += "(?:/.*)?" if n == len(rest) - 1 else "(?:/[^/]+)*"
        else:
            expression += "/" + "".join(_character(character, wild) for character, wild in tokens(segment))
    return re.fullmatch(expression, below, re.DOTALL) is not None


def _character(character: str, wild: bool) -> str:
    if not wild:
        return re.escape(character)
    return "[^/]*" if character == "*" else "[^/]"
