"""A small server on a real socket that follows PROTOCOL.md as a test tells it, faults included."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

TOKEN = "scripted-token"
ENDS = ("agent_complete", "error", "cancelled")


def session_id(number):
    return f"{number:08x}-0000-4000-8000-000000000000"


class Session:
    """A log that can be added to while it is read."""

    def __init__(self, server, number=1, **record):
        self.id = session_id(number)
        self.events = []
        self._server = server
        self.record = {
            "session_id": self.id, "status": "pending", "agent": "demo", "workspace": "/tmp", "task": "the task",
            "runs": 0, "head": 0, "created_at": "2026-01-05T12:00:00.000Z", "updated_at": "2026-01-05T12:00:00.000Z",
        } | record  # fmt: skip

    def add(self, kind, **data):
        with self._server.changed:
            sequence = len(self.events) + 1
            envelope = {"type": kind, "data": data, "timestamp": "2026-01-05T12:00:01.000Z", "sequence": sequence}
            self.events.append(json.dumps(envelope, separators=(",", ":"), ensure_ascii=False).encode())
            self.record["head"] = sequence
            if kind == "user_message":
                self.record |= {"status": "running", "runs": self.record["runs"] + 1, "task": data["text"]}
            if kind in ENDS:
                status = {"success": "complete", "cancelled": "cancelled"}.get(data["stop_reason"], "failed")
                self.record |= {"status": status} | {key: data[key] for key in data if key != "status"}
            self._server.changed.notify_all()

    def say(self, text, *, pieces=()):
        for piece in pieces:
            self.add("message", text=piece, is_partial=True)
        self.add("message", text=text, is_partial=False, full_text=text)

    def end(self, stop_reason="success", kind="agent_complete", **more):
        info = {"reason": "completed", "terminated_by": "agent"}
        self.add(kind, **{"status": "COMPLETE", "stop_reason": stop_reason, "termination_info": info} | more)

    @property
    def is_over(self):
        return self.record["status"] not in ("pending", "running", "waiting")


class ScriptedServer:
    """`cuts` holds, for each coming stream, after how many bytes of frames it breaks (None: never).

    `drops` is how many POSTs are done but not answered. `on_run` and `on_answer` are called for such requests.
    """

    def __init__(self):
        self.changed = threading.Condition()
        self.sessions = {}
        self.requests = []
        self.cuts = []
        self.drops = 0
        self.answers = {}
        self.on_run = lambda session: session.end()
        self.on_answer = lambda session, request_id, decision: None
        self._http = None
        self.port = 0

    def session(self, number=1, **record):
        session = Session(self, number, **record)
        self.sessions[session.id] = session
        return session

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self._http = ThreadingHTTPServer(("127.0.0.1", self.port), handler_for(self))
        self._http.daemon_threads = True
        self._http.block_on_close = False
        self.port = self._http.server_port
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self):
        """Dies: streams break where they are, and nobody listens any more."""
        http, self._http = self._http, None
        if http:
            http.shutdown()
            http.server_close()
        with self.changed:
            self.changed.notify_all()

    @property
    def is_up(self):
        return self._http is not None

    def wait_for(self, condition):
        with self.changed:
            assert self.changed.wait_for(condition, timeout=20), "it did not happen within 20 s"


@contextmanager
def running():
    server = ScriptedServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()


def handler_for(server):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30

        def log_message(self, *_):
            pass

        def do_GET(self):
            self.serve("GET")

        def do_POST(self):
            self.serve("POST")

        def serve(self, method):
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length)
            if len(body) < length:
                # Its sender died between the head and the end of the body: nothing was asked.
                self.close_connection = True
                return None
            url = urlsplit(self.path)
            with server.changed:
                server.requests.append((method, self.path, dict(self.headers), body))
                server.changed.notify_all()
            parts = url.path.removeprefix("/api/v1/").split("/")
            if url.path == "/api/v1/health":
                return self.answer({"status": "ok", "version": "0.1.0"})
            if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                return self.problem(401, "unauthorized", "No credential was given, or a wrong one")
            if method == "POST":
                return self.post(parts, body)
            if parts == ["sessions"]:
                return self.list(parse_qs(url.query))
            session = server.sessions.get(parts[1])
            if session is None:
                return self.problem(404, "not_found", f"There is no session {parts[1]!r}")
            return self.stream(session, parse_qs(url.query)) if parts[2:] else self.answer(session.record)

        def list(self, query):
            fits = [
                s.record
                for s in server.sessions.values()
                if all(s.record.get(key) in query[key] for key in ("status", "agent", "project_id") if key in query)
            ]
            begin = int(query.get("before", ["0"])[0])
            end = begin + min(int(query["limit"][0]), 3)
            page = {"sessions": fits[begin:end], "position": 0}
            self.answer(page | ({"next": str(end)} if end < len(fits) else {}))

        def post(self, parts, body):
            key = self.headers["Idempotency-Key"]
            if key not in server.answers:
                server.answers[key] = self.do(parts, json.loads(body))
            if server.drops:
                server.drops -= 1
                self.close_connection = True
                return None
            status, answer = server.answers[key]
            if status != 200:
                return self.problem(status, *answer)
            return self.answer(answer)

        def do(self, parts, body):
            if parts[1] == "run":
                config = {k: v for k, v in body.get("config", {}).items() if k != "timeout_s"}
                project = config.get("project_id", "")
                known = (s for s in server.sessions.values() if s.record.get("project_id") == project)
                session = next(known, None) or server.session(1, **config)
            else:
                session = server.sessions[parts[1]]
            if parts[-1] in ("run", "task"):
                if session.record["status"] == "running":
                    return 409, ("session_busy", f"Session {session.id} is still running")
                session.add("user_message", text=body["task"])
                server.on_run(session)
                return 200, {"session_id": session.id, "status": "running"}
            if parts[-1] == "cancel":
                if not session.is_over:
                    session.end("cancelled", "cancelled", message="Task was cancelled", resumable=True)
                return 200, session.record
            server.on_answer(session, parts[3], body["decision"])
            return 200, {}

        def answer(self, document, status=200, kind="application/json"):
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def problem(self, status, code, detail):
            document = {"type": "about:blank", "title": code, "status": status, "detail": detail, "code": code}
            self.answer(document, status, "application/problem+json")

        def stream(self, session, query):
            given = self.headers.get("Last-Event-ID", "0")
            after = int(given) if given.isdigit() else 0
            with server.changed:  # an end that comes between the two would not be told to anybody
                head, resume, is_over = len(session.events), "ok", session.is_over
            if after >= head and is_over:
                self.send_response(204)
                self.end_headers()
                return
            if after > head:
                after, resume = 0, "reset"
            budget = server.cuts.pop(0) if server.cuts else None
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            place = json.dumps({"resume": resume, "after": after, "head": head})
            self.chunk(f"retry: 300\n\nevent: stream\ndata: {place}\n\n".encode())
            while True:
                fresh = session.events[after:]
                frames = b"".join(
                    b"id: %d\ndata: %b\n\n" % (number, event)
                    for number, event in enumerate(fresh, after + 1)
                    if not (query.get("partials") == ["false"] and b'"is_partial":true' in event and session.is_over)
                )
                after += len(fresh)  # and not all that there is by now: more may have been added meanwhile
                if budget is not None and len(frames) >= budget:
                    self.chunk(frames[:budget])
                    self.close_connection = True
                    return
                if budget is not None:
                    budget -= len(frames)
                self.chunk(frames)
                with server.changed:
                    waiting = server.changed.wait_for(
                        lambda seen=after: len(session.events) > seen or session.is_over or not server.is_up, timeout=30
                    )
                if not waiting or not server.is_up:
                    self.close_connection = True
                    return
                if session.is_over and after == len(session.events):
                    self.wfile.write(b"0\r\n\r\n")
                    return

        def chunk(self, data):
            if data:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    return Handler
