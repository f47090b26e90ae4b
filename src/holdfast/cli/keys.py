"""Asks for permission at the keyboard, one key per answer, while the session is being followed."""

import os
import select
import sys
import termios
import threading
import tty
from collections.abc import Callable

DECISIONS: dict[bytes, str] = {
    b"a": "allow_once",
    b"s": "allow_session",
    b"p": "allow_project",
    b"d": "deny",
}
HINT = "a allow once · s for this session · p for this project · d deny"


def can_ask() -> bool:
    """Whether a person sits at the keyboard and we are in the foreground; touching it from behind stops us."""
    try:
        return os.isatty(0) and os.tcgetpgrp(0) == os.getpgrp() and sys.stderr.isatty()
    except OSError:
        return False


class Keyboard:
    """Holds the open requests and answers the first of them with the key that is pressed.

    The terminal's mode is changed only while a request is open, and restored by the thread that changed it.
    `answer` delivers a decision; it answers whether that worked, and if not, the request stays open.
    """

    def __init__(self, answer: Callable[[str, str], bool], fd: int = 0) -> None:
        self._answer = answer
        self._fd = fd
        self._lock = threading.Lock()
        self._open: list[str] = []
        self._listener: threading.Thread | None = None
        self._is_listening = threading.Event()
        self._wake_read, self._wake_write = os.pipe()

    def ask(self, request_id: str) -> None:
        """Returns when a key counts: what is typed before is flushed, and who is shown the keys may press one then."""
        with self._lock:
            if request_id not in self._open:
                self._open.append(request_id)
            if self._listener is None:
                self._is_listening.clear()
                self._listener = threading.Thread(target=self._listen, name="keyboard", daemon=True)
                self._listener.start()
        self._is_listening.wait()

    def settle(self, request_id: str) -> None:
        """The request has its answer, from here or from elsewhere; does nothing if it was not asked here."""
        with self._lock:
            if request_id in self._open:
                self._open.remove(request_id)
            idle = self._listener if not self._open else None
        if idle:
            os.write(self._wake_write, b".")
            idle.join()
            os.read(self._wake_read, 1)
            self._listener = None

    def close(self) -> None:
        for request_id in tuple(self._open) or ("",):
            self.settle(request_id)
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _listen(self) -> None:
        try:
            saved = termios.tcgetattr(self._fd)
            # Flushes what was typed before: a key pressed without having seen the question is no answer to it.
            tty.setcbreak(self._fd, termios.TCSAFLUSH)
        finally:
            self._is_listening.set()
        try:
            while True:
                ready, _, _ = select.select([self._fd, self._wake_read], [], [])
                if self._wake_read in ready:
                    return
                key = os.read(self._fd, 1)
                if not key:
                    return
                self._press(key)
        finally:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, saved)

    def _press(self, key: bytes) -> None:
        with self._lock:
            request_id = self._open[0] if self._open else None
        if request_id is not None and key in DECISIONS and self._answer(request_id, DECISIONS[key]):
            # It stays in line until the log says so (settle): pressed twice, the key must not answer the next one.
            termios.tcflush(self._fd, termios.TCIFLUSH)
