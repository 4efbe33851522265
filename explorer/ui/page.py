"""The whole page: masthead, lesson bar, tabs."""

from __future__ import annotations

from collections.abc import Iterator

import gradio as gr

from explorer.reading.model_loader import BackgroundModel
from explorer.reading.model_routing import ByProvenance
from explorer.school.classroom.classroom import Classroom
from explorer.ui.ask.handlers import AskHandlers
from explorer.ui.ask.tab import ask_tab
from explorer.ui.evaluate.tab import evaluate_tab
from explorer.ui.explore.sealed_state import SealedStates
from explorer.ui.explore.tab import explore_tab
from explorer.ui.folder.tab import folder_panel
from explorer.ui.gradio_host.fixed_config import freeze_config
from explorer.ui.gradio_host.one_application import no_application_yet
from explorer.ui.help.shell import help_page
from explorer.ui.help.tour import tour
from explorer.ui.masthead import masthead
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.read.tab import read_tab
from explorer.ui.shared.services import Services
from explorer.ui.simulate.handlers import SimulateHandlers
from explorer.ui.simulate.lesson_bar import lesson_bar
from explorer.ui.simulate.tab import simulate_tab
from explorer.ui.teach.handlers import TeachHandlers
from explorer.ui.teach.lessons_section import lessons_section
from explorer.ui.teach.reviews_section import reviews_section
from explorer.ui.teach.tab import teach_tab


def build_page(
    model: BackgroundModel,
    model_names: ByProvenance[str],
    read_handlers: ReadHandlers,
    asking: AskHandlers,
    services: Services,
    simulating: SimulateHandlers,
    teaching: TeachHandlers,
    classroom: Classroom | None = None,
) -> gr.Blocks:
    """The page, not yet served.

    `model_names` names the models that read films; `model` is the one loaded first.
    `classroom` holds the classes that Teach opens.
    """
    page: gr.Blocks  # Gradio does not annotate what `with` yields
    with no_application_yet(), gr.Blocks(title="Tailscope", analytics_enabled=False, fill_width=True) as page:
        status = gr.HTML(masthead(model, model_names), elem_id="masthead", apply_default_css=False)
        help_page()
        lesson_bar(simulating, tour)
        with gr.Tabs(elem_id="tabs", overflow_behavior="wrap"):
            with gr.Tab("Read", id="read", elem_id="read-tab"):
                folders = (
                    None if services.readers is None else folder_panel(read_handlers, services.readers, services.store)
                )
                read_tab(read_handlers)
            with gr.Tab("Ask", id="ask", elem_id="ask-tab"):
                ask_tab(asking, read_handlers)
            with gr.Tab("Explore", id="explore", elem_id="explore-tab"):
                sealing = SealedStates(lambda: simulating.hidden.seal)
                explore_tab(services, read_handlers, teaching.drawing, sealing)
            with gr.Tab("Evaluate", id="evaluate", elem_id="evaluate-tab"):
                evaluate_tab(services)
            with gr.Tab("Simulate", id="simulate", elem_id="simulate-tab"):
                simulate_tab(simulating, read_handlers, teaching.drawing)
            with gr.Tab("Teach", id="teach", elem_id="teach-tab"):
                teach_tab(teaching, classroom or Classroom())
                lessons_section(simulating)
                reviews_section(teaching)

        def follow() -> Iterator[str]:
            yield masthead(model, model_names)
            model.wait()
            yield masthead(model, model_names)

        page.load(follow, outputs=status, api_visibility="private", show_progress="hidden", concurrency_limit=None)
        page.unload(read_handlers.leave)
        if folders is not None:
            page.unload(folders.leave)
    freeze_config(page.blocks.values())
    return page
