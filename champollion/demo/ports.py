"""Say whether a loopback port is free. Standard library only: it runs before anything is installed."""

from __future__ import annotations

import socket
import sys


def is_free(port: int) -> bool:
    """Say whether a server could listen on 127.0.0.1 at ``port`` now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def complaint(text: str) -> str:
    """Return what is wrong with a port given as text, or an empty string."""
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        return f"PORT={text} is no port; give a number such as PORT=8001."
    if not is_free(int(text)):
        return f"Port {text} is taken by another program. Choose another: make demo PORT={int(text) % 65535 + 1}"
    return ""


if __name__ == "__main__":
    sys.exit(complaint(sys.argv[1]) or 0)
