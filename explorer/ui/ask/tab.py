"""The Ask tab: one component that shows the films of Read and asks about them by token."""

from __future__ import annotations

import gradio as gr
from gradio.events import api

from explorer.ui.ask.handlers import AskHandlers
from explorer.ui.ask.shell import script, shell
from explorer.ui.read.film_events import take_in
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.shared.concurrency import OPENED
from explorer.ui.shared.request_values import plain


def ask_tab(asking: AskHandlers, read_handlers: ReadHandlers) -> None:
    """Build the tab inside the current Blocks context. Nothing is loaded before a visitor types something."""
    calls = (asking.ask, asking.ask_at, asking.ask_about, asking.ask_progress, asking.export_asked, read_handlers.gone)
    viewer = gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[plain(call) for call in calls],
        apply_default_css=False,
        elem_id="ask",
    )
    take_in(viewer, read_handlers)
    api(asking.answer, api_name="ask", concurrency_limit=OPENED, concurrency_id="read")
