"""The *Class* section of the Teach tab: one component, whose script polls the board while visible."""

from __future__ import annotations

import gradio as gr

from explorer.school.classroom.classroom import Classroom
from explorer.ui.scripts import mount_script
from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.shared.request_values import plain_json_call
from explorer.ui.teach.class_calls import TeacherCalls
from explorer.ui.teach.handlers import TeachHandlers

STYLES = (
    *(f"teach/class_{name}.css" for name in ("section", "begin", "desk", "door", "film", "results", "study")),
    "shared/result_table.css",
)


def class_section(teaching: TeachHandlers, classroom: Classroom) -> None:
    """Build the section inside the current Blocks context."""
    calls = TeacherCalls(classroom, teaching.playlists, teaching.preparing.ask)
    gr.HTML(
        html_template=fill_fragment("teach/class_section.html"),
        js_on_load=mount_script("teach/class_section.js"),
        server_functions=[plain_json_call(call) for call in calls.script_functions],
        apply_default_css=False,
        elem_id="running-class",
    )
