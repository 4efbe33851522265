"""The section *Class* of the Teach tab: one component, whose script asks for the board while it is looked at."""

from __future__ import annotations

import gradio as gr

from explorer.school.classroom.classroom import Classroom
from explorer.ui.scripts import mount
from explorer.ui.shared.fragments import filled
from explorer.ui.shared.request_values import plain
from explorer.ui.teach.class_calls import ClassCalls
from explorer.ui.teach.handlers import TeachHandlers

STYLES = (
    *(f"teach/class_{name}.css" for name in ("section", "begin", "desk", "door", "film", "results")),
    "shared/result_table.css",
)


def class_section(teaching: TeachHandlers, classroom: Classroom) -> None:
    """Build the section inside the current Blocks context."""
    calls = ClassCalls(classroom, teaching.playlists, teaching.preparing.ask)
    gr.HTML(
        html_template=filled("teach/class_section.html"),
        js_on_load=mount("teach/class_section.js"),
        server_functions=[plain(call) for call in calls.all],
        apply_default_css=False,
        elem_id="running-class",
    )
