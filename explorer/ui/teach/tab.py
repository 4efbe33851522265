"""The Teach tab: playlists and their editor, the class that runs, and the places of what is done with them."""

from __future__ import annotations

import gradio as gr

from explorer.school.classroom.classroom import Classroom
from explorer.ui.shared.request_values import plain
from explorer.ui.teach.class_section import class_section
from explorer.ui.teach.handlers import TeachHandlers
from explorer.ui.teach.shell import script, shell


def teach_tab(teaching: TeachHandlers, classroom: Classroom) -> None:
    """Build the tab inside the current Blocks context. Nothing is asked before a visitor opens it."""
    gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[plain(call) for call in (*teaching.editing.calls, *teaching.drawing.calls)],
        apply_default_css=False,
        elem_id="teach",
    )
    class_section(teaching, classroom)
