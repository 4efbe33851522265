"""The Ask tab: one component that shows Read's films and asks about them by token."""

from __future__ import annotations

import gradio as gr
from gradio.events import api

from explorer.ui.ask.handlers import AskHandlers
from explorer.ui.ask.shell import script, shell
from explorer.ui.read.film_events import add_film_events
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.shared.concurrency import MAX_CONCURRENT_CALLS
from explorer.ui.shared.request_values import plain_json_call


def ask_tab(asking: AskHandlers, read_handlers: ReadHandlers) -> None:
    """Build the tab inside the current Blocks context. No model is loaded before a visitor types."""
    calls = (asking.ask, asking.ask_at, asking.ask_about, asking.ask_progress, asking.export_asked, read_handlers.gone)
    viewer = gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[plain_json_call(call) for call in calls],
        apply_default_css=False,
        elem_id="ask",
    )
    add_film_events(viewer, read_handlers)
    api(asking.answer, api_name="ask", concurrency_limit=MAX_CONCURRENT_CALLS, concurrency_id="read")
