"""Serves the page: on this machine only, without telemetry, without caching visitors' data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr
from gradio.routes import App, ORJSONResponse
from starlette.middleware import Middleware
from starlette.routing import Route
from starlette.types import ASGIApp

from explorer.settings import PAGE_HOST
from explorer.ui.ask import shell as ask
from explorer.ui.evaluate import tab as evaluate
from explorer.ui.explore import tab as explore
from explorer.ui.folder import tab as folder
from explorer.ui.gradio_host.call_gate import CallGate, OfferedCalls
from explorer.ui.gradio_host.fewer_frames import FewerFrames
from explorer.ui.gradio_host.front_page import FrontPage
from explorer.ui.gradio_host.guard import Guard
from explorer.ui.gradio_host.one_application import no_application_yet
from explorer.ui.gradio_host.quiet_errors import leave_out_values
from explorer.ui.gradio_host.upload_room import UploadRoom
from explorer.ui.gradio_host.wrong_calls import WrongCalls
from explorer.ui.help import shell as help_shell
from explorer.ui.read.shell import STYLES
from explorer.ui.scripts import STATIC_FOLDER, head_tags
from explorer.ui.shared.theme import theme
from explorer.ui.shared.uploads import MAX_UPLOAD_MB, Uploads
from explorer.ui.simulate import shell as simulate
from explorer.ui.teach import class_section
from explorer.ui.teach import shell as teach

STYLE_SHEETS = (
    *(*STYLES, *ask.STYLES, *explore.STYLES, *evaluate.STYLES),
    *(*simulate.STYLES, *help_shell.STYLES, *folder.STYLES, *teach.STYLES, *class_section.STYLES),
    *(f"shared/{name}.css" for name in ("present_panel", "present")),  # these two override the others' layout
)
MAX_QUEUED_EVENTS = 32  # queued events before new ones are refused
# Polling interval in s, of the queue and of its unused progress reports. Gradio's defaults of 0.001 and 0.01 keep a
# tenth of an idle core busy; 0.01 for both still costs three times as much as 0.05.
POLL_INTERVAL_S = 0.05


class GuardedApp(App):
    """Gradio's application behind the guard, the call gate and the upload room.

    In `app_kwargs["middleware"]` the guard would come after Gradio's own middleware, which answers other pages'
    preflights and lets every local port read.
    """

    def __init__(self, page: gr.Blocks, uploads: Uploads, routes: Sequence[Route]) -> None:
        closed = {"docs_url": None, "redoc_url": None, "openapi_url": None}
        inside = [Middleware(FewerFrames)]
        super().__init__(routes=list(routes), middleware=inside, default_response_class=ORJSONResponse, **closed)
        self._uploads = uploads
        self._offered = offered_calls(page)

    def build_middleware_stack(self) -> ASGIApp:
        uploading = UploadRoom(super().build_middleware_stack(), self._uploads)
        return Guard(FrontPage(CallGate(WrongCalls(uploading), self._offered, self._uploads.is_upload_path)))


def offered_calls(page: gr.Blocks) -> OfferedCalls:
    """The functions that the components' scripts may call."""
    offered = ((key, getattr(block, "server_fns", ())) for key, block in page.blocks.items())
    return frozenset((key, function.__name__) for key, functions in offered for function in functions)


def serve(
    page: gr.Blocks, port: int, uploads: Uploads, routes: Sequence[Route], once_served: Sequence[Callable[[], None]]
) -> None:
    """Serve page and routes until the program ends; each of `once_served` is called when the page is up."""
    leave_out_values()
    with no_application_yet():
        page.queue(api_open=False, max_size=MAX_QUEUED_EVENTS)
    page._queue.sleep_when_free = page._queue.progress_update_sleep_when_free = POLL_INTERVAL_S
    page.launch(server_port=port, prevent_thread_lock=True, **launch_options(page, uploads, routes))
    for begin in once_served:
        begin()
    page.block_thread()


def launch_options(page: gr.Blocks, uploads: Uploads, routes: Sequence[Route] = ()) -> dict[str, Any]:
    """All arguments of `launch` besides the port; `routes` are behind the guard like the page."""
    return {
        "server_name": PAGE_HOST,
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
        "max_file_size": f"{MAX_UPLOAD_MB}mb",
        "allowed_paths": [],
        "theme": theme(),
        "head": head_tags(),
        "css_paths": [STATIC_FOLDER / name for name in STYLE_SHEETS],
        "_frontend": False,  # no request to itself, to see whether the page answers
        "_app": GuardedApp(page, uploads, routes),
    }
