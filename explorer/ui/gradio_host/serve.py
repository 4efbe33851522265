"""How the page is served: on this machine only, nothing sent out, nothing kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr
from gradio.routes import App, ORJSONResponse
from starlette.middleware import Middleware
from starlette.routing import Route
from starlette.types import ASGIApp

from explorer.settings import HOST
from explorer.ui.ask import shell as ask
from explorer.ui.evaluate import tab as evaluate
from explorer.ui.explore import tab as explore
from explorer.ui.folder import tab as folder
from explorer.ui.gradio_host.call_gate import CallGate, Offered
from explorer.ui.gradio_host.fewer_frames import FewerFrames
from explorer.ui.gradio_host.front_page import FrontPage
from explorer.ui.gradio_host.guard import Guard
from explorer.ui.gradio_host.one_application import no_application_yet
from explorer.ui.gradio_host.quiet_errors import leave_out_values
from explorer.ui.gradio_host.upload_room import UploadRoom
from explorer.ui.gradio_host.wrong_calls import WrongCalls
from explorer.ui.help import shell as help_shell
from explorer.ui.read.shell import STYLES
from explorer.ui.scripts import STATIC, head
from explorer.ui.shared.theme import theme
from explorer.ui.shared.uploads import LIMIT_MB, Uploads
from explorer.ui.simulate import shell as simulate
from explorer.ui.teach import class_section
from explorer.ui.teach import shell as teach

SHEETS = (
    *(*STYLES, *ask.STYLES, *explore.STYLES, *evaluate.STYLES),
    *(*simulate.STYLES, *help_shell.STYLES, *folder.STYLES, *teach.STYLES, *class_section.STYLES),
    *(f"shared/{name}.css" for name in ("present_panel", "present")),  # the latter lays out anew what the others did
)
WAITING = 32  # events in the queue before newcomers are turned away
# s, at the queue and at the progress of what it runs, which nothing here reports: Gradio's own 0.001 and 0.01 keep a
# tenth of a core busy while nobody asks for anything, and 0.01 for both three times as much as this.
LOOKS_EVERY = 0.05


class GuardedApp(App):
    """Gradio's application behind the guard, behind what keeps room for uploads and what knows the page's functions.

    Among `app_kwargs["middleware"]` the guard would stand behind gradio's own, which answers preflights of other pages
    itself and allows every local port to read.
    """

    def __init__(self, page: gr.Blocks, uploads: Uploads, routes: Sequence[Route]) -> None:
        closed = {"docs_url": None, "redoc_url": None, "openapi_url": None}
        inside = [Middleware(FewerFrames)]
        super().__init__(routes=list(routes), middleware=inside, default_response_class=ORJSONResponse, **closed)
        self._uploads = uploads
        self._offered = offered_by(page)

    def build_middleware_stack(self) -> ASGIApp:
        uploading = UploadRoom(super().build_middleware_stack(), self._uploads)
        return Guard(FrontPage(CallGate(WrongCalls(uploading), self._offered, self._uploads.is_place)))


def offered_by(page: gr.Blocks) -> Offered:
    """The functions that the scripts of its components may call."""
    offered = ((key, getattr(block, "server_fns", ())) for key, block in page.blocks.items())
    return frozenset((key, function.__name__) for key, functions in offered for function in functions)


def serve(
    page: gr.Blocks, port: int, uploads: Uploads, routes: Sequence[Route], once_served: Sequence[Callable[[], None]]
) -> None:
    """Serve page and routes until the program is ended; each of `once_served` is called when the page answers."""
    leave_out_values()
    with no_application_yet():
        page.queue(api_open=False, max_size=WAITING)
    page._queue.sleep_when_free = page._queue.progress_update_sleep_when_free = LOOKS_EVERY
    page.launch(server_port=port, prevent_thread_lock=True, **launch_options(page, uploads, routes))
    for begin in once_served:
        begin()
    page.block_thread()


def launch_options(page: gr.Blocks, uploads: Uploads, routes: Sequence[Route] = ()) -> dict[str, Any]:
    """Every argument of `launch` besides the port; `routes` lie behind the guard as the page does."""
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
        "head": head(),
        "css_paths": [STATIC / name for name in SHEETS],
        "_app": GuardedApp(page, uploads, routes),
    }
