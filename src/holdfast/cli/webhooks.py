"""`holdfast webhooks`: who is told of what happens, and what came of it."""

from typing import Annotated, Any
from urllib.parse import quote

import typer
from rich.text import Text

from holdfast.cli import complete, exits
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.orders import said
from holdfast.cli.output import consoles, print_json, print_line, say
from holdfast.cli.table import Row, print_table
from holdfast.cli.text import age, now, one_line
from holdfast.client.sync import Holdfast
from holdfast.errors import ConfigError, NotFound

EVENTS = ("run.ended", "permission.requested", "question.asked", "run.stalled")
DELIVERY_STYLES = {"delivered": "green", "failed": "red", "pending": "cyan"}

Webhook = Annotated[
    str,
    typer.Argument(
        metavar="WEBHOOK",
        show_default=False,
        autocompletion=complete.webhooks,
        help="Its id, or an unambiguous beginning of it; wh_ may be left out.",
    ),
]
Secret = Annotated[
    str | None,
    typer.Option(
        "--secret", metavar="SECRET", help="One of your own: whsec_ and 24 to 64 bytes in Base64. [default: a new one]"
    ),
]


def list_(url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """List the webhooks.

    Example: `holdfast webhooks list`
    """
    document = connect(url, token).request("GET", "/webhooks")
    if as_json:
        print_json(document)
        return
    if not document["webhooks"]:
        say("No webhooks yet; add one with: holdfast webhooks add URL")
        return
    out, _ = consoles()
    columns = ("id", "state", "url", "events", "project", "description")
    print_table(out, columns, [_webhook(hook) for hook in document["webhooks"]], stretch="events")


def add(
    address: Annotated[str, typer.Argument(metavar="URL", show_default=False, help="Where the messages are sent.")],
    event: Annotated[
        list[str] | None,
        typer.Option(
            "--event",
            "-e",
            metavar="NAME",
            autocompletion=lambda: list(EVENTS),
            help=f"{', '.join(EVENTS)}; may be repeated. [default: all]",
        ),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option(
            "--project", "-p", metavar="NAME", autocompletion=complete.projects, help="Only of this project's session."
        ),
    ] = None,
    description: Annotated[str | None, typer.Option("--description", metavar="TEXT", help="What it is for.")] = None,
    secret: Secret = None,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Add a webhook; prints its id and the secret that its messages are signed with, which is shown only now.

    Example: `holdfast webhooks add https://example.org/hook --event run.ended`
    """
    body = said(url=address, events=event, project_id=project, description=description, secret=secret)
    _print_secret(connect(url, token).request("POST", "/webhooks", body=body), as_json=as_json)


def remove(webhook: Webhook, url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """Remove a webhook, with what has not been delivered yet.

    Example: `holdfast webhooks remove 7d1e`
    """
    holdfast = connect(url, token)
    hook = _find(holdfast, webhook)
    holdfast.request("DELETE", f"/webhooks/{hook['id']}")
    if as_json:
        print_json(hook)
    else:
        say(f"Removed: {one_line(hook['url'])}")


def change(
    webhook: Webhook,
    address: Annotated[str | None, typer.Option("--to", metavar="URL", help="Send the messages there instead.")] = None,
    event: Annotated[
        list[str] | None,
        typer.Option(
            "--event", "-e", metavar="NAME", autocompletion=lambda: list(EVENTS), help="Only these; may be repeated."
        ),
    ] = None,
    description: Annotated[str | None, typer.Option("--description", metavar="TEXT", help="What it is for.")] = None,
    active: Annotated[
        bool | None,
        typer.Option("--on/--off", metavar="", show_default=False, help="Whether it is told anything at all."),
    ] = None,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Change a webhook, or switch it off and on again.

    Example: `holdfast webhooks change 7d1e --off`
    """
    body = said(url=address, events=event, description=description, active=active)
    if not body:
        raise ConfigError("Nothing is to be changed; --to, --event, --description, --on and --off say what.")
    holdfast = connect(url, token)
    hook = holdfast.request("POST", f"/webhooks/{_find(holdfast, webhook)['id']}", body=body)
    if as_json:
        print_json(hook)
    else:
        say(f"{one_line(hook['url'])}: {_state(hook)}, {' '.join(hook['events'])}")


def rotate(
    webhook: Webhook, secret: Secret = None, url: Url = None, token: Token = None, as_json: Json = False
) -> None:
    """Give a webhook a new secret, and print it; for a while messages are signed with the old one too.

    Example: `holdfast webhooks rotate 7d1e`
    """
    holdfast = connect(url, token)
    path = f"/webhooks/{_find(holdfast, webhook)['id']}/rotate"
    _print_secret(holdfast.request("POST", path, body=said(secret=secret)), as_json=as_json)


def send_test(webhook: Webhook, url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """Send a webhook a test message, and tell what came of it; the exit code is 1 if it was not taken.

    Example: `holdfast webhooks test 7d1e`
    """
    holdfast = connect(url, token)
    hook = _find(holdfast, webhook)
    delivery = holdfast.request("POST", f"/webhooks/{hook['id']}/test")
    if as_json:
        print_json(delivery)
    else:
        say(f"{delivery['status'].capitalize()}: {_outcome(delivery)}")
    if delivery["status"] == "failed":
        raise typer.Exit(exits.FAILURE)


def deliveries(
    webhook: Webhook,
    status: Annotated[
        str | None,
        typer.Option(
            "--status",
            "-s",
            metavar="STATUS",
            autocompletion=lambda: list(DELIVERY_STYLES),
            help="pending, delivered or failed.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, max=200, help="At most so many.")] = 20,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """List what a webhook was told, the newest first, and how that went.

    Example: `holdfast webhooks deliveries 7d1e --status failed`
    """
    holdfast = connect(url, token)
    path = f"/webhooks/{_find(holdfast, webhook)['id']}/deliveries"
    document = holdfast.request("GET", path, query={"status": status, "limit": limit})
    if as_json:
        print_json(document)
        return
    if not document["deliveries"]:
        say("Nothing was delivered yet." if status is None else f"No delivery is {status}.")
        return
    out, _ = consoles()
    columns = ("id", "status", "type", "session", "tries", "age", "outcome")
    print_table(out, columns, [_delivery(one) for one in document["deliveries"]], stretch="outcome", right=("age",))
    if document.get("next"):
        say("There are more; --limit shows up to 200.")


def retry(
    webhook: Webhook,
    delivery: Annotated[
        str, typer.Argument(metavar="DELIVERY", show_default=False, help="Its id, as listed; msg_ may be left out.")
    ],
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Deliver something once more.

    Example: `holdfast webhooks retry 7d1e msg_2f…`
    """
    holdfast = connect(url, token)
    hook = _find(holdfast, webhook)
    delivery_id = quote(f"msg_{delivery.removeprefix('msg_')}", safe="")
    found = holdfast.request("POST", f"/webhooks/{hook['id']}/deliveries/{delivery_id}/retry")
    if as_json:
        print_json(found)
    else:
        say(f"On its way again. What came of it: holdfast webhooks deliveries {hook['id'][:8]}")


def build() -> typer.Typer:
    app = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode="markdown",
        help="Tell other programs when a run ends or an agent asks something.\n\n"
        "Example: `holdfast webhooks add https://example.org/hook`",
    )
    app.command("list")(list_)
    for command in (add, remove, change, deliveries, retry, rotate):
        app.command(command.__name__)(command)
    app.command("test")(send_test)
    return app


def _find(holdfast: Holdfast, given: str) -> dict[str, Any]:
    """The webhook of this id, or the only one whose id begins so, be it behind the `wh_` that all have."""
    hooks: list[dict[str, Any]] = holdfast.request("GET", "/webhooks")["webhooks"]
    found = [hook for hook in hooks if given and hook["id"].startswith((given.lower(), f"wh_{given.lower()}"))]
    if not found:
        raise NotFound(f"There is no webhook whose id begins with {given!r}.")
    if len(found) > 1:
        ids = ", ".join(hook["id"] for hook in found[:5])
        raise ConfigError(f"{len(found)} webhooks begin with {given!r}: {ids}.")
    return found[0]


def _print_secret(hook: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(hook)
        return
    print_line(f"id      {hook['id']}")
    print_line(f"secret  {hook['secret']}")
    if hook.get("old_secret_until"):
        say(f"Messages are signed with the old one too until {hook['old_secret_until']}.")


def _state(hook: dict[str, Any]) -> str:
    if hook["active"]:
        return "failing" if hook.get("failing_since") else "on"
    return one_line(f"off: {hook['disabled']}") if hook.get("disabled") else "off"


def _webhook(hook: dict[str, Any]) -> Row:
    style = "yellow" if hook.get("failing_since") or not hook["active"] else "green"
    return {
        "id": hook["id"],
        "state": Text(_state(hook), style),
        "url": one_line(hook["url"], 60),
        "events": " ".join(hook["events"]),
        "project": one_line(hook.get("project_id", ""), 16),
        "description": one_line(hook.get("description", ""), 40),
    }


def _delivery(one: dict[str, Any]) -> Row:
    return {
        "id": one["id"],
        "status": Text(one["status"], DELIVERY_STYLES.get(one["status"], "")),
        "type": one_line(one["type"]),
        "session": one.get("session_id", "")[:8],
        "tries": str(one["attempts"]),
        "age": age(one["created_at"], now()),
        "outcome": _outcome(one),
    }


def _outcome(one: dict[str, Any]) -> str:
    """What the receiver said to it, or why nothing was heard."""
    return one_line(one.get("error") or (f"HTTP {one['response_status']}" if one.get("response_status") else ""))
