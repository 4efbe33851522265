"""A page that imports the app's modules without the app: a server of `static/` alone, one for all tests."""

from __future__ import annotations

import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import Page

from explorer.ui.scripts import STATIC_FOLDER

EMPTY = b"<!doctype html><title>Empty</title>"
shown: dict[str, bytes] = {}  # by address: the last page of each window, which may load it anew


def open_page(page: Page, html: str) -> None:
    """Load a page whose own `<script type="module">` may import "/viewer/lightbox.js" and its like."""
    address = f"/?{id(page)}"
    shown[address] = html.encode()
    page.goto(_address() + address)


class _Modules(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        name = self.path.lstrip("/")
        script = name.endswith(".js")
        content = (STATIC_FOLDER / name).read_bytes() if script else shown.get(self.path, EMPTY)
        self.send_response(200)
        self.send_header("content-type", "text/javascript" if script else "text/html; charset=utf-8")
        self.send_header("content-length", str(len(content)))
        self.send_header("cache-control", "max-age=3600" if script else "no-store")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Nobody reads it."""


@cache
def _address() -> str:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Modules)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
