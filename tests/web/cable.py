"""A cable between browser and server that can be pulled: a TCP proxy on loopback."""

import contextlib
import socket
import threading

from tests.conftest import free_port


class Cable:
    """Passes everything on until it is pulled; then every connection breaks, and new ones are refused."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._links: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.plug()

    def plug(self) -> None:
        listener = socket.create_server(("127.0.0.1", self.port), backlog=64)
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def pull(self) -> None:
        with self._lock:
            listener, self._listener = self._listener, None
            links, self._links = self._links, set()
        if listener is not None:
            # A thread that waits in accept keeps the port until it is woken.
            _end(listener)
        for link in links:
            _end(link)

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._to), timeout=10)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            with self._lock:
                if self._listener is not listener:
                    # It was pulled while this connection was being made, which breaks like all the others.
                    near.close()
                    far.close()
                    return
                self._links |= {near, far}
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(source, sink), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        for link in (source, sink):
            _end(link)
            with self._lock:
                self._links.discard(link)


def _end(link: socket.socket) -> None:
    with contextlib.suppress(OSError):
        link.shutdown(socket.SHUT_RDWR)
    link.close()
