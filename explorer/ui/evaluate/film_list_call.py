"""Saves the films that a panel lists as a list of cases, which Explore shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, TypedDict

from explorer.ui.evaluate.panels.detectability import DETECTABILITY_PANEL, blind_list
from explorer.ui.evaluate.panels.panel import PanelRequest
from explorer.ui.evaluate.panels.robustness import unstable_list
from explorer.ui.evaluate.panels.unstable_films import KINDS_WORD
from explorer.ui.evaluate.subject import subject_of
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal
from explorer.ui.shared.request_values import state_in, string_field
from explorer.ui.shared.services import Services

# By the panel's word; the panel that had its list first is the default.
_LISTS: Mapping[str, Callable[[PanelRequest], dict[str, str]]] = MappingProxyType(
    {DETECTABILITY_PANEL.word: blind_list}
)


class FilmListPayload(TypedDict):
    """The list was saved; `words` are Explore's address of it."""

    stage: Literal["films listed"]
    words: dict[str, str]


def calls(services: Services) -> list[Callable[[object], object]]:
    """Return the script's call."""

    def films_listed(request: object) -> FilmListPayload | RefusedPayload:
        """Save the films of {state}, of several lists those of {kinds}."""
        return answer_or_refusal(lambda: _listed(services, request))

    return [films_listed]


def _listed(services: Services, request: object) -> FilmListPayload:
    state = state_in(request)
    chosen = {**state, KINDS_WORD: string_field(request, KINDS_WORD)}
    asked = PanelRequest(services, subject_of(services.store, state), chosen)
    save = _LISTS.get(str(state.get("panel")), unstable_list)
    return {"stage": "films listed", "words": save(asked)}
