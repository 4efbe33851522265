"""The section *Class* of the Teach tab: one component, whose script asks for the board while it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import gradio as gr

from explorer.classroom.classroom import Classroom
from explorer.teaching.found_film import Sources
from explorer.teaching.playlist_files import PlaylistFiles
from explorer.teaching.preparing_job import PreparingJob
from explorer.ui.explore.services import Services
from explorer.ui.fragments import filled
from explorer.ui.request_values import plain
from explorer.ui.scripts import mount
from explorer.ui.teach.class_calls import ClassCalls

if TYPE_CHECKING:
    from explorer.asking.asker import Asker
    from explorer.reading.model_routing import ByProvenance

STYLES = tuple(f"teach/class_{name}.css" for name in ("section", "begin", "desk"))


def class_section(services: Services, classroom: Classroom) -> None:
    """Build the section inside the current Blocks context."""
    askers = cast("ByProvenance[Asker] | None", services.askers)  # which Explore knows by what it asks of them
    sources = Sources(services.store, services.images, services.readers, askers)
    calls = ClassCalls(classroom, PlaylistFiles(), PreparingJob(sources).ask)
    offered = (
        calls.class_board,
        calls.class_playlists,
        calls.class_begin,
        calls.class_go,
        calls.class_reveal,
        calls.class_end,
        calls.class_film,
        calls.class_results,
    )
    gr.HTML(
        html_template=filled("teach/class_section.html"),
        js_on_load=mount("teach/class_section.js"),
        server_functions=[plain(call) for call in offered],
        apply_default_css=False,
        elem_id="teach-class",
    )
