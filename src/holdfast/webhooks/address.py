"""Where a webhook may lead.

Whoever has a token may run programs on this machine, so addresses of the own network are allowed. Link-local ones and
a few others are not: there cloud machines hand out their credentials to whoever asks, and no receiver of ours lives
there.
"""

import asyncio
import contextlib
import ipaddress
import socket
import threading

import httpx

from holdfast.errors import BadRequest

_CHARACTERS = 2_000
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Those of their kind that are not link-local: Amazon's and Google's of IPv6, Alibaba's, and Azure's host.
_METADATA = frozenset(
    ipaddress.ip_address(address) for address in ("fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "168.63.129.16")
)


class Refused(Exception):
    """Nothing is sent to this address."""


def check_url(given: str) -> None:
    """Raises BadRequest for what is no address of a receiver."""
    if len(given) > _CHARACTERS:
        raise BadRequest(f"The url has at most {_CHARACTERS} characters, not {len(given)}")
    try:
        url = httpx.URL(given)
    except httpx.InvalidURL as reason:
        raise BadRequest(f"The url {given!r} is none: {reason}") from reason
    if url.scheme not in ("http", "https"):
        raise BadRequest(f"The url {given!r} must begin with http:// or https://")
    if not url.host or "%" in url.host:
        raise BadRequest(f"The url {given!r} does not name a host")
    if url.port is not None and not 1 <= url.port <= 65535:
        raise BadRequest(f"The url {given!r} has the port {url.port}, which is none")
    try:
        check_address(url.host)
    except Refused as reason:
        raise BadRequest(str(reason)) from reason


def check_address(host: str) -> None:
    """Raises Refused for an address that nothing is sent to. Does nothing for a name."""
    address = _literal(host)
    if address is not None and address.is_link_local:
        raise Refused(f"Nothing is sent to the address {host}: it is link-local")
    if address in _METADATA:
        raise Refused(f"Nothing is sent to the address {host}: it hands out credentials of the machine")


def is_loopback(host: str) -> bool:
    address = _literal(host)
    return host == "localhost" if address is None else address.is_loopback


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, none of them refused; raises OSError if there are none, and Refused."""
    if _literal(host) is not None:
        check_address(host)
        return [host]
    found = await _look_up(host, port)
    for address in found:
        # All of them: who may choose between a good and a bad one would be asked until it is the bad one.
        check_address(address)
    return found


async def _look_up(host: str, port: int) -> list[str]:
    """In a thread of its own: the resolver can hang for long, and must hold up neither others nor a stop."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def tell(found: list[str] | OSError) -> None:
        if answer.done():
            return  # nobody waits any more
        if isinstance(found, OSError):
            answer.set_exception(found)
        else:
            answer.set_result(found)

    def work() -> None:
        try:
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
        except OSError as error:
            found = error
        except UnicodeError:
            found = OSError(f"{host!r} is not a name of the internet")
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(tell, found)

    threading.Thread(target=work, name="holdfast-lookup", daemon=True).start()
    return await answer


def _literal(host: str) -> _Address | None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
