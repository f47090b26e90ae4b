"""Collects an agent's stderr: its first and last lines, however much it writes, without secrets."""

import re
from collections import deque
from collections.abc import Iterable, Mapping

from holdfast.events import Stderr

_LINE_CHARACTERS = 500
# Kept of a line before it is cleaned and cut: enough that a secret is not cut in half before it is seen.
_LINE_BYTES = 8192

# Sequences, strings (titles, links) and single commands; a lone ESC matches too, so none is ever left over.
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]*[0-~])?")
_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*|[ -/]*)\Z")
_ESCAPE_CHARACTERS = 1024
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SECRET_SHAPES = re.compile(
    r"""sk-[A-Za-z0-9_-]{16,} | gh[pousr]_[A-Za-z0-9]{20,} | github_pat_\w{20,} | xox[abpr]-[A-Za-z0-9-]{10,}
      | AKIA[0-9A-Z]{16} | AIza[0-9A-Za-z_-]{30,} | eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+
      | (?<=[Bb]earer\ )[\w.~+/=-]{8,} | (?<=://)[^\s:/@]+:[^\s:/@]+(?=@)""",
    re.VERBOSE,
)
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_HIDDEN = "[secret]"


def plain(text: str) -> str:
    """Text without ANSI escapes."""
    return _ANSI.sub("", text) if "\x1b" in text else text


def whole_escapes(text: str) -> tuple[str, str]:
    """The text, and the beginning of an escape at its end whose rest is still to come: agents write in pieces."""
    at = text.rfind("\x1b")
    if at < 0 or len(text) - at > _ESCAPE_CHARACTERS or _UNFINISHED.match(text, at) is None:
        return text, ""
    return text[:at], text[at:]


def secrets_of(environment: Mapping[str, str]) -> list[str]:
    """The values of the agent's environment that must not show up in what it prints, longest first. It is read line
    by line, so a value of several lines (a private key) counts as several."""
    values = [value for name, value in environment.items() if _SECRET_NAME.search(name)]
    found = {line.strip() for value in values for line in value.splitlines()}
    return sorted((line for line in found if len(line) >= 8), key=len, reverse=True)


class StderrCollector:
    """Feed it chunks; it costs a bounded amount of memory whatever comes."""

    def __init__(self, *, head: int, tail: int, secrets: Iterable[str] = ()) -> None:
        self._head_lines = head
        self._tail_lines = tail
        self._secrets = list(secrets)
        self._longest = max(map(len, self._secrets), default=0)
        self._first: list[str] = []  # up to head + tail: as long as nothing must be left out
        self._last: deque[bytes] = deque(maxlen=tail)
        self._line = bytearray()
        self._pending = False
        self.total_lines = 0

    def feed(self, chunk: bytes) -> None:
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            self._keep(line)
            self._close_line()
        if rest:
            self._keep(rest)

    def _keep(self, part: bytes) -> None:
        self._pending = True
        room = _LINE_BYTES - len(self._line)
        if room > 0:
            self._line += part[:room]

    def _close_line(self) -> None:
        self.total_lines += 1
        line = bytes(self._line)
        self._line.clear()
        self._pending = False
        if len(self._first) < self._head_lines + self._tail_lines:
            self._first.append(self._clean(line))
        # Cleaning costs more than the rest; a gigabyte of lines is cleaned only where it is kept.
        self._last.append(line)

    def _clean(self, line: bytes) -> str:
        text = _CONTROL.sub("", plain(line.decode("utf-8", "replace").rstrip("\r")))
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        text = _SECRET_SHAPES.sub(_HIDDEN, text)
        if len(line) == _LINE_BYTES:
            text = text[: max(0, len(text) - self._longest)]  # the end of a line that was cut may be half a secret
        return text if len(text) <= _LINE_CHARACTERS else text[:_LINE_CHARACTERS] + "..."

    def result(self) -> Stderr | None:
        """What a user gets to see; None if there was nothing."""
        if self._pending:
            self._close_line()
        if self.total_lines == 0:
            return None
        if self.total_lines <= self._head_lines + self._tail_lines:
            return Stderr(head="\n".join(self._first), truncated=False, total_lines=self.total_lines)
        return Stderr(
            head="\n".join(self._first[: self._head_lines]),
            tail="\n".join(self._clean(line) for line in self._last),
            truncated=True,
            total_lines=self.total_lines,
        )
