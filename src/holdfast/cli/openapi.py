"""`holdfast openapi`: the API's description, for those who make clients from it."""

from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.output import print_json


def openapi(url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """Print the server's OpenAPI document (JSON, with or without --json).

    Example: `holdfast openapi > openapi.json`
    """
    print_json(connect(url, token).request("GET", "/openapi.json"))
