"""Which of a command's paths it writes to, as far as it can end in /etc."""

import re
from fnmatch import fnmatchcase
from itertools import pairwise

from holdfast.policy.globs import UNKNOWN
from holdfast.policy.paths import is_inside, places, written
from holdfast.policy.shell.commands import Command

# Commands that change whatever path they are given …
_CHANGING = frozenset(
    {"tee", "touch", "mkdir", "rmdir", "rm", "unlink", "shred", "truncate", "chmod", "chown", "chgrp", "chattr"}
    | {"setfacl", "mv", "mkfifo", "mknod", "ed", "ex", "sponge"}
)
# … and those that write to the last one, unless an option names the folder.
_COPYING = frozenset({"cp", "ln", "install", "rsync", "scp", "link"})
_INTO = ("-t", "--target-directory")
# Options that name a file to write, by command.
_OUTPUTS = {
    "curl": ("-o", "--output", "--output-dir"),
    "wget": ("-O", "--output-document", "-P", "--directory-prefix", "-o"),
    "sort": ("-o", "--output"),
    "tar": ("-C", "--directory", "--one-top-level"),
    "unzip": ("-d",),
    "dd": (),
    "gpg": ("-o", "--output"),
    "openssl": ("-out",),
}


def in_etc(path: str) -> bool:
    """A path from the root; its first name may be a glob that the shell would fill in."""
    if is_inside(path, "/etc") or is_inside(path, "/private/etc"):
        return True
    first = path[1:].partition("/")[0]
    return any(character in first for character in "*?[") and fnmatchcase("etc", first.replace(UNKNOWN, "*"))


def writes_to_etc(command: Command, name: str) -> bool:
    targets = [redirect.target.text for redirect in command.redirects if redirect.writes]
    return any(_leads_to_etc(target, command) for target in (*targets, *_written(name, command.words)))


def _leads_to_etc(target: str, command: Command) -> bool:
    for folder in command.scope.folders or ("",):
        if not target or not (folder or target.startswith(("/", "~"))):
            continue
        path = written(target, folder or "/")
        if in_etc(path):
            return True
        # Where a link leads can only be told of a path that is known.
        if UNKNOWN not in path and any(in_etc(place) for place in places(target, folder or "/")):
            return True
    return False


def _written(name: str, words: list[str]) -> list[str]:
    operands = [word for word in words[1:] if not word.startswith("-")]
    if name in _CHANGING:
        return operands
    if name in _COPYING:
        into = _values(words, _INTO)
        if into or (name == "install" and any(word in ("-d", "--directory") for word in words)):
            return [*into, *(operands if not into else [])]
        # `ln -s /etc/x` makes a link here.
        return operands[-1:] if len(operands) > 1 else []
    if name in ("sed", "perl") and any(_edits_in_place(word) for word in words[1:]):
        return operands
    if name == "tar" and not _extracts(words):
        return []
    return _values(words, _OUTPUTS.get(name, ()))


def _edits_in_place(word: str) -> bool:
    return word.startswith("--in-place") or (word[:1] == "-" and word[1:2] != "-" and "i" in word)


def _extracts(words: list[str]) -> bool:
    """Then -C names where it writes; else where it reads."""
    letters = [word for n, word in enumerate(words[1:]) if n == 0 or word.startswith("-")]
    return any(word in ("--extract", "--get") or re.fullmatch("-?[A-Za-z]*x[A-Za-z]*", word) for word in letters)


def _values(words: list[str], options: tuple[str, ...]) -> list[str]:
    """Of these options: the next word, or what is attached."""
    found: list[str] = []
    for word, following in pairwise([*words, ""]):
        for option in options:
            if word == option:
                found.append(following)
            elif word.startswith(option + "=" if option.startswith("--") else option):
                found.append(word[len(option) :].removeprefix("="))
            elif len(option) == 2 and word[:1] == "-" and word[1:2] != "-" and word.endswith(option[1]):
                found.append(following)  # the last of several letters, as in `curl -sSo file`
    return found
