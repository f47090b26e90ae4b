"""The Python client as a driver, with a fault of one's choice: for the suite to find."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "conformance" / "drivers"))

from lines import Lines
from python_client import PythonClient

FAULT = sys.argv[1]


class Broken(PythonClient):
    async def follow(
        self, session_id: str | None, after: int | None, **more: Any
    ) -> AsyncIterator[list[dict[str, Any]]]:
        async for batch in super().follow(session_id, after, **more):
            match FAULT:
                case "doubles":
                    yield [*batch, batch[-1]]
                case "skips":
                    yield batch[1:]
                case "leaves":
                    yield batch
                    return
                case "changes":
                    yield [{**event, "type": "of_its_own"} for event in batch]
                case "raises":
                    raise ValueError("a defect")
                case _:
                    os._exit(3)


if __name__ == "__main__":
    asyncio.run(Lines(Broken).serve())
