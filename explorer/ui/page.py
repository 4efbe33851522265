"""The page as a whole: masthead, the bar of a lesson, tabs."""

from __future__ import annotations

from collections.abc import Iterator

import gradio as gr

from explorer.reading.model_loader import BackgroundModel
from explorer.reading.model_routing import ByProvenance
from explorer.ui.ask.desk import AskDesk
from explorer.ui.ask.tab import ask_tab
from explorer.ui.desk import Desk
from explorer.ui.explore.services import Services
from explorer.ui.explore.tab import explore_tab
from explorer.ui.masthead import masthead
from explorer.ui.read_shell import STATIC
from explorer.ui.read_tab import read_tab
from explorer.ui.settled import settle
from explorer.ui.simulate.desk import SimulateDesk
from explorer.ui.simulate.lesson_bar import lesson_bar
from explorer.ui.simulate.tab import simulate_tab


def build(
    model: BackgroundModel,
    reads: ByProvenance[str],
    desk: Desk,
    asking: AskDesk,
    services: Services,
    simulating: SimulateDesk,
) -> gr.Blocks:
    """The page, not yet served.

    `reads`: the names of the models that read films, `model` the one that is loaded first.
    """
    page = gr.Blocks(title="Tailscope", analytics_enabled=False, fill_width=True)
    with page:
        tabs = (STATIC / "tabs.js").read_text(encoding="utf-8")
        status = gr.HTML(masthead(model, reads), elem_id="masthead", js_on_load=tabs, apply_default_css=False)
        lesson_bar(simulating)
        with gr.Tabs(elem_id="tabs", overflow_behavior="wrap"):
            with gr.Tab("Read", id="read", elem_id="read-tab"):
                read_tab(desk)
            with gr.Tab("Ask", id="ask", elem_id="ask-tab"):
                ask_tab(asking, desk)
            with gr.Tab("Explore", id="explore", elem_id="explore-tab"):
                explore_tab(services, desk)
            with gr.Tab("Simulate", id="simulate", elem_id="simulate-tab"):
                simulate_tab(simulating, desk)

        def follow() -> Iterator[str]:
            yield masthead(model, reads)
            model.wait()
            yield masthead(model, reads)

        page.load(follow, outputs=status, api_visibility="private", show_progress="hidden", concurrency_limit=None)
        page.unload(desk.leave)
    settle(page.blocks.values())
    return page
