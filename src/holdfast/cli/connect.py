"""Finds the server to talk to and the token for it."""

from holdfast.client.sync import Holdfast


def connect(url: str | None, token: str | None) -> Holdfast:
    """The given server, or the one that the settings describe; holdfast.client.Holdfast says how they are found."""
    return Holdfast(url, token, user_agent="holdfast-cli", credential_option="--token")
