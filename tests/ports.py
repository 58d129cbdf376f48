"""Ports for servers of tests."""

from __future__ import annotations

import socket
from random import SystemRandom

# Below those that the kernel gives to clients, and to servers that ask for any: between the choice
# of a port and the start of its server, which may take seconds, nobody else gets it.
_PORTS = range(10_000, 32_000)


def free_port() -> int:
    """One of the loopback that nobody listens on."""
    while True:
        port = SystemRandom().choice(_PORTS)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
