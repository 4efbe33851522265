"""The Teach tab: playlists, their editor, and the running class."""

from __future__ import annotations

import gradio as gr

from explorer.school.classroom.classroom import Classroom
from explorer.ui.shared.request_values import plain_json_call
from explorer.ui.teach.class_section import class_section
from explorer.ui.teach.handlers import TeachHandlers
from explorer.ui.teach.shell import script, shell


def teach_tab(teaching: TeachHandlers, classroom: Classroom) -> None:
    """Build the tab inside the current Blocks context. Nothing is loaded before a visitor opens it."""
    gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[plain_json_call(call) for call in (*teaching.editing.calls, *teaching.drawing.calls)],
        apply_default_css=False,
        elem_id="teach",
    )
    class_section(teaching, classroom)
