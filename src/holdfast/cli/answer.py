"""`holdfast answer`: decides what an agent asks for, or answers its question."""

from typing import Annotated, Any

import typer

from holdfast.cli import asked, complete, documents, prompting, replies, streams
from holdfast.cli.connect import connect
from holdfast.cli.keys import can_ask
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.orders import said
from holdfast.cli.output import print_json, say
from holdfast.cli.paths import path_of
from holdfast.cli.text import DECISIONS
from holdfast.client.sync import Holdfast
from holdfast.errors import ConfigError, NotFound

Waiting = dict[str, Any]


def answer(
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            show_default=False,
            autocompletion=complete.waiting,
            help="The session's id, or a beginning of it. [default: the only one that waits]",
        ),
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ANSWER",
            show_default=False,
            help="To a permission request: allow, session, project or deny. To a question: an option's number or "
            "name, or a text; for several items one each, or ITEM=VALUE; done if there is nothing to fill in.",
        ),
    ] = None,
    request: Annotated[
        str | None, typer.Option("--request", metavar="ID", help="Which one, if the session has asked several things.")
    ] = None,
    message: Annotated[
        str | None, typer.Option("--message", "-m", metavar="TEXT", help="What to tell the agent with it.")
    ] = None,
    tool_input: Annotated[
        str | None,
        typer.Option("--input", metavar="JSON", help="Allow it with this input instead; @FILE or - (stdin) reads it."),
    ] = None,
    deny: Annotated[bool, typer.Option("--deny", metavar="", help="Deny it, or decline to answer.")] = False,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Answer a permission request or a question of an agent.

    Without an answer it shows what is asked and, on a terminal, asks for it. The first answer counts, whoever gives it.

    Examples: `holdfast answer 3f2a allow`, `holdfast answer 3f2a deny -m "Use make test"`,
    `holdfast answer 3f2a --input '{"command": "ls"}'`, `holdfast answer 3f2a 2`,
    `holdfast answer 3f2a size=L colour=red`
    """
    holdfast = connect(url, token)
    found = _find(holdfast, session, request)
    is_said = bool(words or deny or tool_input is not None)
    if is_said and len(found) > 1:
        ids = ", ".join(entry["request"]["request_id"] for entry in found)
        raise ConfigError(
            f"Session {found[0]['session_id'][:8]} asks {len(found)} things; --request says which: {ids}."
        )
    if not is_said and not can_ask():
        entry = found[0]
        command = asked.how(entry["session_id"], entry["type"], entry["request"])
        raise ConfigError(f"No answer is given, and nobody can be asked here; answer with: {command}")
    for entry in found:
        reply = _reply(entry, words or [], tool_input, deny=deny) if is_said else _prompted(entry)
        if reply is None:
            say("Left open.")
            continue
        reply |= said(message=message)
        record = documents.answer(holdfast, entry["session_id"], entry["request"]["request_id"], reply)
        if as_json:
            print_json(record)
        else:
            say("Answered." if "answers" in reply else f"{DECISIONS[reply['decision']].capitalize()}.")


def _find(holdfast: Holdfast, session: str | None, request: str | None) -> list[Waiting]:
    """What is meant, at least one entry; all are of one session."""
    waiting = documents.waiting(holdfast)
    if session is None:
        found = waiting
        if not found:
            raise NotFound("No agent waits for an answer.")
    else:
        # Not among those that wait: the server tells whether there is such a session at all.
        found = [entry for entry in waiting if session and entry["session_id"].startswith(session.lower())]
        if not found:
            record = documents.find(holdfast, session)
            raise NotFound(f"Session {record['session_id'][:8]} asks nothing; it is {record['status']}.")
    sessions = sorted({entry["session_id"][:8] for entry in found})
    if len(sessions) > 1:
        raise ConfigError(f"{len(sessions)} sessions wait for an answer; name one: {', '.join(sessions)}.")
    if request is None:
        return found
    meant = [entry for entry in found if request and entry["request"]["request_id"].startswith(request)]
    if len(meant) != 1:
        ids = ", ".join(entry["request"]["request_id"] for entry in found)
        raise NotFound(f"--request says {request!r}, which is not one of: {ids}.")
    return meant


def _reply(entry: Waiting, words: list[str], tool_input: str | None, *, deny: bool) -> dict[str, Any]:
    """The body that says so. Raises ConfigError if that cannot be meant."""
    if deny:
        if words or tool_input is not None:
            raise ConfigError("--deny stands alone: there is nothing else to answer.")
        return {"decision": "deny"}
    if entry["type"] == "question":
        if tool_input is not None:
            raise ConfigError("--input is for permission requests; this is a question.")
        return {"answers": replies.answers_of(replies.items_of(entry["request"]), words)}
    decision = replies.decision_of(words) if words else "allow_once"
    if tool_input is None:
        return {"decision": decision}
    if decision == "deny":
        raise ConfigError("--input changes what is allowed; a denial has none.")
    if not entry["request"].get("editable"):
        raise ConfigError("--input: the agent does not take another input for this.")
    return {"decision": decision, "input": prompting.parse_input(_read(tool_input))}


def _prompted(entry: Waiting) -> dict[str, Any] | None:
    return prompting.prompt_for(entry["type"], entry["request"])


def _read(given: str) -> bytes | str:
    """As it came: what a tool is allowed must not change on its way, so what is not UTF-8 is refused as no JSON."""
    if given == "-":
        return streams.read_bytes()
    if not given.startswith("@"):
        return given
    try:
        return path_of(given[1:]).read_bytes()
    except OSError as cause:
        raise ConfigError(f"--input: the file {given[1:]!r} cannot be read: {cause.strerror}.") from cause
