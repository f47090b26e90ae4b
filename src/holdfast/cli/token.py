"""`holdfast token`: the token that the other commands use, for what must be given it by hand."""

from typing import Annotated
from urllib.parse import quote

import typer

from holdfast.cli.options import Json, Token, Url
from holdfast.cli.output import print_json, print_line
from holdfast.client.address import locate
from holdfast.errors import ConfigError


def token(
    link: Annotated[
        bool,
        typer.Option("--link", metavar="", help="Print the address that opens the web UI and logs in, instead."),
    ] = False,
    url: Url = None,
    given: Token = None,
    as_json: Json = False,
) -> None:
    """Print the token, and nothing else. Whoever has it can do everything.

    The server is not asked, and need not run.

    Examples: `curl -H "Authorization: Bearer $(holdfast token)" …`, `xdg-open "$(holdfast token --link)"`
    """
    address = locate(url, given, credential_option="--token")
    if not address.token:
        raise ConfigError(f"There is no token for {address.url}: {address.token_hint}.")
    login = f"{address.url}/?token={quote(address.token, safe='')}"
    if as_json:
        print_json({"url": address.url, "token": address.token, "link": login})
    else:
        print_line(login if link else address.token)
