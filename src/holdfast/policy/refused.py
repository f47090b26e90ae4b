"""What no profile and no person's answer allows: the commands and writes that are refused in every policy.

Only what would run counts, not what is written in an argument: `grep "rm -rf /"` is as harmless as any grep. Each check
takes one simple command (`shell` has already looked through quotes, variables and wrappers) and gives its reason.
"""

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from itertools import pairwise

from holdfast.policy.calls import EDITS, Call
from holdfast.policy.etc import in_etc, writes_to_etc
from holdfast.policy.globs import UNKNOWN
from holdfast.policy.paths import home, is_inside, places, written
from holdfast.policy.shell.commands import Arg, Command, Line
from holdfast.policy.shell.options import SHELLS, STDIN, shell_call

_SUDO = "`{}` is refused by the policy: commands run with the server's own rights only."
_RM = "`{}` on / or on a home folder is refused by the policy: delete the files that are meant, by their paths."
_FETCHED = "Running what `{}` fetches is refused by the policy: save it to a file and read that first."
_CHMOD = "`{}` with all rights for everybody is refused by the policy: give those rights that are needed."
_ETC = "Writing to /etc is refused by the policy: the machine's own settings are not part of the work."
_KILL = "`{}` with signal 9 is refused by the policy: SIGTERM lets a process clean up."
_MKFS = "`{}` is refused by the policy: it would wipe a file system."
_DD = "`dd` with if= or of= is refused by the policy: it can overwrite a whole disk."

_ROOTS = frozenset({"sudo", "sudoedit", "doas", "su", "pkexec", "runuser", "run0", "gosu"})
_FETCHERS = frozenset({"curl", "wget", "wget2", "fetch", "aria2c", "http", "https", "xh"})
# Programs that run what they read if they are given no script.
_INTERPRETERS = re.compile(r"(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|tclsh|Rscript|osascript)[\d.]*")
_CODE = re.compile(r"-[a-zA-Z]*[cerm]|--eval|--print|-[pn]e?|eval|run")
_NAMES = (*sorted(_ROOTS), "rm", "chmod", "kill", "pkill", "killall", "mkfs", "dd", *sorted(_FETCHERS), *sorted(SHELLS))


def refusal(call: Call, line: Line | None) -> str | None:
    """Why the call is refused, whatever the rules say; None if it is not."""
    if call.tool in EDITS:
        for path in call.paths:
            if any(in_etc(place) for place in (written(path, call.workspace), *places(path, call.workspace))):
                return _ETC
    for command in line.seen if line else []:
        for check in _CHECKS:
            if reason := check(command):
                return reason
    return None


def _name(command: Command) -> str:
    """The program's, without its folder. A name with wildcards is what it could be found to be (`/bin/r?`)."""
    first = command.words[0] if command.args else ""
    name = first.rpartition("/")[2].removeprefix("=")
    if not any(character in name for character in "*?["):
        return name
    return next((known for known in _NAMES if fnmatchcase(known, name)), name)


def _sudo(command: Command) -> str | None:
    name = _name(command)
    return _SUDO.format(name) if name in _ROOTS else None


def _rm(command: Command) -> str | None:
    name = _name(command)
    if name == "find":
        is_recursive, targets = _finds_all(command.words), [word for word in command.words[1:] if word[:1] != "-"]
    elif name == "rm" or UNKNOWN in name:
        options, targets = _parted(command.words)
        is_recursive = _has(options, "rR", "--recursive") and (name == "rm" or _has(options, "f", "--force"))
    else:
        return None
    if is_recursive and any(_is_everything(target, folder) for target in targets for folder in _folders(command)):
        return _RM.format("find -delete" if name == "find" else "rm -r")
    return None


def _finds_all(words: list[str]) -> bool:
    """`find` that deletes without choosing."""
    harmless = ("-delete", "-depth", "-xdev", "-mount", "-mindepth", "-maxdepth", "-print", "-type", "-P", "-H", "-L")
    return "-delete" in words and all(word in harmless for word in words[1:] if word.startswith("-"))


def _parted(words: list[str]) -> tuple[list[str], list[str]]:
    """Options (they may stand anywhere before `--`), and the rest."""
    end = words.index("--") if "--" in words else len(words)
    options = [word for word in words[1:end] if word.startswith("-") and word != "-"]
    return options, [word for word in words[1:end] if word not in options] + words[end + 1 :]


def _has(options: list[str], letters: str, long: str) -> bool:
    """Long ones may be cut short."""
    return any(long.startswith(word) if word[:2] == "--" else bool(set(letters) & set(word)) for word in options)


def _folders(command: Command) -> tuple[str, ...]:
    return command.scope.folders or ("",)


def _is_everything(target: str, folder: str) -> bool:
    """Whether it is the root, a home folder or one above it, or all that is in there."""
    if re.fullmatch(r"~[\w.-]*/*[*.]*/*", target):
        return True
    # `/$x` is the root when x is empty; `$x/*` mostly is not meant so. `~$x` and `${x:-/}` may be as they look.
    target = target.rstrip(UNKNOWN) if target.strip("/") == UNKNOWN or target[-2:-1] != "/" else target
    if not target or UNKNOWN in target or not (target.startswith("/") or folder):
        return False
    path = written(target, folder or "/")
    parts = path.split("/")
    while len(parts) > 1 and (not parts[-1].strip("*?.") or parts[-1].startswith("[")):
        parts.pop()
    path = "/".join(parts) or "/"
    return path in ("/", "/home", "/Users", "/root") or is_inside(home(), path)


def _piped(command: Command) -> str | None:
    """A shell or another interpreter that runs what was fetched: from its input, or out of a substitution."""
    name = _name(command)
    code: list[Arg] = []
    is_fed = False
    if name in SHELLS:
        call = shell_call(command.args)
        code = [call.code] if call.code else [*call.vague, *call.operands[:1]]
        # `xargs sh -c` hands over what it is fed.
        is_fed = call.reads_stdin or (call.code is not None and call.code.text.strip() == UNKNOWN)
    elif name in ("eval", "source", "."):
        code = command.args[1:]
        is_fed = any(word.strip() == UNKNOWN if name == "eval" else word in STDIN for word in command.words[1:])
    elif _INTERPRETERS.fullmatch(name):
        code, is_fed = _interpreted(command)
    if not code and not is_fed:
        return None
    bodies = [redirect.body for redirect in command.redirects if redirect.body]
    feeding = [one for held in (*(redirect.target for redirect in command.redirects), *bodies) for one in held.inside]
    sources = [*(one for arg in code for one in arg.inside), *((*feeding, *command.fed_by) if is_fed else ())]
    fetcher = next((found for source in sources if (found := _fetcher(source))), None)
    return _FETCHED.format(fetcher) if fetcher else None


def _interpreted(command: Command) -> tuple[list[Arg], bool]:
    """What python, node and their like run: code or a file of theirs, or else their input."""
    args = command.args[1:]
    valued = {n + 1 for n, arg in enumerate(args) if arg.text in ("-W", "-X", "-I")}
    operands = [arg for n, arg in enumerate(args) if n not in valued and (arg.text[:1] != "-" or arg.text == "-")]
    given = [arg for before, arg in pairwise(args) if _CODE.fullmatch(before.text)]
    has_code = any(_CODE.fullmatch(arg.text) for arg in args)
    is_fed = any(arg.text in STDIN for arg in operands) or not (has_code or operands)
    return given or operands[:1], is_fed


def _fetcher(command: Command) -> str | None:
    """The program that fetches something, in this command or in what it runs."""
    name = _name(command)
    if name in _FETCHERS:
        return name
    return next((found for one in (*command.inside, *command.code) if (found := _fetcher(one))), None)


def _chmod(command: Command) -> str | None:
    name, words = _name(command), command.words
    if name == "chmod":
        modes = [word for word in words[1:] if not word.startswith("--") and (word[:1] != "-" or "," in word)][:1]
    elif name in ("mkdir", "install", "mkfifo"):
        modes = [
            word.removeprefix("--mode=").removeprefix("-m") for word in words if word.startswith(("--mode=", "-m"))
        ]
        modes += [word for before, word in pairwise(words) if before in ("-m", "--mode")]
    else:
        return None
    return _CHMOD.format(name) if any(_opens_all(mode) for mode in modes) else None


def _opens_all(mode: str) -> bool:
    """Whether everybody may read, write and run it afterwards."""
    if re.fullmatch("[+=-]?[0-7]{1,5}", mode):
        return mode[-1] == "7" and mode[0] != "-"
    given: set[str] = set()
    for clause in mode.split(","):
        found = re.fullmatch(r"([ugoa]*)((?:[+=][rwxXst]*)+)", clause)
        if found and set("oa") & set(found[1]):
            given.update(found[2].replace("X", "x"))
    return {"r", "w", "x"} <= given


def _kill(command: Command) -> str | None:
    name, words = _name(command), [word.lower() for word in command.words]
    if name not in ("kill", "pkill", "killall", "killall5", "skill") or "-l" in words[1:2]:
        return None
    words = words[: words.index("--")] if "--" in words else words
    signals = [word[1:] for word in words[1:] if word.startswith("-")]
    signals += [word.partition("=")[2] for word in words if word.startswith("--signal=")]
    signals += [word[2:] for word in words[1:] if word[:2] in ("-s", "-n")]
    following = pairwise(words)
    signals += [word for before, word in following if before in ("-s", "-n", "--signal")]
    return _KILL.format(name) if {"9", "kill", "sigkill"} & {signal.lstrip("0") for signal in signals} else None


def _mkfs(command: Command) -> str | None:
    name = _name(command)
    return _MKFS.format(name) if name.startswith("mkfs") or name in ("mke2fs", "newfs", "mkswap") else None


def _dd(command: Command) -> str | None:
    is_dd = _name(command) == "dd" and any(word.startswith(("if=", "of=")) for word in command.words)
    return _DD if is_dd else None


def _etc(command: Command) -> str | None:
    return _ETC if writes_to_etc(command, _name(command)) else None


_CHECKS: tuple[Callable[[Command], str | None], ...] = (_sudo, _rm, _piped, _chmod, _etc, _kill, _mkfs, _dd)
