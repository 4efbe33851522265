"""The bar of a lesson, above every tab: it stays while one steps through, whatever its links open."""

from __future__ import annotations

import gradio as gr

from explorer.ui.fragments import filled
from explorer.ui.request_values import plain
from explorer.ui.scripts import mount
from explorer.ui.simulate.handlers import SimulateHandlers


def lesson_bar(simulating: SimulateHandlers) -> None:
    """Build the bar inside the current Blocks context, hidden until a lesson is begun."""
    gr.HTML(
        html_template=filled("simulate/lesson_bar.html"),
        js_on_load=mount("simulate/lesson_bar.js"),
        server_functions=[plain(simulating.lessons)],
        apply_default_css=False,
        elem_id="lesson",
    )
