"""Reads the shell's compound commands, after their first word: `if`, `for`, `case`, `[[`."""

import msgspec

from holdfast.policy.globs import UNKNOWN
from holdfast.policy.shell.commands import Arg, Command, Scope, Variable
from holdfast.policy.shell.effects import either
from holdfast.policy.shell.lines import LineReader
from holdfast.policy.shell.text import Unclear, plain

# A loop over more values than this is read once, with an unknown value.
_ROUNDS = 32


class CompoundReader(LineReader):
    def __init__(self, text: str, scope: Scope) -> None:
        super().__init__(text, scope)
        self._unrolled = 1

    def block(self, *closing: str) -> list[Command]:
        raise NotImplementedError

    def group(self) -> list[Command]:
        raise NotImplementedError

    def read_if(self) -> list[Command]:
        found = self.block("then")
        while True:
            before = self.scope
            found += self.block("elif", "else", "fi")
            self.scope = either(before, self.scope)
            keyword = self.keyword()
            self.take(keyword)
            if keyword == "fi":
                return found
            found += self.block("then") if keyword == "elif" else []

    def read_for(self) -> list[Command]:
        self.skip_blanks()
        found: list[Command] = []
        values: list[Arg] = []
        name = None
        if self.peek() == "(":
            found = self.group()
        else:
            name = plain(self.needed_word().marked)
            self.skip_lines()
            if self.keyword() == "in":
                self.take("in")
                values = self.words()
            found = [command for value in values for command in value.inside]
        while self.peek() in tuple(" \t\n;#"):
            self.skip_lines()
            self.at += self.peek() == ";"
        opening = self.keyword()
        if opening not in ("do", "{"):
            raise Unclear("a `do` is missing in it")
        self.take(opening)
        return [*found, *self._rounds("done" if opening == "do" else "}", name, values)]

    def _rounds(self, closing: str, name: str | None, values: list[Arg]) -> list[Command]:
        """The body of a loop, once for each value if they are few."""
        if not values or len(values) * self._unrolled > _ROUNDS:
            values = [Arg(UNKNOWN)]
        begin, before, found = self.at, self.scope, list[Command]()
        self._unrolled *= len(values)
        for value in values:
            self.at = begin
            if name is not None:
                variables = {**before.variables, name: Variable((value.text,), tuple(value.inside))}
                self.scope = msgspec.structs.replace(before, variables=variables)
            found += self.block(closing)
        self._unrolled //= len(values)
        return found

    def read_case(self) -> list[Command]:
        self.skip_blanks()
        found = [*self.needed_word().inside]
        self.skip_lines()
        if self.keyword() != "in":
            raise Unclear("an `in` is missing in it")
        self.take("in")
        while True:
            self.skip_lines()
            if self.keyword() == "esac":
                self.take("esac")
                return found
            self.at += self.peek() == "("
            while self.peek() != ")":
                self.skip_blanks()
                if self.peek() == "|":
                    self.at += 1
                elif self.peek() != ")":
                    found += self.needed_word().inside
            self.at += 1
            before = self.scope
            found += self.block(";;", "esac")
            self.scope = either(before, self.scope)
            self.at += next((len(end) for end in (";;&", ";;", ";&") if self.text.startswith(end, self.at)), 0)

    def read_test(self) -> list[Command]:
        """Up to `]]`; in there, signs that join and redirect elsewhere only compare."""
        found: list[Command] = []
        while True:
            self.skip_lines(comments=False)
            if self.text.startswith("]]", self.at):
                self.at += 2
                return found
            word = self.word()
            if word is not None:
                found += word.inside
            elif self.peek():
                self.at += 1
            else:
                raise Unclear("a `]]` is missing in it")
