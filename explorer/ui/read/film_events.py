"""How the component of a tab takes films in: a file that was uploaded, or a sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.shared.concurrency import OPENED

QUIET: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}


def take_in(viewer: gr.HTML, read_handlers: ReadHandlers) -> None:
    """Answer the component's events `uploaded` and `sample` with a token of the film, or why there is none."""
    take(viewer, viewer.uploaded, read_handlers.open_upload)
    take(viewer, viewer.sample, read_handlers.open_sample)


def take(viewer: gr.HTML, trigger: Callable[..., Any], handler: Callable[[gr.EventData, gr.Request], object]) -> None:
    """Answer one event of the component so."""
    # "multiple": of two clicks the second counts, and Gradio's own "once" drops it while the first is answered.
    opened = trigger(
        handler, outputs=viewer, trigger_mode="multiple", concurrency_limit=OPENED, concurrency_id="film", **QUIET
    )
    opened.failure(None, js="() => document.dispatchEvent(new Event('tailscope-failed'))", **QUIET)
