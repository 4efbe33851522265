"""How a tab's component opens films: an uploaded file or a sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.shared.concurrency import MAX_CONCURRENT_CALLS

QUIET: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}


def add_film_events(viewer: gr.HTML, read_handlers: ReadHandlers) -> None:
    """Answer the events `uploaded` and `sample` with the film's token or a refusal."""
    add_film_event(viewer, viewer.uploaded, read_handlers.open_upload)
    add_film_event(viewer, viewer.sample, read_handlers.open_sample)


def add_film_event(
    viewer: gr.HTML, trigger: Callable[..., Any], handler: Callable[[gr.EventData, gr.Request], object]
) -> None:
    """Answer one event of the component with a handler."""
    # "multiple": the second of two clicks counts; Gradio's default, "once", drops it while the first is running.
    opened = trigger(
        handler,
        outputs=viewer,
        trigger_mode="multiple",
        concurrency_limit=MAX_CONCURRENT_CALLS,
        concurrency_id="film",
        **QUIET,
    )
    opened.failure(None, js="() => document.dispatchEvent(new Event('tailscope-failed'))", **QUIET)
