"""A line to a server that a test can cut: TCP, so that what breaks is what breaks on a train."""

import contextlib
import socket
import threading

from tests.patience import PATIENCE


class CuttableLine:
    """Forwards connections from one loopback port to another; `cut` breaks those that stand."""

    def __init__(self, port: int, upstream: int) -> None:
        self._upstream = upstream
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._lock = threading.Lock()
        self._passing = threading.Event()
        self._passing.set()
        self._listener = socket.create_server(("127.0.0.1", port))
        self._thread = threading.Thread(target=self._accept, name="cuttable line", daemon=True)
        self._thread.start()

    def cut(self, *, dead: bool = False) -> None:
        """Break every connection; with `dead`, refuse new ones until `mend`."""
        if dead:
            self._passing.clear()
        with self._lock:
            pairs, self._pairs = self._pairs, set()
        for pair in pairs:
            for end in pair:
                _close(end)

    def mend(self) -> None:
        """Let connections through again."""
        self._passing.set()

    def close(self) -> None:
        """Break everything and stop listening."""
        _close(self._listener)
        self.cut()
        self._thread.join(timeout=PATIENCE)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self._passing.is_set():
                _close(near)
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._upstream), timeout=PATIENCE)
            except OSError:
                _close(near)
                continue
            far.settimeout(None)
            pair = (near, far)
            with self._lock:
                self._pairs.add(pair)
            for source, target in (pair, pair[::-1]):
                threading.Thread(target=self._pump, args=(source, target, pair), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, pair: tuple[socket.socket, socket.socket]) -> None:
        try:
            while chunk := source.recv(65536):
                target.sendall(chunk)
        except OSError:
            pass
        finally:
            for end in pair:
                _close(end)
            with self._lock:
                self._pairs.discard(pair)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
