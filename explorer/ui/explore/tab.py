"""The Explore tab: one component, whose script keeps the state in the address and fetches everything else."""

from __future__ import annotations

from collections.abc import Callable

import gradio as gr
from gradio.events import api

from explorer.cohorts.film_source import NoFilm
from explorer.insertion.insertable import INSERTABLE
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
from explorer.ui.explore.case_calls import NO_CASE, REFUSALS, case_request, existing_film
from explorer.ui.explore.case_film import decode_film
from explorer.ui.explore.sealed_state import SealedStates
from explorer.ui.explore.slice_endpoint import slice_endpoint
from explorer.ui.read.film_events import add_film_event
from explorer.ui.read.handlers import ReadHandlers, not_opened_payload
from explorer.ui.read.payload import NotOpenedPayload, OpenedPayload
from explorer.ui.scripts import mount_script
from explorer.ui.shared.concurrency import MAX_CONCURRENT_CALLS
from explorer.ui.shared.facets import filters_payload
from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.shared.request_values import plain_json_call
from explorer.ui.shared.services import Services
from explorer.ui.teach.drawing_calls import DrawingCalls

Opening = OpenedPayload | NotOpenedPayload


def case_opener(
    services: Services, read_handlers: ReadHandlers, opened: Callable[[object], object]
) -> Callable[[gr.EventData, gr.Request], Opening]:
    """A handler that answers the script's {state, case, request} with a token of the case's film, or a refusal.

    `opened` unseals the state that the script sent.
    """

    def open_case(event: gr.EventData, request: gr.Request) -> Opening:
        try:
            case = case_request(services, opened(event._data))
            if case is None:
                raise NoFilm(NO_CASE["title"], NO_CASE["detail"])
            return read_handlers.show_film(event, request, decode_film(existing_film(case)))
        except REFUSALS as refusal:
            return not_opened_payload(event, refusal)

    return open_case


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
    """Build the tab inside the current Blocks context. Nothing is loaded before a visitor opens it."""
    sealing = sealing or SealedStates()
    offered = [
        call
        for part in (gallery, case, tables, films, thresholds, marks, lists, clusters)
        for call in part.calls(services)
    ]
    offered += [*maps.calls(services, read_handlers), drawing.playlists_offered, drawing.cases_to_playlist]
    offered = [*map(sealing.unsealed_call, offered), sealing.slice_sealed]
    viewer = gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[plain_json_call(call) for call in offered],
        apply_default_css=False,
        elem_id="explore",
    )
    add_film_event(
        viewer, viewer.onward, case_opener(services, read_handlers, sealing.opened)
    )  # a case's film continues to Read
    api(slice_endpoint(services), api_name="slice", concurrency_limit=MAX_CONCURRENT_CALLS, concurrency_id="numbers")


def shell() -> str:
    """The skeleton; the script fills it with text nodes only, so names in visitors' data are never parsed as markup."""
    return fill_fragment(
        "explore/explore.html",
        case=case_shell.case_shell(),
        thresholds=fill_fragment("explore/thresholds.html"),
        lists=fill_fragment("explore/lists.html"),
    )


def script() -> str:
    """The component's script, with the filters and the findings that can be put into a film."""
    return mount_script("explore/explore.js", "onward", filters=filters_payload(), insertable=list(INSERTABLE))
