"""How the page is served: on this machine only, nothing sent out, nothing kept."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr
from starlette.middleware import Middleware
from starlette.routing import Route

from explorer.settings import HOST
from explorer.ui.ask import shell as ask
from explorer.ui.explore import tab as explore
from explorer.ui.guard import Guard
from explorer.ui.read_shell import STATIC, STYLES
from explorer.ui.simulate import shell as simulate
from explorer.ui.theme import theme
from explorer.ui.uploads import LIMIT_MB

WAITING = 32  # events in the queue before newcomers are told that it is full


def port_is_free(port: int) -> bool:
    """Whether this program could listen on `port` now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server will, past a closed one's TIME_WAIT
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def serve(page: gr.Blocks, port: int, routes: Sequence[Route], once_served: Callable[[], None]) -> None:
    """Serve page and routes until the program is ended; `once_served` is called when the page can be had."""
    page.queue(api_open=False, max_size=WAITING)
    page.launch(server_port=port, prevent_thread_lock=True, **launch_options(routes))
    once_served()
    page.block_thread()


def launch_options(routes: Sequence[Route] = ()) -> dict[str, Any]:
    """Everything `launch` is told besides the port; `routes` lie behind the guard as the page does."""
    return {
        "server_name": HOST,
        "share": False,
        "inbrowser": False,
        "quiet": True,
        "show_error": False,
        "ssr_mode": False,
        "mcp_server": False,
        "pwa": False,
        "run_history": False,
        "enable_monitoring": False,
        "strict_cors": True,
        "footer_links": [],
        "max_file_size": f"{LIMIT_MB}mb",
        "allowed_paths": [],
        "theme": theme(),
        "css_paths": [STATIC / name for name in (*STYLES, *ask.STYLES, *explore.STYLES, *simulate.STYLES)],
        "app_kwargs": {
            "routes": list(routes),
            "middleware": [Middleware(Guard)],
            "docs_url": None,
            "redoc_url": None,
            "openapi_url": None,
        },
    }
