"""A Unix socket's address holds 107 bytes, a data folder's path may be longer: this leads there anyway."""

import os
from collections.abc import Generator
from contextlib import contextmanager

_ADDRESS_BYTES = 100


@contextmanager
def reachable(path: str) -> Generator[str]:
    """The same path in a form that fits an address, while the context lasts."""
    if len(os.fsencode(path)) <= _ADDRESS_BYTES:
        yield path
        return
    folder, name = os.path.split(path)
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}/{name}"
    finally:
        os.close(descriptor)
