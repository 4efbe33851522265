"""The Read tab: events take films in; the script of its component asks for everything else by token."""

from __future__ import annotations

from collections.abc import Callable

import gradio as gr
from gradio.events import api

from explorer.ui.read.add_model import add_model, look_at_model
from explorer.ui.read.dicom_export import DicomExport
from explorer.ui.read.film_events import take_in
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.read.model_choice import ModelChoice
from explorer.ui.read.shell import script, shell
from explorer.ui.shared.concurrency import OPENED
from explorer.ui.shared.request_values import plain


def read_tab(handlers: ReadHandlers) -> None:
    """Build the tab inside the current Blocks context.

    Gradio keeps the last value of every component in its session state for up to an hour, so films and maps never pass
    through one: the component carries a token, and its script fetches the rest with the handlers' calls.
    """
    viewer = gr.HTML(
        html_template=shell(handlers.dicom),
        js_on_load=script(),
        server_functions=_calls(handlers),
        apply_default_css=False,
        elem_id="read",
    )
    take_in(viewer, handlers)
    api(handlers.read, api_name="read", concurrency_limit=OPENED, concurrency_id="read")


def _calls(handlers: ReadHandlers) -> list[Callable[[object], object]]:
    """What the script may ask of the server, each with one argument."""
    names = "film opinion heat anyway amend join export text progress put_away gone still_here choose".split()
    calls = [getattr(handlers, name) for name in names]
    if handlers.shelf:
        choice = ModelChoice(handlers.shelf, handlers)
        calls += [choice.models, choice.beside_model, choice.fetched, look_at_model, add_model]
    if handlers.dicom:
        calls.append(DicomExport(handlers).dicom)
    return [plain(call) for call in calls]
