"""The Read tab: events open films; its script fetches everything else by token."""

from __future__ import annotations

from collections.abc import Callable

import gradio as gr
from gradio.events import api

from explorer.ui.read.add_model import add_model, look_at_model
from explorer.ui.read.anatomy_call import AnatomyCall
from explorer.ui.read.dicom_export import DicomExport
from explorer.ui.read.film_events import add_film_events
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.read.insertion_call import InsertionCall
from explorer.ui.read.model_choice import ModelChoice
from explorer.ui.read.shell import script, shell
from explorer.ui.read.stability_call import StabilityCall
from explorer.ui.shared.concurrency import MAX_CONCURRENT_CALLS
from explorer.ui.shared.request_values import plain_json_call


def read_tab(handlers: ReadHandlers) -> None:
    """Build the tab inside the current Blocks context.

    Gradio keeps every component's last value in its session state for up to an hour. So films and maps never pass
    through a component: it holds a token, and its script fetches the rest with the handlers' calls.
    """
    viewer = gr.HTML(
        html_template=shell(handlers.dicom),
        js_on_load=script(),
        server_functions=_calls(handlers),
        apply_default_css=False,
        elem_id="read",
    )
    add_film_events(viewer, handlers)
    api(handlers.read, api_name="read", concurrency_limit=MAX_CONCURRENT_CALLS, concurrency_id="read")


def _calls(handlers: ReadHandlers) -> list[Callable[[object], object]]:
    """The server functions of the script, each with one argument."""
    names = "film opinion heat anyway amend join export text study progress put_away gone still_here choose".split()
    calls = [getattr(handlers, name) for name in names]
    calls += [AnatomyCall(handlers).heart_size, StabilityCall(handlers).stability]
    insertion = InsertionCall(handlers)
    calls += [insertion.insertion, insertion.blind_spots, insertion.dose_response]
    if handlers.shelf:
        choice = ModelChoice(handlers.shelf, handlers)
        calls += [choice.models, choice.beside_model, choice.fetched, look_at_model, add_model]
    if handlers.dicom:
        calls.append(DicomExport(handlers).dicom)
    return [plain_json_call(call) for call in calls]
