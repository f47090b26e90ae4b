"""Starts a server in the background, for those who need one and have none."""

import os
import subprocess
import sys
import time

import httpx

from holdfast.cli.output import say
from holdfast.client import Unreachable
from holdfast.config import load
from holdfast.errors import ConfigError

_START_S = 30.0
_LOG = "serve.log"


def ensure_server(url: str) -> None:
    """Does nothing if one answers. What is started outlives whoever started it. Raises Unreachable, and
    ConfigError if the data folder is of no use."""
    if _answers(url):
        return
    data = load({}, os.environ, None).data
    log = data / _LOG
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    except OSError as cause:
        raise ConfigError(
            f"No server answers at {url}, and none can be started: {cause.filename!r} cannot be written: "
            f"{cause.strerror}; HOLDFAST_DATA names another data folder."
        ) from cause
    try:
        server = subprocess.Popen(
            [sys.executable, "-m", "holdfast", "serve"],
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            start_new_session=True,
        )
    finally:
        os.close(descriptor)
    say(f"holdfast: no server answered at {url}, so one was started; its log is {log}")
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline:
        if _answers(url):
            return
        # Another one may have been quicker, and is about to answer; ours then ends by itself.
        if server.poll() is not None and _is_late(deadline):
            break
        time.sleep(0.05)
    raise Unreachable(f"The server at {url} does not come up; {log} tells more.")


def _is_late(deadline: float) -> bool:
    return time.monotonic() > deadline - _START_S * 2 / 3


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v1/health", timeout=2.0, trust_env=False, verify=False).is_success  # noqa: S501
    except httpx.ReadTimeout:
        return True  # somebody is there, and slow; a second server could not have its port
    except httpx.TransportError:
        return False
