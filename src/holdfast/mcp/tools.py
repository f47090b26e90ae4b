"""All tools, in the order in which an agent meets them."""

from typing import Any

from holdfast.mcp import reading, watching, working
from holdfast.mcp.tool import Tool

ALL: tuple[Tool[Any, Any], ...] = (
    working.START_SESSION,
    watching.WATCH_SESSION,
    working.SEND_TASK,
    working.ANSWER,
    working.CANCEL_SESSION,
    working.PAUSE_SESSION,
    working.RESUME_SESSION,
    working.FORK_SESSION,
    reading.LIST_SESSIONS,
    reading.SHOW_SESSION,
    reading.READ_SESSION,
    reading.LIST_WAITING,
    reading.LIST_AGENTS,
)


def offered(*, reads_only: bool = False, may_answer: bool = True) -> tuple[Tool[Any, Any], ...]:
    return tuple(tool for tool in ALL if (tool.reads or not reads_only) and (may_answer or not tool.answers))
