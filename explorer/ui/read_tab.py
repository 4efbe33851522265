"""The Read tab: a film is opened, then scored; the browser fetches both from the shelf by token."""

from __future__ import annotations

from typing import Any

import gradio as gr
from gradio.events import api

from explorer.ui.desk import Desk
from explorer.ui.payload import Json
from explorer.ui.read_shell import script, shell

DECODERS = 2  # films decoded at once: a large JPEG 2000 film takes half a second and a few hundred MB


def read_tab(desk: Desk) -> None:
    """Build the tab inside the current Blocks context.

    Gradio keeps the last value of every component in its session state for up to an hour, so films and maps never pass
    through one: the component carries a token, and its script fetches the rest with `fetch_film` and `fetch_opinion`.
    """

    def fetch_film(token: object) -> Json | None:
        return desk.fetch_film(token)

    def fetch_opinion(token: object) -> Json | None:
        return desk.fetch_opinion(token)

    token = gr.State(None)
    viewer = gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[fetch_film, fetch_opinion],  # gradio marks them, so no methods
        apply_default_css=False,
        elem_id="read",
    )
    quiet: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    for trigger, handler in ((viewer.uploaded, desk.open_upload), (viewer.sample, desk.open_sample)):
        opened = trigger(handler, outputs=[viewer, token], concurrency_limit=DECODERS, concurrency_id="film", **quiet)
        scored = opened.success(
            desk.score, inputs=token, outputs=viewer, concurrency_limit=1, concurrency_id="model", **quiet
        )
        for event in (opened, scored):
            event.failure(None, js="() => document.dispatchEvent(new Event('tailscope-failed'))", **quiet)
    api(desk.read, api_name="read", concurrency_limit=1, concurrency_id="model")
