"""The Simulate tab: one component, whose script keeps the state in the address and requests films by it."""

from __future__ import annotations

import gradio as gr

from explorer.ui.read.film_events import add_film_event
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.shared.request_values import plain_json_call
from explorer.ui.simulate.handlers import SimulateHandlers
from explorer.ui.simulate.shell import script, shell
from explorer.ui.teach.drawing_calls import DrawingCalls


def simulate_tab(simulating: SimulateHandlers, read_handlers: ReadHandlers, drawing: DrawingCalls) -> None:
    """Build the tab inside the current Blocks context. Nothing is simulated before a visitor opens it."""
    calls = (
        simulating.simulated_film,
        simulating.simulated_twin,
        simulating.simulated_preview,
        simulating.simulated_classifier,
        simulating.simulated_text_model,
        simulating.simulated_progress,
        simulating.simulated_sweep,
        simulating.simulated_beside,
        simulating.simulated_beside_read,
        simulating.hidden.simulated_seal,
        simulating.hidden.simulated_hidden,
        simulating.hidden.simulated_hidden_other,
        simulating.hidden.simulated_reveal,
        simulating.hidden.quiz_film,
        simulating.hidden.quiz_answer,
        drawing.playlists_offered,
        drawing.simulated_to_playlist,
    )
    viewer = gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[plain_json_call(call) for call in calls],
        apply_default_css=False,
        elem_id="simulate",
    )
    add_film_event(viewer, viewer.sample, read_handlers.open_sample)  # a film that continues to Read, by its address
