"""The *Reviews* section of Teach: readers' progress and agreement, and a new review from a slice of Explore."""

from __future__ import annotations

import gradio as gr

from explorer.ui.scripts import mount_script
from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.shared.request_values import plain_json_call
from explorer.ui.teach.handlers import TeachHandlers
from explorer.ui.teach.review_calls import ReviewCalls
from explorer.ui.teach.review_study_calls import ReviewStudyCalls


def reviews_section(teaching: TeachHandlers) -> None:
    """Build the section inside the current Blocks context, after the Teach tab's own component."""
    store = teaching.sources.store
    calls = ReviewCalls(store, teaching.sources.images).script_functions + ReviewStudyCalls(store).script_functions
    gr.HTML(
        html_template=fill_fragment("teach/reviews.html"),
        js_on_load=mount_script("teach/reviews.js"),
        server_functions=[plain_json_call(call) for call in calls],
        apply_default_css=False,
        elem_id="teach-reviews-part",
    )
