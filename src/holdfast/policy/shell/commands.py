"""The parts of a command line, as they come out of it: simple commands, their words and where they write."""

import shlex

import msgspec

from holdfast.policy.globs import UNKNOWN
from holdfast.policy.shell.text import printed

# Places that keep nothing.
_NOWHERE = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"})
_DESCRIPTORS = frozenset("-0123456789")
_READING = frozenset({"<", "<<", "<<-", "<<<", "<&"})


class Arg(msgspec.Struct):
    """One word: what it means, how it is written, and what runs so that it comes to be."""

    text: str
    source: str = ""
    inside: list["Command"] = []


class Redirect(msgspec.Struct):
    operator: str
    target: Arg
    written: str
    body: Arg | None = None
    """Of a here-document, or the text of `<<<`."""

    @property
    def is_harmless(self) -> bool:
        if self.operator in (">&", "<&") and self.target.text in _DESCRIPTORS:
            return True
        return self.target.text in _NOWHERE and self.operator not in ("<<", "<<-", "<<<")

    @property
    def writes(self) -> bool:
        return self.operator not in _READING and not self.is_harmless

    @property
    def source(self) -> str:
        return self.written + (f"\n{self.body.text}" if self.body and self.operator != "<<<" else "")


class Variable(msgspec.Struct, frozen=True):
    texts: tuple[str, ...]
    inside: tuple["Command", ...] = ()


class Scope(msgspec.Struct, frozen=True):
    """What is known where a command stands; `folders` are those it may run in, none if that is not known."""

    variables: dict[str, Variable]
    folders: tuple[str, ...]
    visited: tuple[str, ...]


class Command(msgspec.Struct, kw_only=True):
    """One simple command. Where it stands behind a pipe, `fed_by` are all the commands before it."""

    args: list[Arg]
    scope: Scope
    assigned: list[Arg] = []
    redirects: list[Redirect] = []
    fed_by: list["Command"] = []
    # What it runs itself (`bash -c`, `timeout`, `xargs`): that counts too, or alone if the command only passes it on.
    code: list["Command"] = []
    is_transparent: bool = False
    is_opaque: bool = False
    depth: int = 0

    @property
    def words(self) -> list[str]:
        return [arg.text for arg in self.args]

    @property
    def inside(self) -> list["Command"]:
        """What runs so that its words come to be."""
        bodies = [redirect.body for redirect in self.redirects if redirect.body]
        holders = [*self.assigned, *self.args, *(redirect.target for redirect in self.redirects), *bodies]
        return [command for holder in holders for command in holder.inside]

    @property
    def source(self) -> str:
        """As it is written, one space between words, without redirections."""
        return " ".join(arg.source for arg in (*self.assigned, *self.args) if arg.source)

    @property
    def said(self) -> list[str]:
        """What it may write to the next in a pipe, if that is known."""
        words = self.words
        if not words or any(redirect.writes for redirect in self.redirects):
            return []
        if words[0].rpartition("/")[2] == "cat" and len(words) == 1:
            return [redirect.body.text for redirect in self.redirects if redirect.body][-1:]
        return printed([words[0].rpartition("/")[2], *words[1:]])


def joined(words: list[str]) -> str:
    """One text for these words; a word with something unknown in it stays bare, as no quotes can be around that."""
    return " ".join(word if UNKNOWN in word else shlex.quote(word) for word in words)


class Line(msgspec.Struct, kw_only=True):
    """A command line taken apart: `commands` in their nesting, `seen` all of them, flat."""

    text: str
    commands: list[Command]
    seen: list[Command]
    trouble: str | None = None
    """Why it could not be taken apart, if so; then `seen` is what was found before."""
