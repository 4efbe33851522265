"""The *Lessons* section of Teach: start a lesson in Simulate, or copy it to this machine's playlists."""

from __future__ import annotations

from html import escape

import gradio as gr

from explorer.school.lessons.catalog import LESSONS
from explorer.school.lessons.step import Lesson
from explorer.ui.scripts import mount_script
from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.shared.request_values import plain_json_call
from explorer.ui.simulate.handlers import SimulateHandlers


def lessons_section(simulating: SimulateHandlers) -> None:
    """Build the section inside the current Blocks context, after the Teach tab's own component."""
    calls = simulating.lessons.lesson_copied, simulating.lessons.lesson_for_class
    gr.HTML(
        html_template=fill_fragment(
            "teach/lessons.html", lessons="\n".join(map(_card, range(1, len(LESSONS) + 1), LESSONS))
        ),
        js_on_load=mount_script("teach/lessons.js"),
        server_functions=[plain_json_call(call) for call in calls],
        apply_default_css=False,
        elem_id="teach-lessons-part",
    )


def _card(number: int, lesson: Lesson) -> str:
    return (
        f'<li class="lesson-card" data-lesson="{number}"><h3>{escape(lesson.title)}</h3>'
        f'<p>{escape(lesson.about)} <span class="lesson-minutes">{lesson.minutes}&nbsp;minutes</span></p>'
        f'<div class="lesson-ways"><a href="#simulate?lesson={number}">Begin</a>'
        '<button type="button" class="lesson-hold control">Hold as a class</button>'
        '<button type="button" class="lesson-copy control">Copy to my playlists</button>'
        '<span class="lesson-copied" role="status"></span></div></li>'
    )
