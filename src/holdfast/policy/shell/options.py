"""The options of commands that run others: where they end, and what of a shell's words is code."""

import msgspec

from holdfast.policy.globs import may_vanish
from holdfast.policy.shell.commands import Arg

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "rzsh", "yash", "fish", "csh", "tcsh"})
STDIN = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
# Options that change nothing about what the code does: strictness, tracing, a login shell.
_PLAIN = frozenset("celuxvio")


class ShellCall(msgspec.Struct):
    code: Arg | None
    operands: list[Arg]
    """After the code, or without any: the script and what it is called with."""
    vague: list[Arg]
    """Words among the options that may be anything, or nothing."""
    reads_stdin: bool
    is_plain: bool


def without_options(args: list[Arg], valued: str, own: int) -> list[Arg]:
    """What follows the options, and so many words after them."""
    taking, at = valued.split(), 1
    while at < len(args):
        text = args[at].text
        if text == "--":
            at += 1
            break
        if not text.startswith("-") or text == "-":
            break
        at += 2 if text in taking else 1
    return args[at + own :]


def shell_call(args: list[Arg]) -> ShellCall:
    has_code, reads, is_plain, at = False, False, True, 1
    vague: list[Arg] = []
    while at < len(args):
        text = args[at].text
        if may_vanish(text) and not has_code:
            # It may be nothing at all, and an option come after it.
            vague.append(args[at])
            is_plain = False
        elif text in ("--", "-"):
            at += 1
            break
        elif text.startswith("--"):
            is_plain = False
            has_code = has_code or text == "--command"
            at += text in ("--rcfile", "--init-file")
        elif text[:1] in ("-", "+") and len(text) > 1:
            has_code = has_code or (text[0] == "-" and "c" in text)
            reads = reads or (text[0] == "-" and "s" in text)
            is_plain = is_plain and set(text[1:]) <= _PLAIN
            at += text[-1] in "oO"
        else:
            break
        at += 1
    operands = args[at:]
    if has_code:
        return ShellCall(operands[0] if operands else None, operands[1:], vague, False, is_plain)
    is_fed = reads or not operands or operands[0].text in STDIN
    return ShellCall(None, operands, vague, is_fed, is_plain)
