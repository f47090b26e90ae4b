"""Reads the words of a command line: quotes, variables, substitutions.

What a word means is worked out as far as the line itself tells: variables that it sets once, the home folder, and
substitutions that only say something (`$(echo rm)`). The rest is UNKNOWN.
"""

import re
from collections.abc import Callable

import msgspec

from holdfast.policy.globs import UNKNOWN
from holdfast.policy.paths import home
from holdfast.policy.shell.commands import Arg, Command, Scope, Variable
from holdfast.policy.shell.text import Unclear, fields, quoted, unescaped, value

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]")
_PARAMETER = re.compile(r"([#!]?)([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])(\[[^\]]*\])?(:?[-=+?]|)")
_ARRAY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[[^\]]*\])?\+?=$")
_ALL = re.compile(r'"\$(?:@|\{(?:@|\w+\[@\])\})"|\\\n')
# Each may have to be read twice, and those within it.
_SUMS = 100
_NOT_CLOSED = "a {} in it is not closed"


class Word(msgspec.Struct):
    source: str
    marked: str
    inside: list[Command]
    is_quoted: bool
    array: list[Arg] | None = None

    def args(self) -> list[Arg]:
        """The words that it becomes; the first of them carries how it is written."""
        texts = fields(self.marked)
        # Quotes make a word even of nothing, but for those of "$@".
        if not texts and self.is_quoted and any(quote in _ALL.sub("", self.source) for quote in "'\"\\"):
            texts = [""]
        return [Arg(text, "" if n else self.source, self.inside) for n, text in enumerate(texts)]


class WordReader:
    """Stands at a place in a text; the grammar (a subclass) reads what is inside of substitutions."""

    def __init__(self, text: str, scope: Scope) -> None:
        self.text = text
        self.at: int = 0
        self.scope = scope
        self._sums = 0

    def commands_until(self, closing: str) -> list[Command]:
        raise NotImplementedError

    def commands_of(self, text: str) -> list[Command]:
        raise NotImplementedError

    def array(self) -> list[Arg]:
        raise NotImplementedError

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.text[place] if place < len(self.text) else ""

    def word(self) -> Word | None:
        """The word that begins here; None if none does."""
        begin, marked, inside, is_quoted = self.at, list[str](), list[Command](), False
        while (character := self.peek()) and character not in " \t\n;&|)":
            if character in "<>" and self.peek(1) != "(":
                break
            if character == "(":
                if not is_quoted and _ARRAY.fullmatch(self.text[begin : self.at]):
                    values = self.array()
                    return Word(self.text[begin : self.at], "".join(marked), inside, False, values)
                break
            is_quoted = is_quoted or character in "'\"\\" or (character == "$" and self.peek(1) in "'\"")
            marked.append(self._piece(character, inside))
        if begin == self.at:
            return None
        return Word(self.text[begin : self.at], "".join(marked), inside, is_quoted)

    def _piece(self, character: str, inside: list[Command]) -> str:
        self.at += 1
        match character:
            case "\\":
                following = self.peek()
                self.at += 1
                return "" if following == "\n" else quoted(following or "\\")
            case "'":
                return quoted(self._until("'", "quote"))
            case '"':
                return self._double(inside)
            case "$" | "`":
                self.at -= 1
                return self._expansion(inside, in_quotes=False)
            case "<" | ">":
                self.at += 1
                inside += self.aside(lambda: self.commands_until(")"))
                return UNKNOWN
            case _:
                return character

    def _until(self, closing: str, what: str) -> str:
        end = self.text.find(closing, self.at)
        if end < 0:
            raise Unclear(_NOT_CLOSED.format(what))
        found = self.text[self.at : end]
        self.at = end + 1
        return found

    def aside(self, read: Callable[[], list[Command]]) -> list[Command]:
        """What a substitution runs changes nothing outside of it."""
        before = self.scope
        commands = read()
        self.scope = before
        return commands

    def _double(self, inside: list[Command]) -> str:
        found = self.expanded(inside, '"')
        if self.peek() != '"':
            raise Unclear(_NOT_CLOSED.format("quote"))
        self.at += 1
        return found

    def expanded(self, inside: list[Command], closing: str) -> str:
        """Text as it is between double quotes, up to `closing` or the end."""
        found: list[str] = []
        while (character := self.peek()) and character != closing:
            if character == "\\":
                following = self.peek(1)
                self.at += 2
                if following != "\n":
                    found.append(quoted(following if following in ("$", "`", "\\", closing) else f"\\{following}"))
            elif character in "$`":
                found.append(self._expansion(inside, in_quotes=True))
            else:
                end = self.at + 1
                while end < len(self.text) and self.text[end] not in ("\\", "$", "`", closing):
                    end += 1
                found.append(quoted(self.text[self.at : end]))
                self.at = end
        return "".join(found)

    def _expansion(self, inside: list[Command], *, in_quotes: bool) -> str:
        """What stands here behind a dollar sign, or between backquotes."""
        give = quoted if in_quotes else value
        if self.peek() == "`":
            commands = self.aside(lambda: self.commands_of(self._backquoted(in_quotes)))
            inside += commands
            return give(self._said(commands))
        match self.text[self.at + 1 : self.at + 2]:
            case "(":
                self.at += 1
                if self.peek(1) == "(" and self.sum_here(inside) is not None:
                    return UNKNOWN
                self.at += 1
                commands = self.aside(lambda: self.commands_until(")"))
                inside += commands
                return give(self._said(commands))
            case "{":
                self.at += 2
                return self._parameter(inside, in_quotes=in_quotes)
            case "[":
                self.at += 2
                self.look_into(self._until("]", "bracket"), inside)
                return UNKNOWN
            case "'" if not in_quotes:
                end = re.compile(r"(?:[^'\\]|\\.)*'", re.DOTALL).match(self.text, self.at + 2)
                if end is None:
                    raise Unclear(_NOT_CLOSED.format("quote"))
                found, self.at = end[0][:-1], end.end()
                return quoted(unescaped(found))
            case '"' if not in_quotes:
                self.at += 2
                return self._double(inside)
            case _:
                name = _NAME.match(self.text, self.at + 1)
                # Only ${12} has two digits; $12 is $1 and a 2.
                known = name[0][0] if name and name[0].isdigit() else name[0] if name else ""
                self.at += 1 + len(known)
                return self._variable(known, inside, in_quotes=in_quotes) if known else quoted("$")

    def _backquoted(self, in_quotes: bool) -> str:
        end = re.compile(r"`((?:[^`\\]|\\.)*)`", re.DOTALL).match(self.text, self.at)
        if end is None:
            raise Unclear(_NOT_CLOSED.format("backquote"))
        self.at = end.end()
        return re.sub(r'\\([$`\\"])' if in_quotes else r"\\([$`\\])", r"\1", end[1])

    def sum_here(self, inside: list[Command]) -> str | None:
        """Reads `((…))` that begins here, and gives its text without what is worked out; None if it is no sum.

        To take it for two subshells would hide what follows: there, `<<` begins a here-document.
        """
        begin, self._sums, commands = self.at, self._sums + 1, list[Command]()
        if self._sums > _SUMS:
            raise Unclear("it has too many `((`")
        self.at += 2
        depth, found = 0, list[str]()
        while character := self.peek():
            if character in "$`":
                self._expansion(commands, in_quotes=True)
                found.append("0")
                continue
            if character in "'\"\\":
                raise Unclear("a `((` in it may be two things")
            if character == ")" and depth == 0:
                if self.peek(1) != ")":
                    break
                self.at += 2
                inside += commands
                return "".join(found)
            depth += (character == "(") - (character == ")")
            found.append(character)
            self.at += 1
        self.at = begin
        return None

    def look_into(self, text: str, inside: list[Command]) -> None:
        """For what runs within an arithmetic expression."""
        here = (self.text, self.at)
        self.text, self.at = text, 0
        self.expanded(inside, "")
        self.text, self.at = here

    def _parameter(self, inside: list[Command], *, in_quotes: bool) -> str:
        found = _PARAMETER.match(self.text, self.at)
        if found is None:
            raise Unclear("a ${ in it names no variable")
        self.at = found.end()
        prefix, name, index, operator = found.groups()
        if index and any(sign in index for sign in "$`"):
            self.look_into(index, inside)  # it is worked out, with what it runs
        rest = self._up_to_brace(inside, in_quotes=in_quotes, is_text=bool(operator))
        known = None if prefix or (rest and not operator) else self.known(name, index)
        if not operator or operator[-1] == "?":
            return UNKNOWN if known is None else self._given(known, inside, name + (index or ""), in_quotes=in_quotes)
        if rest == "~" or (rest.startswith("~/") and not in_quotes):
            rest = home() + rest[1:]
        if known is None:
            # Nobody knows whether the variable has a value, so this is only one of the things that it can be.
            return UNKNOWN + rest + UNKNOWN if operator[-1] == "+" else rest + UNKNOWN
        is_set = any(known.texts)
        if operator[-1] == "+":
            return rest if is_set else ""
        return self._given(known, inside, name + (index or ""), in_quotes=in_quotes) if is_set else rest

    def _up_to_brace(self, inside: list[Command], *, in_quotes: bool, is_text: bool) -> str:
        found: list[str] = []
        while character := self.peek():
            if character == "}":
                self.at += 1
                return "".join(found)
            if character == "'" and in_quotes and is_text:
                self.at += 1
                found.append(quoted(character))
            elif character in " \t\n();&|" or (character in "<>" and (in_quotes or self.peek(1) != "(")):
                self.at += 1
                found.append(quoted(character) if in_quotes else character)
            else:
                piece = self._piece(character, inside)
                found.append(quoted(piece) if character in "{," else piece)
        raise Unclear(_NOT_CLOSED.format("brace"))

    def _variable(self, name: str, inside: list[Command], *, in_quotes: bool) -> str:
        known = self.known(name, None)
        return UNKNOWN if known is None else self._given(known, inside, name, in_quotes=in_quotes)

    def known(self, name: str, index: str | None) -> Variable | None:
        if name == "PWD" and len(self.scope.folders) == 1:
            return Variable(self.scope.folders)
        found = self.scope.variables.get(name)
        if found is None or index in (None, "[@]", "[*]"):
            return found if found is None or index or name in "@*" else Variable(found.texts[:1], found.inside)
        number = index[1:-1]
        if not number.isdecimal():
            return None
        return Variable(found.texts[int(number) : int(number) + 1], found.inside)

    def _given(self, known: Variable, inside: list[Command], name: str, *, in_quotes: bool) -> str:
        inside += known.inside
        if len(inside) > 1000:
            raise Unclear("a word of it needs too many commands")
        if not in_quotes:
            return value(" ".join(known.texts))
        if name == "@" or name.endswith("[@]"):
            return " ".join(quoted(text) for text in known.texts)
        return quoted(" ".join(known.texts))

    def _said(self, commands: list[Command]) -> str:
        """What a substitution gives, if that is known."""
        match commands:
            case [Command(redirects=[], fed_by=[]) as command] if command.words == ["pwd"]:
                return self.scope.folders[0] if len(self.scope.folders) == 1 else UNKNOWN
            case [command] if len(said := command.said) == 1:
                return said[0].rstrip("\n")
            case _:
                return UNKNOWN
