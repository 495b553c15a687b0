"""The fork server: waits for calls on a socket, forks a child for each, and dies with its parent."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
from contextlib import suppress
from importlib import import_module

from agentctl.tools.guard.child import run_child
from agentctl.tools.guard.frames import ANSWER, STARTED, STATUS, pack, unpack

# Enough to keep the cores busy; more would let deadlines pass while children wait for a core.
MOST_CHILDREN = max(2, os.cpu_count() or 2)


def serve(control_fd: int) -> None:
    """Serve calls until the other end of `control_fd` closes, then kill this process group, children and all.

    Each message on it is one byte that carries the socket of one call. Must run as the leader of its group.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    try:
        _Server(socket.socket(fileno=control_fd)).loop()
    finally:
        os.killpg(0, signal.SIGKILL)


class _Server:
    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.waiting: list[socket.socket] = []
        self.running: dict[int, socket.socket] = {}
        self.poller = select.poll()
        self.wake, self.alarm = os.pipe()  # a byte for each SIGCHLD, so that poll() hears of it
        os.set_blocking(self.alarm, False)
        signal.set_wakeup_fd(self.alarm, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.poller.register(self.wake, select.POLLIN)
        self.poller.register(control, select.POLLIN)

    def loop(self) -> None:
        while True:
            ready = {fd for fd, _ in self.poller.poll()}
            # In this order: a socket that is accepted may get the number of one that was closed a moment ago,
            # and must not be taken for the one whose end was reported.
            for fd in ready - {self.wake, self.control.fileno()}:
                self._abandon(fd)
            if self.wake in ready:
                os.read(self.wake, 512)
                self._reap()
            if self.control.fileno() in ready and not self._accept():
                return
            while self.waiting and len(self.running) < MOST_CHILDREN:
                self._start(self.waiting.pop(0))

    def _accept(self) -> bool:
        byte, fds, _, _ = socket.recv_fds(self.control, 1, 1)
        for fd in fds:
            connection = socket.socket(fileno=fd)
            self.poller.register(connection, select.POLLHUP)
            self.waiting.append(connection)
        return bool(byte)

    def _start(self, connection: socket.socket) -> None:
        try:
            # The caller wrote the request before it passed the socket, so this does not wait.
            request = json.loads(unpack(connection.recv)[1])
            with suppress(Exception):  # loaded here once; the child reports what is wrong with it
                import_module(request["target"].partition(":")[0])
            connection.sendall(pack(STARTED))
            pid = os.fork()
        except (EOFError, OSError) as error:
            self._refuse(connection, error)
            return
        if pid == 0:
            self._become_child(connection)
            run_child(connection, request)
        self.running[pid] = connection

    def _become_child(self, connection: socket.socket) -> None:
        # A copy of another call's socket would hide its end from whoever waits for it.
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(self.wake)
        os.close(self.alarm)
        for other in (self.control, *self.waiting, *self.running.values()):
            other.close()

    def _refuse(self, connection: socket.socket, error: Exception) -> None:
        body = json.dumps({"error": f"no helper process could be started ({error})"}).encode()
        with suppress(OSError):
            connection.sendall(pack(ANSWER, body))
        self._drop(connection)

    def _abandon(self, fd: int) -> None:
        for pid, connection in self.running.items():
            if connection.fileno() == fd:
                os.kill(pid, signal.SIGKILL)  # not reaped yet, so the number is still this child's
                self.poller.unregister(fd)
                return
        for connection in [one for one in self.waiting if one.fileno() == fd]:
            self.waiting.remove(connection)
            self._drop(connection)

    def _reap(self) -> None:
        while self.running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            connection = self.running.pop(pid)
            body = str(os.waitstatus_to_exitcode(status)).encode()
            with suppress(OSError):  # the caller has its answer and is gone, or its buffer is full of it
                connection.send(pack(STATUS, body), socket.MSG_DONTWAIT)
            self._drop(connection)

    def _drop(self, connection: socket.socket) -> None:
        with suppress(KeyError):
            self.poller.unregister(connection)
        connection.close()
