"""The call for a hand-picked threshold's intervals, which the script cannot compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from explorer.ui.evaluate.panels.finding_asked import finding_view, threshold_performance
from explorer.ui.evaluate.panels.finding_payload import ThresholdPerformancePayload, threshold_performance_payload
from explorer.ui.evaluate.panels.panel import PanelRequest
from explorer.ui.evaluate.subject import subject_of
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import state_in
from explorer.ui.shared.services import Services
from models.refusal import Refusal


class PickedThresholdPayload(ThresholdPerformancePayload):
    """The performance at a hand-picked threshold."""

    stage: Literal["point"]


def point_call(services: Services) -> Callable[[object], object]:
    """Return the script's call: {state} names the finding, the reference, `at` and `prevalence`."""

    def point(request: object) -> PickedThresholdPayload | RefusedPayload:
        state = state_in(request)
        try:
            worth = threshold_performance(
                finding_view(PanelRequest(services, subject_of(services.store, state), state))
            )
        except Refusal as refusal:
            return refusal_payload(refusal)
        return {"stage": "point", **threshold_performance_payload(worth)}

    return point
