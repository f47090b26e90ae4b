"""Globs as rules write them: `*` is any text, `?` one character, and a backslash makes the next character mean itself.

There are no `[…]` classes: file names like `app/[id]/page.tsx` and commands like `[ -f x ]` mean themselves.
"""

import re
from itertools import pairwise

# What is not known of a command, such as a variable's value: only `*` may stand for it. No command can contain it.
UNKNOWN = "\0"
SPECIAL = "\\*?"
PATH_SPECIAL = "\\*?{},"
# Beyond this a text is not looked at for what it may become; it may become anything.
_HEAD_CHARACTERS = 4000


def may_vanish(word: str) -> bool:
    """Whether nothing may be left of a shell's word once what is unknown in it is known."""
    return not word or (word[0] == UNKNOWN and word[-1] == UNKNOWN)


def escaped(text: str, special: str = SPECIAL) -> str:
    """The glob that means exactly this text."""
    return "".join(f"\\{character}" if character in special else character for character in text)


def tokens(glob: str) -> list[tuple[str, bool]]:
    """Each character, and whether it is a wildcard; raises ValueError if the glob ends in a lone backslash."""
    found: list[tuple[str, bool]] = []
    characters = iter(glob)
    for character in characters:
        if character == "\\":
            following = next(characters, None)
            if following is None:
                raise ValueError("the pattern ends in a backslash")
            found.append((following, False))
        else:
            found.append((character, character in "*?"))
    return found


def literal(glob: str) -> str | None:
    """The one text that the glob means; None if it has wildcards."""
    parts = tokens(glob)
    return None if any(wild for _, wild in parts) else "".join(character for character, _ in parts)


def matches(glob: str, text: str) -> bool:
    """Whether the glob means the whole text, `*` standing for any characters at all."""
    # Each piece between two stars is taken where it first fits and never tried elsewhere: no glob, however many
    # stars it has, takes more than one pass per piece.
    pieces: list[str] = [""]
    for character, wild in tokens(glob):
        if wild and character == "*":
            pieces.append("")
        else:
            pieces[-1] += f"[^{UNKNOWN}]" if wild else re.escape(character)
    if len(pieces) == 1:
        return re.fullmatch(pieces[0], text, re.DOTALL) is not None
    first, *middle, last = pieces
    between = "".join(f"(?>.*?{piece})" for piece in middle if piece)
    return re.fullmatch(f"{first}{between}.*{last}", text, re.DOTALL) is not None


def could_match(glob: str, head: str) -> bool:
    """Whether some text that begins with `head` is meant by the glob."""
    if len(head) > _HEAD_CHARACTERS:
        return True
    parts = tokens(glob)
    at = _past_stars(parts, {0})
    for character in head:
        at = _past_stars(
            parts,
            {
                place if parts[place] == ("*", True) else place + 1
                for place in at
                if place < len(parts) and (parts[place][1] or parts[place][0] == character)
            },
        )
        if not at:
            return False
    return True


def _past_stars(parts: list[tuple[str, bool]], at: set[int]) -> set[int]:
    """These places in the glob, and those behind the stars that may stand for nothing."""
    reached = set(at)
    for place in at:
        while place < len(parts) and parts[place] == ("*", True):
            place += 1
            reached.add(place)
    return reached


def alternatives(glob: str) -> list[str]:
    """The globs that `{a,b}` in this one stands for; a brace without its partner means itself."""
    opened = _find(glob, "{", 0)
    while opened is not None:
        closed, commas = braces(glob, opened, escape="\\")
        if closed is not None and commas:
            edges = [opened, *commas, closed]
            choices = [glob[begin + 1 : end] for begin, end in pairwise(edges)]
            rests = alternatives(glob[closed + 1 :])
            heads = [glob[:opened] + inner for choice in choices for inner in alternatives(choice)]
            if len(heads) * len(rests) > 1000:
                raise ValueError("the pattern has too many alternatives")
            return [head + rest for head in heads for rest in rests]
        opened = _find(glob, "{", opened + 1)
    return [glob]


def _find(glob: str, wanted: str, begin: int) -> int | None:
    place = begin
    while place < len(glob):
        if glob[place] == "\\":
            place += 1
        elif glob[place] == wanted:
            return place
        place += 1
    return None


def braces(text: str, opened: int, *, escape: str) -> tuple[int | None, list[int]]:
    """Where the brace that opens there closes, and its commas; what stands behind an escape means itself."""
    depth, commas, place = 0, list[int](), opened
    while place < len(text):
        match text[place]:
            case character if character == escape:
                place += 1
            case "{":
                depth += 1
            case "}":
                depth -= 1
                if depth == 0:
                    return place, commas
            case "," if depth == 1:
                commas.append(place)
            case _:
                pass
        place += 1
    return None, []
