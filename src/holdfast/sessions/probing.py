"""The server's side of a probe: runs `holdfast.agents.probe` in an empty folder and takes its answer.

A process of its own, because whoever asks an agent must end everything below itself afterwards, which the server
must not do, and because the SDK that one of them needs is large.
"""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Mapping

import msgspec

from holdfast.agents.child import Child
from holdfast.agents.inquiry import Found, Inquiry

# Beside the time for the answer: to start Python, to import the SDK, to end the agent.
_SLACK_S = 15.0
# A server has 10 s to stop; what does not leave by then is killed.
_LEAVE_S = 3.0
# A list of an agent's models and options may be long.
_ANSWER_BYTES = 16 * 1024 * 1024


async def probe(inquiry: Inquiry, environment: Mapping[str, str]) -> Found:
    """Never raises: what went wrong is in the answer. The agent gets just this environment."""
    try:
        folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="holdfast-probe-")
    except OSError as error:
        return Found(error=f"could not be asked: {error.strerror or error}")
    try:
        found = await _run(inquiry, environment, folder)
        if found is None:
            # When a keeper's guard is killed, the server kills whatever has no guard, a probe too: once more, then.
            found = await _run(inquiry, environment, folder)
        return found or Found(error="could not be asked: the check itself ended without an answer")
    except OSError as error:
        return Found(error=f"could not be asked: {error.strerror or error}")
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def _run(inquiry: Inquiry, environment: Mapping[str, str], folder: str) -> Found | None:
    child = await Child.start(
        (sys.executable, "-I", "-m", "holdfast.agents.probe"),
        cwd=folder,
        environment=environment,
        given=msgspec.json.encode(inquiry) + b"\n",
        most=_ANSWER_BYTES,
    )
    try:
        return msgspec.json.decode(await child.printed(inquiry.timeout_s + _SLACK_S), type=Found)
    except TimeoutError:
        return Found(error=f"did not answer within {inquiry.timeout_s:g} s")
    except msgspec.DecodeError:
        return None
    finally:
        # Its stdin is closed first, which tells it that nobody waits: it ends the agent, then itself.
        await child.end(patience_s=_LEAVE_S)
