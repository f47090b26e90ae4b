"""Runs a program in a process of its own: for what ends everything below its process, or takes its signals."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

_HEAD = """
import asyncio, json, os, signal, subprocess, sys, textwrap, time
from holdfast.agents import tree
from holdfast.agents.process import AgentProcess
from holdfast.agents.stderr import StderrCollector
from tests.processes import eventually, is_alive, state_of, zombies_of

def tell(**found): print(json.dumps(found), flush=True)
def python(program, *arguments):
    return [sys.executable, "-I", "-S", "-c", textwrap.dedent(program), *map(str, arguments)]
def reaping(): asyncio.get_running_loop().add_signal_handler(signal.SIGCHLD, lambda: tree.reap_orphans(keep=None))
async def until(condition):
    async with asyncio.timeout(30):
        while not condition(): await asyncio.sleep(0.01)
def zombies(): return zombies_of(os.getpid())
"""
ROOT = Path(__file__).parents[2]


def alone(program: str, *arguments: object, seconds: float = 60) -> dict[str, Any]:
    """What the program told."""
    found = subprocess.run(
        _command(program, arguments), stdout=subprocess.PIPE, timeout=seconds, cwd=ROOT, env=_environment(), check=True
    )
    return json.loads(found.stdout)


def started(program: str, *arguments: object) -> "subprocess.Popen[bytes]":
    """The program, under way: what it tells can be read from its stdout."""
    return subprocess.Popen(_command(program, arguments), stdout=subprocess.PIPE, cwd=ROOT, env=_environment())


def _command(program: str, arguments: tuple[object, ...]) -> list[str]:
    return [sys.executable, "-c", _HEAD + textwrap.dedent(program), *map(str, arguments)]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONWARNINGS": "ignore"}
