"""The bar of a lesson or of the tour, above all tabs, so that it stays whatever its links open."""

from __future__ import annotations

from collections.abc import Callable

import gradio as gr

from explorer.ui.help.tour import TourPayload
from explorer.ui.scripts import mount_script
from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.shared.request_values import plain_json_call
from explorer.ui.simulate.handlers import SimulateHandlers


def lesson_bar(simulating: SimulateHandlers, tour: Callable[[object], TourPayload]) -> None:
    """Build the bar inside the current Blocks context, hidden until a lesson or the `tour` starts."""
    lessons = simulating.lessons
    calls = lessons.lesson, lessons.lesson_answer, lessons.lesson_for_class, tour
    gr.HTML(
        html_template=fill_fragment("simulate/lesson_bar.html"),
        js_on_load=mount_script("simulate/lesson_bar.js"),
        server_functions=[plain_json_call(call) for call in calls],
        apply_default_css=False,
        elem_id="lesson",
    )
