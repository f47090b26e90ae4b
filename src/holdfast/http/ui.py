"""The web UI: its built files, read once at start, and the paths of the app that all lead to its one page.

Rule 1: nothing is served that was not among the files at start; a request's path is looked up, never opened.
Rule 2: the app's shell is no secret and needs no credential; what it shows comes from the API, which does.
Rule 3: a missing file is 404, never the page: a script that is HTML would hide what is wrong.
"""

import hashlib
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from holdfast import __version__
from holdfast.errors import MethodNotAllowed, NotFound
from holdfast.http.context import context_of
from holdfast.http.login import let_in
from holdfast.http.problems import problem

FOLDER = Path(__file__).parents[1] / "_web"

# Fixed, since the system's own table of types differs from one machine to the next.
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src {style}; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    # What an agent wrote can become markup only by way of a sink that takes text for script: they are all closed.
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)
_HEADERS = {
    "content-security-policy": _POLICY.format(style="'self'"),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"


class _File(msgspec.Struct, frozen=True):
    body: bytes
    squeezed: bytes | None
    media_type: str
    etag: str
    cache: str


class Ui:
    """An ASGI application for every path that is none of the API's."""

    def __init__(self, folder: Path) -> None:
        """Reads all of it, about a megabyte: while a new build replaces the files, the old ones fit together."""
        self._files = {path: _read(folder, path) for path in _names(folder)}
        self._page = self._files.get("/index.html")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._answer(Request(scope, receive))
        for name, value in _HEADERS.items():
            answer.headers.setdefault(name, value)
        await answer(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        path = request.scope["path"]
        if request.method not in ("GET", "HEAD"):
            answer = problem(MethodNotAllowed(f"{request.method} is not possible at {path!r}"))
            answer.headers["allow"] = "GET, HEAD"
            return answer
        if path in self._files and path != "/index.html":
            return _file(request, self._files[path])
        if not _is_of_the_app(path):
            return problem(NotFound(f"There is nothing at {path!r}"))
        if "token" in request.query_params:
            return _log_in(request, path)
        return _not_built() if self._page is None else _file(request, self._page)


def _names(folder: Path) -> list[str]:
    """The paths under which its files are asked for. What begins with a dot is the build's own."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return [f"/{path.relative_to(folder).as_posix()}" for path in files if path.suffix != ".gz"]


def _read(folder: Path, path: str) -> _File:
    file = folder / path[1:]
    body = file.read_bytes()
    squeezed = file.with_name(f"{file.name}.gz")
    return _File(
        body=body,
        squeezed=squeezed.read_bytes() if squeezed.is_file() else None,
        media_type=_TYPES.get(file.suffix, "application/octet-stream"),
        etag=hashlib.sha256(body).hexdigest()[:32],
        # The names there have a hash of what is in them: another content has another name.
        cache=_FOR_EVER if path.startswith("/assets/") else _ASK_AGAIN,
    )


def _is_of_the_app(path: str) -> bool:
    """Whether a path may be one of the app's own. What begins with two slashes would be another host in a redirect."""
    first, _, rest = path[1:].partition("/")
    if first == "assets" or first.startswith(".") or path.startswith("//"):
        return False
    # /favicon.ico, /robots.txt: the name of a file. A dot further down is part of an id.
    return bool(rest) or "." not in first or path == "/index.html"


def _file(request: Request, file: _File) -> Response:
    headers = {"cache-control": file.cache, "vary": "accept-encoding"}
    if file.squeezed is not None and _takes_gzip(request.headers.get("accept-encoding", "")):
        body, etag = file.squeezed, f'"{file.etag}-gzip"'
        headers["content-encoding"] = "gzip"
    else:
        body, etag = file.body, f'"{file.etag}"'
    headers["etag"] = etag
    if etag in _etags(request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers=headers)
    headers["content-type"] = file.media_type
    return Response(body, headers=headers)


def _etags(header: str) -> set[str]:
    """A proxy that recodes may have marked ours as weak; for a GET they compare alike."""
    return {part.strip().removeprefix("W/") for part in header.split(",")}


def _takes_gzip(accepted: str) -> bool:
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == "gzip":
            # q=0 in any spelling is a refusal.
            return any(digit in weight for digit in "123456789") if "=" in weight else True
    return False


def _log_in(request: Request, path: str) -> Response:
    """The token must not stay in the address bar, the history or a referrer."""
    token = request.query_params["token"]
    if context_of(request).doorkeeper.user_of(token) is None:
        return _redirect("/login?wrong=1")
    rest = [item for item in parse_qsl(request.url.query, keep_blank_values=True) if item[0] != "token"]
    answer = _redirect(quote(path) + (f"?{urlencode(rest)}" if rest else ""))
    let_in(answer, request, token)
    return answer


def _redirect(where: str) -> Response:
    return RedirectResponse(where, status_code=303, headers={"cache-control": "no-store"})


_STYLE = """
  :root { color-scheme: light dark; }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 4rem auto; padding: 0 1.25rem; }
  pre { font: 0.875rem/1.6 ui-monospace, monospace; padding: 1rem; border: 1px solid; border-radius: 8px;
        overflow-x: auto; }
"""
_PAGE = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Holdfast</title>
<style>{_STYLE}</style>
<h1>Holdfast {escape(__version__)}</h1>
<p>The server is up, but this copy of Holdfast has no web UI: it was installed without its built files.
In a checkout of the source, with Node.js and npm installed, build it and start the server again:</p>
<pre>make ui</pre>
<p>Everything works from a terminal meanwhile:</p>
<pre>holdfast run "Say hello"
holdfast ls
holdfast attach ID</pre>
</html>
"""


def _not_built() -> Response:
    """503: what is asked for is not there now, and whoever looks after the server can change that."""
    style = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    headers: Mapping[str, str] = {
        "content-security-policy": _POLICY.format(style=f"'sha256-{style}'"),
        "cache-control": "no-store",
    }
    return HTMLResponse(_PAGE, status_code=503, headers=headers)
