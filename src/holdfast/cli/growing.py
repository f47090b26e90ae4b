"""A text that grows piece by piece: what of it may be printed for good, and what it lacks when its final comes."""

import re

from markdown_it import MarkdownIt

# The same dialect that rich renders.
_PARSER = MarkdownIt().enable("strikethrough").enable("table")
# What the parser takes for a line, so that its line numbers are ours.
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)")


def settled_blocks(markdown: str) -> int:
    """The length of the beginning that no continuation can change: all whole blocks before the last one."""
    # A line that has not ended may still turn out as a part of the block before it.
    whole = markdown[: markdown.rfind("\n") + 1]
    starts = [token.map[0] for token in _PARSER.parse(whole) if token.level == 0 and token.map]
    if not starts:
        return 0
    return sum(map(len, _LINE.findall(whole)[: starts[-1]]))


def settled_lines(text: str) -> int:
    """The same for plain text: its whole lines."""
    return text.rfind("\n") + 1


class Growing:
    """The pieces so far; `printed` tells how much of them has been printed for good."""

    def __init__(self) -> None:
        self.text = ""
        self.printed = 0

    def add(self, piece: str) -> None:
        self.text += piece

    @property
    def pending(self) -> str:
        return self.text[self.printed :]

    def take(self, length: int) -> str:
        """The next part of what is pending, printed from now on."""
        part = self.pending[:length]
        self.printed += len(part)
        return part

    def lacks(self, full: str) -> tuple[str, bool]:
        """What remains to be printed when the whole text is known, and whether it goes on from what was printed.

        Normally the pieces are the text. One who joined in the middle has seen its end only; one whose pieces were
        dropped meanwhile has seen its beginning. Only if neither fits, the whole is said again.
        """
        if full.startswith(self.text[: self.printed]):
            return full[self.printed :], True
        if full.endswith(self.text):
            return self.pending, True
        return full, False
