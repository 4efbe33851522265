"""The Simulate tab: one component, whose script keeps the state in the address and asks for films by it."""

from __future__ import annotations

import gradio as gr

from explorer.ui.desk import Desk
from explorer.ui.sent import plain
from explorer.ui.simulate.desk import SimulateDesk
from explorer.ui.simulate.shell import script, shell
from explorer.ui.taking_in import take


def simulate_tab(simulating: SimulateDesk, desk: Desk) -> None:
    """Build the tab inside the current Blocks context. Nothing is simulated before a visitor opens it."""
    calls = (
        simulating.simulated_film,
        simulating.simulated_twin,
        simulating.simulated_preview,
        simulating.simulated_classifier,
        simulating.simulated_text_model,
        simulating.simulated_progress,
    )
    viewer = gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[plain(call) for call in calls],
        apply_default_css=False,
        elem_id="simulate",
    )
    take(viewer, viewer.sample, desk.open_sample)  # a film that goes on to Read, by its address
