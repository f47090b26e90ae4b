"""What becomes of a shell word's text: marks for what was quoted, braces, fields, escapes.

While a word is read, MARK stands before each quoted character that would mean something otherwise. So white space
without a mark can only have come out of a variable, and parts the word, as the shell would.
"""

import re
from itertools import pairwise

from holdfast.policy.globs import UNKNOWN, braces
from holdfast.policy.paths import home

MARK = "\1"
_MARKED = frozenset("{},~*?[] \t\n")
# More words than this from one pair of braces are no honest command line.
_ALTERNATIVES = 256
_TOO_LONG = 20_000


class Unclear(ValueError):
    """The command line could not be taken apart; the message completes "It cannot be checked, because …"."""


def quoted(text: str, special: frozenset[str] | str = _MARKED) -> str:
    return "".join(MARK + character if character in special else character for character in text)


def value(text: str) -> str:
    """What an expansion gives without quotes: it is parted into fields, but braces and `~` in it mean themselves."""
    return quoted(text, "{},~") if len(text) <= _TOO_LONG else UNKNOWN


def plain(marked: str) -> str:
    return marked.replace(MARK, "")


def fields(marked: str) -> list[str]:
    """All the words that one word as written becomes, without marks."""
    if marked.count("{") > _ALTERNATIVES:
        raise Unclear("it has too many braces in one word")
    return [plain(_at_home(field)) for one in _braces(marked) for field in _parted(one)]


def assigned(marked: str) -> str:
    """The text after `name=`, which is neither parted nor has braces."""
    return plain(_at_home(marked))


def _at_home(marked: str) -> str:
    return home() + marked[1:] if marked == "~" or marked.startswith("~/") else marked


def _parted(marked: str) -> list[str]:
    return re.findall(f"(?:{MARK}.|[^ \t\n])+", marked, re.DOTALL)


def _braces(marked: str) -> list[str]:
    place = 0
    while place < len(marked):
        if marked[place] == MARK:
            place += 1
        elif marked[place] == "{":
            closed, commas = braces(marked, place, escape=MARK)
            if closed is not None and (commas or ".." in marked[place:closed]):
                edges = [place, *commas, closed]
                pieces = [marked[begin + 1 : end] for begin, end in pairwise(edges)]
                # A range like {a..z} is some text; which, does not matter here.
                choices = [one for piece in pieces for one in _braces(piece)] if commas else [UNKNOWN]
                rests = _braces(marked[closed + 1 :])
                if len(choices) * len(rests) > _ALTERNATIVES:
                    raise Unclear("its braces stand for too many words")
                return [marked[:place] + choice + rest for choice in choices for rest in rests]
        place += 1
    return [marked]


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c.|.)", re.DOTALL)
_ECHOED = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|0[0-7]{0,3}|[\\abeEfnrtv])")


def unescaped(text: str, escape: re.Pattern[str] = _ESCAPE) -> str:
    """With `\\n`, `\\x41`, `\\101` and their like read, as $'…' and `printf` do."""

    def one(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "xuU" and len(code) > 1:
            return _character(int(code[1:], 16))
        if code[0] in "01234567":
            return _character(int(code, 8))
        return _ESCAPES.get(code, UNKNOWN if len(code) > 1 else code)

    return escape.sub(one, text)


def _character(number: int) -> str:
    """Characters that mean something to us while we read are as good as unknown."""
    return chr(number) if 1 < number < 0x110000 else UNKNOWN


def printed(words: list[str]) -> list[str]:
    """What `echo` or `printf` with these words may say; nothing for another command."""
    match words:
        case ["echo", *rest]:
            while rest and re.fullmatch("-[neE]+", rest[0]):
                rest = rest[1:]
            # Shells differ in whether it reads escapes without being told.
            said = " ".join(rest)
            return list(dict.fromkeys((said, unescaped(said, _ECHOED))))
        case ["printf", "--", *rest] | ["printf", *rest] if rest and (rest[0] == "-" or not rest[0].startswith("-")):
            return [_formatted(rest[0], rest[1:])]
        case _:
            return []


def _formatted(form: str, values: list[str]) -> str:
    left = list(values)

    def one(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        return left.pop(0) if left else ""

    pattern = re.compile(r"%(?:[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]|%)")
    said = pattern.sub(one, unescaped(form))
    takes = any(found != "%%" for found in pattern.findall(form))
    while left and takes and len(said) <= _TOO_LONG:
        said += pattern.sub(one, unescaped(form))
    return UNKNOWN if left and takes else said
