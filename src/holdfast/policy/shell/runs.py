"""What a simple command runs itself: `bash -c`, `timeout 5 …`, `xargs …`, `find -exec …`, a pipe into `sh`."""

from collections.abc import Callable

import msgspec

from holdfast.policy.globs import UNKNOWN, may_vanish
from holdfast.policy.shell.commands import Arg, Command, Scope
from holdfast.policy.shell.effects import called_with, moved
from holdfast.policy.shell.options import SHELLS, STDIN, shell_call, without_options
from holdfast.policy.shell.text import Unclear

# Reads a script in a scope, so deep inside, into commands.
Read = Callable[[str, Scope, int], list[Command]]

_DEPTH = 40
_WORDS = 5000


class Wrapper(msgspec.Struct, frozen=True):
    """Runs the words after its options and after so many words of its own."""

    valued: str = ""  # its options that take the next word as their value
    own: int = 0
    is_transparent: bool = False


_WRAPPERS = {
    "timeout": Wrapper("-k --kill-after -s --signal", 1, True),
    "nice": Wrapper("-n --adjustment", 0, True),
    "ionice": Wrapper("-c --class -n --classdata", 0, True),
    "stdbuf": Wrapper("-i --input -o --output -e --error", 0, True),
    **{name: Wrapper("", 0, True) for name in ("nohup", "setsid", "command", "builtin", "noglob", "nocorrect")},
    "exec": Wrapper("-a", 0, True),
    "time": Wrapper("-f --format -o --output"),
    "taskset": Wrapper("", 1),
    "repeat": Wrapper("", 1),
    "chrt": Wrapper("-T -P -D", 1),
    "chroot": Wrapper("", 1),
    "flock": Wrapper("-w --timeout -E --conflict-exit-code", 1),
    "strace": Wrapper("-e -o -p -s -u -E -a -b -I -O -S -P -X"),
    "ltrace": Wrapper("-e -o -p -s -u -a -l -n -x"),
    "sudo": Wrapper("-u --user -g --group -h --host -p --prompt -C -r -t -T -U -D --chdir -R --chroot"),
    "doas": Wrapper("-u -C"),
    "pkexec": Wrapper("--user"),
    "runuser": Wrapper("-u --user -g --group -G --supp-group -s --shell"),
    "watch": Wrapper("-n --interval"),
    "parallel": Wrapper("-j --jobs -a --arg-file --joblog"),
    "systemd-run": Wrapper("-p --property -u --unit -E --setenv"),
    "nsenter": Wrapper("-t --target -S --setuid -G --setgid"),
    "xvfb-run": Wrapper("-n --server-num -s --server-args -e -f -w -p"),
    **{name: Wrapper() for name in ("busybox", "toybox", "fakeroot", "unbuffer", "rlwrap", "unshare", "setpriv")},
    **{name: Wrapper() for name in ("caffeinate", "dbus-run-session", "proot", "firejail", "torsocks")},
}
# Tools of projects that run a program of the project, with the word that says so. A rule for one of them is a rule for
# what it runs: who allows `uv run pytest *` need not allow `pytest *` as well. What is forbidden stays so.
_RUNNERS = {
    **dict.fromkeys(("uv", "poetry", "pipenv", "pdm", "hatch", "rye"), "run"),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bundle", "mise"), "exec"),
    **dict.fromkeys(("npx", "bunx", "uvx", "pipx")),
}


def resolve(command: Command, seen: list[Command], read: Read) -> None:
    """Finds what the command runs and adds it, there and to `seen`."""
    if command.depth > _DEPTH:
        raise Unclear("it is nested too deeply")
    if not command.args:
        return
    first = command.words[0]
    if UNKNOWN in first or not first:
        # Nobody knows what that is. It may be nothing, so that the name is what is left (`$x sudo`, `su${x}do`).
        command.is_opaque = True
        if rest := first.replace(UNKNOWN, ""):
            _add(command, [Arg(rest), *command.args[1:]], seen)
        if may_vanish(first):
            _add(command, command.args[1:], seen)
        return
    name = first.rpartition("/")[2]
    if name in SHELLS or name in ("source", ".", "at", "batch"):
        _shell(command, name, read)
    elif name in ("eval", "alias", "trap", "su", "runuser", "script", "flock", "watch", "parallel") and (
        script := _script_of(command, name)
    ):
        _run(command, script, command.scope, read)
    elif name == "env":
        _env(command, seen, read)
    elif name == "xargs":
        _xargs(command, seen)
    elif name == "find":
        _find(command, seen)
    elif name in _RUNNERS and _RUNNERS[name] in (None, *command.words[1:2]):
        rest = without_options(command.args if _RUNNERS[name] is None else command.args[1:], "-p --package --with", 0)
        seen += _inner(command, rest)
    elif name in _WRAPPERS and not (name == "command" and {"-v", "-V"} & set(command.words[1:2])):
        wrapper = _WRAPPERS[name]
        rest = without_options(command.args, wrapper.valued, wrapper.own)
        command.is_transparent = wrapper.is_transparent and bool(rest)
        _add(command, rest, seen)


def _inner(command: Command, args: list[Arg], scope: Scope | None = None) -> list[Command]:
    if len(args) > _WORDS:
        raise Unclear("it has too many words")
    fed_by, depth = command.fed_by, command.depth + 1
    return [Command(args=args, scope=scope or command.scope, fed_by=fed_by, depth=depth)] if args else []


def _add(command: Command, args: list[Arg], seen: list[Command], scope: Scope | None = None) -> None:
    inner = _inner(command, args, scope)
    command.code += inner
    seen += inner


def _run(command: Command, script: Arg, scope: Scope, read: Read) -> None:
    if UNKNOWN in script.text:
        command.is_opaque = True
    # What is unknown becomes a word like any other, so that the rest can be read.
    commands = read(script.text.replace(UNKNOWN, "$unknown"), scope, command.depth + 1)
    for inner in commands:
        inner.fed_by = [*inner.fed_by, *command.fed_by]
    command.code += commands


def _shell(command: Command, name: str, read: Read) -> None:
    call = shell_call(command.args) if name in SHELLS else None
    if call and call.code:
        arguments = [arg.text for arg in call.operands]
        scope = called_with(command.scope, arguments) if arguments else command.scope
        _run(command, call.code, scope, read)
        if may_vanish(call.code.text) and call.operands:
            _run(command, call.operands[0], scope, read)  # which is the code if that is nothing
        command.is_transparent = call.is_plain
    elif call.reads_stdin if call else name in ("at", "batch") or bool({*command.words[1:2]} & STDIN):
        for redirect in command.redirects:
            if redirect.body:
                _run(command, redirect.body, command.scope, read)
        for before in command.fed_by:
            for said in before.said:
                _run(command, Arg(said), command.scope, read)
            if before.said:
                continue
            if before.words not in (["cat"], ["cat", "-"]) and before.words[:1] != ["tee"]:
                command.is_opaque = True


def _script_of(command: Command, name: str) -> Arg | None:
    args = command.args
    words = command.words
    if name in ("su", "runuser", "script", "flock"):
        for n, word in enumerate(words[1:-1], 1):
            if word in ("-c", "--command") or (word[:1] == "-" and word[1:2] != "-" and word.endswith("c")):
                return args[n + 1]
        return None
    if name == "alias":
        values = [arg.text.partition("=")[2] for arg in args[1:]]
        return Arg("\n".join(values)) if any(values) else None
    if name == "trap":
        rest = [arg for arg in args[1:] if arg.text != "--"]
        return rest[0] if len(rest) > 1 and rest[0].text not in ("-", "-l", "-p", "") else None
    rest = args[1:] if name == "eval" else without_options(args, _WRAPPERS[name].valued, 0)
    texts: list[str] = []
    for arg in rest:
        if name == "parallel" and arg.text in (":::", "::::"):
            break
        texts.append(arg.text)
    inside = [one for arg in rest for one in arg.inside]
    return Arg(" ".join(texts), inside=inside) if texts else None


def _env(command: Command, seen: list[Command], read: Read) -> None:
    args, scope, is_plain, at = command.args, command.scope, True, 1
    while at < len(args):
        text = args[at].text
        if text in ("-S", "--split-string") and at + 1 < len(args):
            texts = [arg.text for arg in args[at + 1 :]]
            _run(command, Arg(" ".join(texts)), scope, read)
            return
        if text.startswith(("-S", "--split-string=")):
            texts = [text.removeprefix("--split-string=").removeprefix("-S"), *(arg.text for arg in args[at + 1 :])]
            _run(command, Arg(" ".join(texts)), scope, read)
            return
        if text in ("-C", "--chdir") and at + 1 < len(args):
            scope = moved(scope, "cd", [args[at + 1].text])
        if text.startswith("-") or ("=" in text and text[:1] != "/"):
            is_plain = False
            at += 2 if text in ("-u", "--unset", "-C", "--chdir") else 1
        else:
            break
    command.is_transparent = is_plain and at < len(args)
    _add(command, args[at:], seen, scope)


def _xargs(command: Command, seen: list[Command]) -> None:
    """It adds words to a command: those that it is fed, if they are known."""
    rest = without_options(command.args, "-I -n -P -L -d -E -s -a --arg-file --max-args --max-procs --delimiter", 0)
    words = command.words
    replaced = next((words[n + 1] for n, word in enumerate(words[:-1]) if word == "-I"), None)
    replaced = replaced or next((word[2:] or "{}" for word in words if word[:2] in ("-I", "-i")), None)
    said = [text for before in command.fed_by[-1:] for text in before.said]
    added = said[-1].split() if said else [UNKNOWN]
    if not rest:
        return
    command.is_transparent = True
    if replaced:
        args = [Arg(arg.text.replace(replaced, " ".join(added)), arg.source, arg.inside) for arg in rest]
    else:
        args = [*rest, *(Arg(word) for word in added)]
    _add(command, args, seen)
    # How its words are written is not all that it runs.
    for inner in command.code:
        for arg in inner.args:
            arg.source = ""


def _find(command: Command, seen: list[Command]) -> None:
    words = command.words
    starts = [word for word in words[1:] if not word.startswith(("-", "(", "!"))][:1] or ["."]
    for n, word in enumerate(words):
        if word in ("-exec", "-execdir", "-ok", "-okdir"):
            ends = [m for m in range(n + 1, len(words)) if words[m] in (";", "+")]
            args = command.args[n + 1 : ends[0] if ends else len(words)]
            found = f"{starts[0].rstrip('/')}/{UNKNOWN}"
            _add(command, [Arg(arg.text.replace("{}", found), "", arg.inside) for arg in args], seen)
