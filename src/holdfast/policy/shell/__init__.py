"""A command line taken apart into all the simple commands that it would run.

It is read as text; nothing is run. So a program that the line starts can do what no rule here sees: this stops mistakes
and plain attempts, and tells what it cannot see into. Keeping a hostile program from harm is a sandbox's work.
"""

from holdfast.policy.shell.commands import Command, Line, Scope
from holdfast.policy.shell.effects import beginning
from holdfast.policy.shell.grammar import Reader
from holdfast.policy.shell.runs import resolve
from holdfast.policy.shell.text import Unclear

# A file written by a here-document fits; more than this would take seconds to read.
_CHARACTERS = 250_000


def take_apart(text: str, workspace: str) -> Line:
    """Never raises: a line that cannot be taken apart has its `trouble`."""
    seen: list[Command] = []
    line = Line(text=text, commands=[], seen=seen)
    try:
        if len(text) > _CHARACTERS:
            raise Unclear("it is too long")
        line.commands = Reader(text, beginning(workspace), seen).script()
    except (Unclear, RecursionError) as reason:
        line.trouble = _said(reason)

    def read(script: str, scope: Scope, depth: int) -> list[Command]:
        return Reader(script, scope, seen, depth).script()

    # The list grows while we go through it: what a command runs may run something, too.
    for command in seen:
        try:
            resolve(command, seen, read)
        except (Unclear, RecursionError) as reason:
            line.trouble = line.trouble or _said(reason)
            command.is_opaque = True
    return line


def _said(reason: Exception) -> str:
    return str(reason) if isinstance(reason, Unclear) else "it is nested too deeply"
