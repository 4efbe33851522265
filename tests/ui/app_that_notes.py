"""app.py in a process that writes down every name it looks up and every address it connects to, and reaches none.

Run as a program: the first word is the file of notes, the others are those of app.py.
"""

from __future__ import annotations

import runpy
import socket
import sys
from pathlib import Path
from typing import Any

from tests.ui.app_server import ROOT

HERE = ("127.0.0.1", "localhost", "0.0.0.0", "::1", "", None)
_look_up, _connect = socket.getaddrinfo, socket.socket.connect


def main(notes: Path, words: list[str]) -> None:
    """Become the app. Its own port is looked up and asked once, when it starts, which is let through."""

    def noted(line: object) -> None:
        with notes.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def looked_up(host: Any, *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - as the socket module has them
        noted(("look up", host))
        if host not in HERE:
            raise socket.gaierror(socket.EAI_NONAME, "nothing is looked up here")
        return _look_up(host, *rest, **more)

    def connected(self: socket.socket, address: Any) -> None:  # noqa: ANN401
        noted(("connect", address))
        if not isinstance(address, str) and address[0] != "127.0.0.1":
            raise ConnectionRefusedError("nothing is reached from here")
        _connect(self, address)

    socket.getaddrinfo = looked_up
    socket.socket.connect = connected  # type: ignore[method-assign, assignment]
    sys.argv = ["app.py", *words]
    runpy.run_path(str(ROOT / "app.py"), run_name="__main__")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
