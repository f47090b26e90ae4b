"""The CLI's side of the HTTP API: requests that may be repeated safely, answers decoded, errors translated."""

import time
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import quote

import httpx
import msgspec

from holdfast.errors import HoldfastError

API = "/api/v1"
# A cancel takes up to 3 s by contract; everything else answers at once.
REQUEST_TIMEOUT = httpx.Timeout(30.0, connect=5.0)
# To ask an agent what it can do, it is started; it has 20 s to answer, and others may be asked before it.
CHECK_TIMEOUT = httpx.Timeout(120.0, connect=5.0)
# The server breathes every 15 s by default; three breaths missed and the connection is taken for dead.
STREAM_TIMEOUT = httpx.Timeout(10.0, connect=5.0, read=45.0)
# How long a POST whose connection broke is repeated: time enough for a service to be restarted.
REPEAT_S = 15.0


class Unreachable(HoldfastError):
    """No server answers."""

    code = "unreachable"
    title = "No server answers"


class Refused(HoldfastError):
    """The server answered with an error; the problem is what it said."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(str(problem.get("detail") or problem.get("title") or "The server refused the request."))
        self.problem = problem

    @property
    def http_status(self) -> int:
        return int(self.problem.get("status", 500))


def delays(cap: float) -> Iterator[float]:
    """How long to wait before each further try: not at all at first, then twice as long each time."""
    yield 0.0
    delay = 0.1
    while True:
        yield min(delay, cap)
        delay = min(delay * 2, cap)


class Client:
    """One server, one credential. Safe to use from several threads."""

    def __init__(self, url: str, http: httpx.Client, *, is_local: bool, token_hint: str = "") -> None:
        self.url = url
        self.is_local = is_local
        self._token_hint = token_hint
        self._http = http

    def close(self) -> None:
        self._http.close()

    def run(self, task: str, config: dict[str, Any]) -> dict[str, Any]:
        return self._post("/sessions/run", {"task": task, **({"config": config} if config else {})})

    def task(self, session_id: str, task: str, timeout_s: float | None) -> dict[str, Any]:
        body: dict[str, Any] = {"task": task} if timeout_s is None else {"task": task, "timeout_s": timeout_s}
        return self._post(f"/sessions/{quote(session_id, safe='')}/task", body)

    def cancel(self, session_id: str) -> dict[str, Any]:
        return self._post(f"/sessions/{quote(session_id, safe='')}/cancel", None)

    def answer(self, session_id: str, request_id: str, decision: str) -> None:
        path = f"/sessions/{quote(session_id, safe='')}/permissions/{quote(request_id, safe='')}/answer"
        self._post(path, {"decision": decision})

    def health(self) -> dict[str, Any]:
        return self._get("/health")

    def agents(self) -> list[dict[str, Any]]:
        return self._get("/agents")["agents"]

    def agent(self, name: str) -> dict[str, Any]:
        return self._get(f"/agents/{quote(name, safe='')}")

    def check_agent(self, name: str) -> dict[str, Any]:
        """What the agent itself says; it is started for that."""
        path = f"{self.url}{API}/agents/{quote(name, safe='')}/check"
        try:
            return self._decoded(self._http.post(path, timeout=CHECK_TIMEOUT))
        except httpx.TransportError as cause:
            raise self._unreachable(cause) from cause

    def session(self, session_id: str) -> dict[str, Any]:
        return self._get(f"/sessions/{quote(session_id, safe='')}")

    def sessions(self, limit: int, **filters: Any) -> dict[str, Any]:
        return self._get("/sessions", limit=limit, **{name: value for name, value in filters.items() if value})

    def all_sessions(self, **filters: Any) -> Iterator[dict[str, Any]]:
        """Every session that fits, newest first, page by page."""
        before = None
        while True:
            page = self.sessions(200, before=before, **filters)
            yield from page["sessions"]
            before = page.get("next")
            if not before:
                return

    def find(self, given: str) -> dict[str, Any]:
        """The record of the session with this id, or the only one whose id begins so."""
        if not given:
            raise Refused({"title": "Bad request", "status": 400, "code": "bad_request", "detail": "The id is empty."})
        if len(given) >= 36:
            return self.session(given)
        found = [record for record in self.all_sessions() if record["session_id"].startswith(given.lower())]
        if len(found) == 1:
            # The list may be older than the record by now.
            return self.session(found[0]["session_id"])
        if not found:
            raise Refused({"title": "Not found", "status": 404, "code": "not_found",
                           "detail": f"There is no session whose id begins with {given!r}."})  # fmt: skip
        shown = ", ".join(record["session_id"] for record in found[:5]) + (", …" if len(found) > 5 else "")
        raise Refused({"title": "Ambiguous id", "status": 409, "code": "ambiguous_id",
                       "detail": f"{len(found)} sessions begin with {given!r}: {shown}."})  # fmt: skip

    def events(self, session_id: str, *, after: int, partials: bool) -> AbstractContextManager[httpx.Response]:
        """The open stream after this position. Raises httpx.TransportError itself: who follows goes on."""
        return self._http.stream(
            "GET",
            f"{self.url}{API}/sessions/{quote(session_id, safe='')}/events",
            params={} if partials else {"partials": "false"},
            headers={"Accept": "text/event-stream", "Last-Event-ID": str(after)},
            timeout=STREAM_TIMEOUT,
        )

    def refusal(self, response: httpx.Response) -> Refused:
        """The error in an answer, whatever stands behind the address."""
        try:
            problem = msgspec.json.decode(response.content, type=dict[str, Any])
        except msgspec.DecodeError:
            problem = {}
        if "code" in problem:
            if response.status_code == 401 and self._token_hint:
                problem["detail"] = f"{str(problem.get('detail', '')).rstrip('.')}; {self._token_hint}."
            return Refused({"status": response.status_code, **problem})
        return self.foreign(response.status_code)

    def foreign(self, status: int) -> Refused:
        """What is at the address speaks HTTP but not our protocol; an error of a proxy stays one (5xx)."""
        detail = f"{self.url} does not answer like a Holdfast server (HTTP {status})."
        return Refused({"title": "Foreign answer", "status": max(400, status), "code": "foreign", "detail": detail})

    def _get(self, path: str, **params: Any) -> dict[str, Any]:
        given = {name: value for name, value in params.items() if value is not None}
        try:
            response = self._http.get(f"{self.url}{API}{path}", params=given, timeout=REQUEST_TIMEOUT)
        except httpx.TransportError as cause:
            raise self._unreachable(cause) from cause
        return self._decoded(response)

    def _post(self, path: str, body: object) -> dict[str, Any]:
        """Repeats the request if its connection breaks: by its key the server does it once only."""
        headers = {"Idempotency-Key": str(uuid.uuid4()), "Content-Type": "application/json"}
        content = b"{}" if body is None else msgspec.json.encode(body)
        give_up_at = time.monotonic() + REPEAT_S
        may_have_arrived = False
        for delay in delays(1.0):
            time.sleep(delay)
            is_last = time.monotonic() > give_up_at
            try:
                response = self._http.post(
                    f"{self.url}{API}{path}", content=content, headers=headers, timeout=REQUEST_TIMEOUT
                )
            except httpx.TransportError as cause:
                never_connected = isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout)
                if is_last or (never_connected and not may_have_arrived):
                    raise self._unreachable(cause) from cause
                may_have_arrived = True
            else:
                # 503: the server stops or waits for its store; nothing was written.
                if response.status_code != 503 or is_last:
                    return self._decoded(response)
                may_have_arrived = True
        raise AssertionError("delays never end")

    def _decoded(self, response: httpx.Response) -> dict[str, Any]:
        if response.is_success:
            try:
                return msgspec.json.decode(response.content, type=dict[str, Any])
            except msgspec.DecodeError:
                pass
        raise self.refusal(response)

    def _unreachable(self, cause: httpx.TransportError) -> Unreachable:
        if isinstance(cause, httpx.ReadTimeout):
            return Unreachable(f"The server at {self.url} took the request but did not answer it in time.")
        hint = "; start one with `holdfast serve`" if self.is_local else ""
        return Unreachable(f"No Holdfast server answers at {self.url}{hint}.")
