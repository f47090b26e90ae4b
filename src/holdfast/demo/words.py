"""Reads the words in a prompt that make the agent misbehave; pure."""

from __future__ import annotations

import re
from signal import Signals

WORDS = ("crash", "stderr", "flood", "tools", "slow", "hang", "garbage", "ask", "orphan", "stubborn")

# Whole words: neither "crashed" nor the parts of "crash.py", "src/crash" and "crash-test".
WHOLE = r"(?<![\w./-])(?:%s)(?![\w/-]|\.\w)"
PATTERN = WHOLE % f"({'|'.join(WORDS)})" + r"(?:\s+" + WHOLE % r"(\d+(?:\.\d+)?|sig[a-z0-9]+)" + ")?"

# word: the number if none is given, the least, the most
NUMBERS = {
    "crash": (1, 0, 255),
    "stderr": (10, 1, 10_000_000),
    "flood": (1000, 1, 10_000_000),
    "tools": (100, 1, 10_000_000),
}
SECONDS = (10.0, 0.1, 3600.0)


class Act:
    """A word with its argument."""

    def __init__(self, word: str, argument: str | None) -> None:
        self.word = word
        self.signal: Signals | None = None
        if word == "crash" and argument and argument.upper() in Signals.__members__:
            self.signal = Signals[argument.upper()]
            argument = None
        default, least, most = NUMBERS.get(word, (1, 1, 1))
        self.number = int(clamp(argument, default, least, most))

    @property
    def steps(self) -> int:
        """How many moments it takes when it is slow; being stubborn and hanging begin at once."""
        if self.word in ("stderr", "flood", "tools"):
            return self.number
        return 0 if self.word in ("stubborn", "hang") else 1

    def __str__(self) -> str:
        return f"{self.word} {self.number}" if self.word in NUMBERS else self.word


def read(prompt: str) -> tuple[list[Act], float | None]:
    """The acts in the order in which they stand, and the seconds that they shall take (None: not said)."""
    acts: list[Act] = []
    seconds = None
    for match in re.finditer(PATTERN, prompt, re.IGNORECASE):
        word = match[1].lower()
        if word == "slow":
            seconds = clamp(match[2], *SECONDS)
        else:
            acts.append(Act(word, match[2]))
    return acts, seconds


def clamp(argument: str | None, default: float, least: float, most: float) -> float:
    # float() reads any number of digits; int() refuses more than 4,300 of them.
    if argument is None or not argument[0].isdigit():
        return default
    return max(least, min(float(argument), most))
