"""The page's port, checked before the slow imports so that a busy port is reported at once."""

from __future__ import annotations

import socket
import sys

from explorer.settings import PAGE_HOST


def port_is_free(port: int) -> bool:
    """Whether this program could listen on `port` now."""
    with socket.socket() as probe:
        # the server sets it too, to reuse a port in TIME_WAIT
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((PAGE_HOST, port))
        except OSError:
            return False
    return True


def announce(port: int) -> bool:
    """Print the page's address; if the port is in use, print that and return False."""
    if not port_is_free(port):
        sys.stderr.write(
            f"Port {port} is in use: another program, perhaps another Tailscope, is listening on it.\n"
            f'Choose another one, for example: make run ARGS="--port {port + 1}"\n'
        )
        return False
    sys.stdout.write(f"Tailscope is starting on http://{PAGE_HOST}:{port} - stop it with Ctrl-C\n")
    sys.stdout.flush()
    return True
