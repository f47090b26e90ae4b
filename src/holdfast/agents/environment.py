"""The environment that an agent gets: an allow-list, never the server's whole one.

The shell from which a server is started is full of credentials that are none of its agents' business, and an agent can
read (and tell) its whole environment. Rule: what holds a secret is passed on only to the agent that is known to need
it, or because the user has listed it.
"""

from collections.abc import Iterable, Mapping

# What every program may expect to find. None of these holds a secret, but a proxy's address may have a password in it:
# without the proxy the agent could not work at all.
_HARMLESS = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "XDG_*"),
    *("LANG", "LANGUAGE", "LC_*", "TERM", "COLORTERM", "TZ"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"),
    *("http_proxy", "https_proxy", "no_proxy", "all_proxy"),
)
_OURS = "HOLDFAST_"


def agent_environment(own: Mapping[str, str], *, extra: Mapping[str, str], names: Iterable[str] = ()) -> dict[str, str]:
    """What of our own environment is harmless or named (`names` may end in *), and `extra` on top. Our settings, the
    token among them, are never passed on, whatever the names say; `extra` may have such variables."""
    wanted = (*_HARMLESS, *names)
    exact = {name for name in wanted if not name.endswith("*")}
    beginnings = tuple(name[:-1] for name in wanted if name.endswith("*"))
    kept = {
        name: value
        for name, value in own.items()
        if (name in exact or name.startswith(beginnings)) and not name.startswith(_OURS)
    }
    return {**kept, **extra}
