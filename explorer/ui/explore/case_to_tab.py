"""Opens a case's film in Read and Ask, as one of the visitor's films, by token."""

from __future__ import annotations

from collections.abc import Callable

import gradio as gr

from explorer.cohorts.film_source import NoFilm
from explorer.ui.explore.case_calls import NO_CASE, REFUSALS, case_request, existing_film
from explorer.ui.explore.case_film import decode_film
from explorer.ui.read.handlers import ReadHandlers, not_opened_payload
from explorer.ui.read.payload import NotOpenedPayload, OpenedPayload
from explorer.ui.shared.services import Services

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
