"""The bar of a lesson, above every tab: it stays while one steps through, whatever its links open."""

from __future__ import annotations

import gradio as gr

from explorer.ui.read_shell import STATIC
from explorer.ui.sent import plain
from explorer.ui.simulate.desk import SimulateDesk


def lesson_bar(simulating: SimulateDesk) -> None:
    """Build the bar inside the current Blocks context, hidden until a lesson is begun."""
    gr.HTML(
        html_template=(STATIC / "simulate/lesson_bar.html").read_text(encoding="utf-8"),
        js_on_load=(STATIC / "simulate/lesson_bar.js").read_text(encoding="utf-8"),
        server_functions=[plain(simulating.lessons)],
        apply_default_css=False,
        elem_id="lesson",
    )
