"""The Explore tab: one component, whose script keeps the state in the address and asks for everything else."""

from __future__ import annotations

import gradio as gr
from gradio.events import api

from explorer.ui.explore import case_calls as case
from explorer.ui.explore import case_shell
from explorer.ui.explore import cluster_list_call as clusters
from explorer.ui.explore import folder_call as films
from explorer.ui.explore import list_calls as lists
from explorer.ui.explore import map_calls as maps
from explorer.ui.explore import mark_calls as marks
from explorer.ui.explore import panel_calls as tables
from explorer.ui.explore import slice_calls as gallery
from explorer.ui.explore import threshold_calls as thresholds
from explorer.ui.explore.case_to_tab import opener
from explorer.ui.explore.sealed_state import SealedStates
from explorer.ui.explore.slice_endpoint import slice_endpoint
from explorer.ui.read.film_events import take
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.scripts import mount
from explorer.ui.shared.concurrency import OPENED
from explorer.ui.shared.facets import filters_payload
from explorer.ui.shared.fragments import filled
from explorer.ui.shared.request_values import plain
from explorer.ui.shared.services import Services
from explorer.ui.teach.drawing_calls import DrawingCalls

PANELS = (
    "cells",
    "cell_columns",
    "taxonomy",
    "scatter",
    "compare",
    "confusions",
    "label_issues",
    "where_it_fails",
    "map",
)
FRAME_STYLES = ("explore", "bar", "ask_films", "filters", "gallery", "selection", "dialog", "thresholds", "lists")
PANEL_STYLES = ("panel_base", "panel_figures", "small_film", *PANELS)
STYLES = (
    *(f"explore/{name}.css" for name in (*FRAME_STYLES, *PANEL_STYLES)),
    *case_shell.STYLES,
)


def explore_tab(
    services: Services, read_handlers: ReadHandlers, drawing: DrawingCalls, sealing: SealedStates | None = None
) -> None:
    """Build the tab inside the current Blocks context. Nothing is asked before a visitor opens it."""
    sealing = sealing or SealedStates()
    offered = [
        call
        for part in (gallery, case, tables, films, thresholds, marks, lists, clusters)
        for call in part.calls(services)
    ]
    offered += [*maps.calls(services, read_handlers), drawing.playlists_offered, drawing.cases_to_playlist]
    offered = [*map(sealing.opening, offered), sealing.slice_sealed]
    viewer = gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[plain(call) for call in offered],
        apply_default_css=False,
        elem_id="explore",
    )
    take(viewer, viewer.onward, opener(services, read_handlers, sealing.opened))  # a case's film, that goes on to Read
    api(slice_endpoint(services), api_name="slice", concurrency_limit=OPENED, concurrency_id="numbers")


def shell() -> str:
    """The skeleton; the script fills it with text nodes only, so no name of a visitor's data is taken for markup."""
    return filled(
        "explore/explore.html",
        case=case_shell.case_shell(),
        thresholds=filled("explore/thresholds.html"),
        lists=filled("explore/lists.html"),
    )


def script() -> str:
    """What the component runs, with the filters."""
    return mount("explore/explore.js", "onward", filters=filters_payload())
