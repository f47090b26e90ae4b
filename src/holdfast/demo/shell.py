"""Runs a command in the workspace and takes its output."""

from __future__ import annotations

MOST_OUTPUT = 20_000  # `ls` in a folder of 100,000 files is not worth 8 MB of event
MOST_SECONDS = 10


class CommandFailed(Exception):
    """The command could not be started or did not end in time."""


def run(command: str, cwd: str) -> tuple[int, str]:
    """Exit code and output, stdout and stderr together as a terminal shows them."""
    import subprocess  # 10 ms, which the start need not pay

    try:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=cwd,
            stdin=subprocess.DEVNULL,  # our own stdin is the client's
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=MOST_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CommandFailed(str(error)) from error
    output = done.stdout.decode(errors="replace")
    if len(output) > MOST_OUTPUT:
        output = output[:MOST_OUTPUT] + "\n… (cut)\n"
    return done.returncode, output
