"""A page that imports the app's modules without the app: a server of `static/` alone, one for all tests."""

from __future__ import annotations

import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import Page

from explorer.ui.scripts import STATIC

EMPTY = b"<!doctype html><title>Empty</title>"


def open_page(page: Page, html: str) -> None:
    """Load a page whose own `<script type="module">` may import "/viewer/lightbox.js" and its like."""
    page.goto(_address())
    page.set_content(html)


class _Modules(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        name = self.path.lstrip("/")
        script = name.endswith(".js")
        content = (STATIC / name).read_bytes() if script else EMPTY
        self.send_response(200)
        self.send_header("content-type", "text/javascript" if script else "text/html")
        self.send_header("content-length", str(len(content)))
        if script:
            self.send_header("cache-control", "max-age=3600")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Nobody reads it."""


@cache
def _address() -> str:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Modules)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"
