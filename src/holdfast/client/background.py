"""An event loop in a thread of its own, for callers who have none."""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")

Call = Callable[[], None]
Work = Callable[[], Awaitable[T]]


async def _done(work: Work[T]) -> T:
    return await work()


class Background:
    """Runs coroutines for other threads, which wait for them; Ctrl-C ends the wait and cancels the coroutine."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop
        self._stopped: asyncio.Event
        self._unfinished: set[asyncio.Task[None]] = set()
        ready = threading.Event()
        # A daemon: a program that forgets to close its client can end all the same.
        self._thread = threading.Thread(target=self._run, args=(ready,), name="holdfast-client", daemon=True)
        self._thread.start()
        ready.wait()

    def wait(self, work: Work[T], calls: "SimpleQueue[Call] | None" = None) -> T:
        """What the work answers. What it puts into `calls` meanwhile is called here, in the caller's thread."""
        if self._loop.is_closed():
            raise RuntimeError("This client has been closed.")
        calls = calls if calls is not None else SimpleQueue()
        begun: list[Future[T]] = []

        def over() -> None:
            """Ends this wait, and does nothing in another: one that was broken off leaves its own behind in `calls`."""

        def begin() -> None:
            # Not in the caller's thread: a signal could come between a coroutine and whoever is to run it.
            begun.append(asyncio.run_coroutine_threadsafe(_done(work), self._loop))
            begun[0].add_done_callback(lambda _: calls.put(over))

        def cancel() -> None:
            for future in begun:
                future.cancel()

        try:
            self._loop.call_soon_threadsafe(begin)
            while (call := calls.get()) is not over:
                call()
            return begun[0].result()
        except BaseException:
            with contextlib.suppress(RuntimeError):  # the loop is closed, and all that was in it is over
                self._loop.call_soon_threadsafe(cancel)
            raise

    def finish(self, work: Work[None], calls: "SimpleQueue[Call] | None" = None) -> None:
        """As `wait`; but the garbage collector, which comes by in any thread, cannot wait here for this very thread."""
        if threading.current_thread() is self._thread:
            task = self._loop.create_task(_done(work))
            self._unfinished.add(task)
            task.add_done_callback(self._unfinished.discard)
        else:
            self.wait(work, calls)

    def close(self, last: Work[None]) -> None:
        """Does this, and ends what is under way."""
        self.finish(lambda: self._end(last))
        if threading.current_thread() is not self._thread:
            self._thread.join()

    async def _end(self, last: Work[None]) -> None:
        try:
            await last()
        finally:
            self._stopped.set()

    def _run(self, ready: threading.Event) -> None:
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            self._stopped = asyncio.Event()
            ready.set()
            runner.run(self._stopped.wait())
