"""Whether a rule's pattern means an address: `domain:example.com` with all below it, or a glob like `https://a.org/x/*`.

Programs differ in how they read a crooked address (`https://good.org\\@bad.org`, `https://good.org%2f@bad.org`), so one
that is not written plainly has no host here: nothing can allow it but a rule without a pattern.
"""

import re

from holdfast.policy.globs import matches

_PLAIN = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?|\[[0-9a-f:.]+\])\.?(?P<port>:\d{1,5})?"
    r"(?P<rest>(?:[/?#][^\x00-\x20\\\x7f]*)?)",
    re.IGNORECASE,
)
# Programs remove these before they ask for the page, so that the page is another one than the glob was shown.
_DOTS = re.compile(r"/(?:\.|%2e){1,2}(?:[/?#]|$)", re.IGNORECASE)
_DOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?|\[[0-9a-f:.]+\]", re.IGNORECASE)
_GLOB = re.compile(r"(?:https?|\*)://(?P<host>[^/?#@\s]+)(?P<rest>(?:[/?#].*)?)", re.DOTALL)


def check(pattern: str) -> None:
    """Raises ValueError, saying what is wrong with the pattern."""
    if pattern.startswith("domain:"):
        if not _DOMAIN.fullmatch(pattern.removeprefix("domain:")):
            raise ValueError("`domain:` needs a plain host name after it")
    elif not _GLOB.fullmatch(pattern):
        raise ValueError("a pattern is `domain:example.com` or begins with http:// or https:// and a host")


def host(url: str) -> str | None:
    """The host, if the address is written plainly."""
    parts = _PLAIN.fullmatch(url)
    return None if parts is None else parts["host"].lower()


def means(pattern: str, url: str) -> bool:
    """Whether a pattern that allows means the address; never if that is not written plainly."""
    parts = _PLAIN.fullmatch(url)
    return parts is not None and not _moves(parts) and _fits(pattern, parts, (parts["host"] + (parts["port"] or ""),))


def touches(pattern: str, url: str) -> bool | None:
    """Whether a pattern that forbids means the address, with or without its port; None if nobody can tell."""
    parts = _PLAIN.fullmatch(url)
    if parts is None:
        return None
    if _fits(pattern, parts, (parts["host"] + (parts["port"] or ""), parts["host"])):
        return True
    return None if _moves(parts) and not pattern.startswith("domain:") else False


def _moves(parts: re.Match[str]) -> bool:
    return _DOTS.search(re.split("[?#]", parts["rest"])[0]) is not None


def _fits(pattern: str, parts: re.Match[str], hosts: tuple[str, ...]) -> bool:
    if pattern.startswith("domain:"):
        domain, host = pattern.removeprefix("domain:").lower(), parts["host"].lower()
        return host == domain or host.endswith("." + domain)
    wanted = _GLOB.fullmatch(pattern)
    if wanted is None:
        return False
    scheme = pattern.partition("://")[0].lower()
    # The host is matched by itself: a star in it must not reach into the path (https://bad.org/x.good.org/).
    # A pattern without a path means the whole site.
    return (
        scheme in ("*", parts["scheme"].lower())
        and any(matches(wanted["host"].lower(), host.lower()) for host in hosts)
        and matches(wanted["rest"] or "*", parts["rest"] or "/")
    )
