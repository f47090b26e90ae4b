"""Reads a command line as the shell would, down to its simple commands: lists, pipes, groups, loops, functions.

Everything that could run counts as run: both branches of an `if`, the body of a function. What the grammar does not
know raises Unclear; a line that is only half understood is worse than one that is not.
"""

import re

from holdfast.policy.shell.commands import Arg, Command, Redirect, Scope, Variable
from holdfast.policy.shell.compounds import CompoundReader
from holdfast.policy.shell.effects import after, either, setting
from holdfast.policy.shell.text import Unclear, assigned
from holdfast.policy.shell.words import Word

# Deeper or longer than this is no honest command line, and reading it would cost more than it is worth.
_DEPTH = 40
_COMMANDS = 5000

_PASSED = frozenset("@*123456789")
# Two words in a row, or an option: shells without `((…))` run that as a command, and the others not at all.
_NO_SUM = re.compile(r"[\w\])][ \t\n]+\w|[ \t\n]-\w")
_OPENING = frozenset({"if", "while", "until", "for", "select", "case", "[["})
_CLOSING = frozenset({"then", "do", "done", "fi", "else", "elif", "esac", "}"})
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?(\+?)=")


class Reader(CompoundReader):
    """Reads one text; `seen` gets every command as soon as it is read, even if the rest cannot be."""

    def __init__(self, text: str, scope: Scope, seen: list[Command], depth: int = 0) -> None:
        super().__init__(text, scope)
        if "\0" in text or "\1" in text:
            raise Unclear("it has control characters")
        self._seen = seen
        self._depth = depth
        self._nesting = 0

    def script(self) -> list[Command]:
        return self._commands(frozenset())

    def commands_until(self, closing: str) -> list[Command]:
        found = self._commands(frozenset({closing}))
        self.at += len(closing)
        return found

    def commands_of(self, text: str) -> list[Command]:
        return Reader(text, self.scope, self._seen, self._depth + 1).script()

    def _commands(self, until: frozenset[str]) -> list[Command]:
        self._nesting += 1
        if self._nesting + self._depth > _DEPTH:
            raise Unclear("it is nested too deeply")
        found: list[Command] = []
        joint, before, first = "", self.scope, None
        while True:
            self.skip_lines()
            if self.at >= len(self.text):
                if until:
                    raise Unclear(f"a `{min(until)}` is missing in it")
                break
            if self._closes(until):
                break
            if joint not in ("&&", "||"):
                before, first = self.scope, None
            found += self._pipeline()
            first = first or self.scope  # so far it surely runs
            last, joint = joint, self._joint()
            if joint == "&":
                self.scope = before  # in a shell of its own
            elif joint != "&&" or last == "||":
                self.scope = either(first, self.scope)
        self._nesting -= 1
        return found

    def _closes(self, until: frozenset[str]) -> bool:
        if self.peek() == ")":
            return ")" in until
        if self.text.startswith((";;", ";&"), self.at):
            return ";;" in until
        return self.keyword() in until

    def _joint(self) -> str:
        """Reads what joins one command to the next."""
        self.skip_blanks()
        for joint in ("&&", "||", ";", "&"):
            if self.text.startswith(joint, self.at) and not self.text.startswith((";;", ";&"), self.at):
                self.at += len(joint)
                return joint
        if self.peek() in ("", "\n", ")", "#") or self.text.startswith((";;", ";&"), self.at):
            return ""
        raise Unclear(f"a `{self.peek()}` stands where none can be")

    def _pipeline(self) -> list[Command]:
        before = self.scope
        found, stages = self._command(), 1
        while True:
            self.skip_blanks()
            if self.peek() != "|" or self.peek(1) == "|":
                # Each part of a pipe has a shell of its own; in some shells the last has not.
                self.scope = self.scope if stages == 1 else either(before, self.scope)
                return found
            self.scope = before
            self.at += 2 if self.peek(1) == "&" else 1
            self.skip_lines()
            stages += 1
            if stages > _DEPTH:
                raise Unclear("its pipe is too long")
            following = self._command()
            if len(found) * len(following) > _COMMANDS:
                raise Unclear("its pipe is too long")
            for command in following:
                command.fed_by = [*command.fed_by, *found]
            found = [*found, *following]

    def _command(self) -> list[Command]:
        keyword = self.keyword()
        match keyword:
            case "!" | "time":
                self.take(keyword)
                self.skip_blanks()
                if keyword == "time" and self.text.startswith("-p ", self.at):
                    self.at += 3
                    self.skip_blanks()
                return [] if self.peek() in ("", "\n", ";", ")") else self._command()
            case "{":
                self.take(keyword)
                return self._with_redirects(self.block("}"))
            case "if" | "while" | "until" | "for" | "select" | "case" | "function" | "coproc":
                self.take(keyword)
                before = self.scope
                match keyword:
                    case "if":
                        found = self.read_if()
                    case "while" | "until":
                        found = [*self.block("do"), *self.block("done")]
                    case "case":
                        found = self.read_case()
                    case "for" | "select":
                        found = self.read_for()
                    case _:
                        found = self._named(is_function=keyword == "function")
                self.scope = either(before, self.scope)
                return self._with_redirects(found)
            case "[[":
                self.take(keyword)
                return self._with_redirects(self.read_test())
            case _ if keyword in _CLOSING:
                raise Unclear(f"a `{keyword}` stands where none can be")
            case _:
                return self.group() if self.peek() == "(" else self._simple()

    def group(self) -> list[Command]:
        """A subshell, or an expression in `((…))`."""
        inside: list[Command] = []
        if self.peek(1) == "(" and (text := self.sum_here(inside)) is not None:
            if _NO_SUM.search(text):
                raise Unclear("a `((` in it may be two things")
            return self._with_redirects(inside)
        self.at += 1
        return self._with_redirects(self.aside(lambda: self.commands_until(")")))

    def block(self, *closing: str) -> list[Command]:
        found = self._commands(frozenset(closing))
        if len(closing) == 1:
            self.take(closing[0])
        return found

    def _named(self, *, is_function: bool) -> list[Command]:
        """The body after `function name` or `coproc name`; without a name, what a coprocess runs."""
        self.skip_blanks()
        begin = self.at
        self.word()
        self.skip_lines()
        if is_function and (empty := re.compile(r"\(\s*\)").match(self.text, self.at)):
            self.at = empty.end()
            self.skip_lines()
        if is_function and self.peek() not in ("{", "(") and self.keyword() not in _OPENING:
            raise Unclear("a function in it has no body")
        if not is_function and self.peek() not in ("{", "("):
            self.at = begin
        return self._body() if is_function else self._command()

    def _body(self) -> list[Command]:
        """A function's: its arguments are whatever it is called with."""
        before = self.scope
        variables = {name: known for name, known in before.variables.items() if name not in _PASSED}
        self.scope = Scope(variables, before.folders, before.visited)
        found = self._command()
        passed = {name: before.variables[name] for name in _PASSED if name in before.variables}
        changed = Scope({**self.scope.variables, **passed}, self.scope.folders, self.scope.visited)
        self.scope = either(before, changed)
        return found

    def _with_redirects(self, found: list[Command]) -> list[Command]:
        """After a group: what is written there concerns all of it, and counts as a command without words."""
        redirects: list[Redirect] = []
        while redirect := self.redirect():
            redirects.append(redirect)
            for command in found:
                command.fed_by = [*command.fed_by, *redirect.target.inside]
        if all(redirect.is_harmless for redirect in redirects):
            return found
        return [*found, self._made([], [], redirects)]

    def _simple(self) -> list[Command]:
        args: list[Arg] = []
        assignments: list[Arg] = []
        redirects: list[Redirect] = []
        # What is set before a command counts within it, but its own words do not see it (`x=ls $x sudo`).
        before = within = self.scope
        is_named = False
        while True:
            if redirect := self.redirect():
                redirects.append(redirect)
                continue
            if self.peek() == "(":
                empty = re.compile(r"\(\s*\)").match(self.text, self.at)
                if empty is None or len(args) != 1 or assignments or redirects:
                    raise Unclear("a `(` stands where none can be")
                self.at = empty.end()
                self.skip_lines()
                return self._body()
            given = None if is_named else _ASSIGNMENT.match(self.text, self.at)
            self.scope = within if given else before
            word = None if self.peek() == "#" else self.word()
            if word is None:
                break
            is_named = not given
            if given:
                assignments.append(self._assign(word, given))
                within = self.scope
            elif word.array is not None:
                args.append(Arg(word.source, word.source, [one for value in word.array for one in value.inside]))
            else:
                args += word.args()
        if not args and not assignments and not redirects:
            if is_named or self.peek() in ("", "\n", "#"):
                return []  # nothing, or words of which nothing is left
            raise Unclear(f"a `{self.peek()}` stands where none can be")
        self.scope = within
        command = self._made(args, assignments, redirects)
        if args:
            variables = {**self.scope.variables}
            for name in (assignment.text.partition("=")[0].partition("[")[0].rstrip("+") for assignment in assignments):
                variables.pop(name, None)
                variables.update({name: before.variables[name]} if name in before.variables else {})
            self.scope = Scope(variables, self.scope.folders, self.scope.visited)
        return [command]

    def _made(self, args: list[Arg], assignments: list[Arg], redirects: list[Redirect]) -> Command:
        if len(self._seen) >= _COMMANDS:
            raise Unclear("it has too many commands")
        command = Command(
            args=args, assigned=assignments, redirects=redirects, scope=self.scope, depth=self._depth + self._nesting
        )
        self._seen.append(command)
        self.scope = after(command)
        return command

    def _assign(self, word: Word, given: re.Match[str]) -> Arg:
        """The argument is `name=value` with the value worked out; arrays have their words in `inside` alone."""
        if word.array is not None:
            texts = tuple(value.text for value in word.array)
            inside = [command for value in word.array for command in value.inside]
            self.scope = setting(self.scope, given[1], Variable(texts, tuple(inside)), is_more=bool(given[2]))
            return Arg(f"{given[0]}(…)", word.source, inside)
        text = assigned(word.marked.partition("=")[2])
        self.scope = setting(self.scope, given[1], Variable((text,), tuple(word.inside)), is_more=bool(given[2]))
        return Arg(given[0] + text, word.source, word.inside)
