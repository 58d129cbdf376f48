"""Ports for servers of tests."""

from __future__ import annotations

import socket


def free_port() -> int:
    """One of the loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
