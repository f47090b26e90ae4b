"""Whether patterns of Bash rules mean a command line."""

import msgspec

from holdfast.policy.globs import UNKNOWN, could_match, literal, matches
from holdfast.policy.shell.commands import Command, Line, joined


class Form(msgspec.Struct, frozen=True):
    """One way to write a command; with `needs_exact`, only a pattern without wildcards may allow it."""

    text: str
    needs_exact: bool = False


def command_is_covered(patterns: list[str], line: Line) -> bool:
    """All of it: each simple command, and each that runs within one. What is unclear is covered by its text alone."""
    # Who allows a line to the letter has seen it.
    if any(literal(pattern) == line.text.strip() for pattern in patterns):
        return True
    if line.trouble is not None or not line.commands:
        return False
    globs = [glob for pattern in patterns for glob in _globs(pattern)]
    return all(_is_covered(command, globs) for command in line.commands)


def command_is_touched(pattern: str, line: Line) -> bool | None:
    """Any of it, or the whole line; None if a part that is not known may be meant."""
    globs = _globs(pattern)
    forms = {line.text.strip(), *(form for command in line.seen for form in _forms_to_deny(command))}
    if any(matches(glob, form) for glob in globs for form in forms):
        return True
    if line.trouble is not None:
        return None
    heads = {form.partition(UNKNOWN)[0] for form in forms if UNKNOWN in form}
    if any(command.is_opaque for command in line.seen):
        heads.add("")
    return None if any(could_match(glob, head) for glob in globs for head in heads) else False


def _globs(pattern: str) -> list[str]:
    """`git *` means `git` too; `x:*` is how Claude Code writes all that begins with the words x."""
    if pattern.endswith(":*"):
        return [pattern[:-2], f"{pattern[:-2]} *", pattern]
    if pattern.endswith(" *") and not pattern.endswith("\\ *"):
        return [pattern[:-2], pattern]
    return [pattern]


def _is_covered(command: Command, globs: list[str]) -> bool:
    if command.is_opaque or not all(_is_covered(one, globs) for one in command.inside):
        return False
    if not all(_is_covered(one, globs) for one in command.code):
        return False
    # A command that only passes on another is as good as that one, unless it sets or writes something itself.
    if command.code and command.is_transparent and not command.assigned and not _redirects(command):
        return True
    return any(
        matches(glob, form.text) and not (form.needs_exact and literal(glob) is None)
        for form in _forms_to_allow(command)
        for glob in globs
    )


def _redirects(command: Command) -> str:
    return " ".join(redirect.source for redirect in command.redirects if not redirect.is_harmless)


def _forms_to_allow(command: Command) -> list[Form]:
    """As it is written, and with its quotes made plain; what it reads and writes by redirection belongs to it."""
    plain = joined([arg.text for arg in (*command.assigned, *command.args)])
    redirects = _redirects(command)
    if not redirects:
        # A command with no writing of its own was made up by xargs or find.
        return [Form(text) for text in (command.source, plain) if text]
    # `echo *` was meant for what is said, not for where it goes.
    writes = any(redirect.writes for redirect in command.redirects)
    return [Form(f"{text} {redirects}".strip(), writes) for text in (command.source, plain)]


def _forms_to_deny(command: Command) -> set[str]:
    """However it may be written: with and without what is set before it, where it writes, and its program's folder."""
    words = command.words
    short = [words[0].rpartition("/")[2], *words[1:]] if words else []
    bare = {command.source, joined(words), " ".join(words), joined(short), " ".join(short)}
    before = joined([arg.text for arg in command.assigned])
    redirects = " ".join(redirect.source for redirect in command.redirects)
    whole = {f"{before} {text}" for text in bare if before} | {f"{text} {redirects}" for text in bare if redirects}
    return {text.strip() for text in bare | whole if text.strip()}
