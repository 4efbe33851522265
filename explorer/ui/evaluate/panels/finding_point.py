"""A threshold that was settled: its intervals, which the script does not compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from explorer.ui.evaluate.panels.finding_asked import finding_asked, worth_of_threshold
from explorer.ui.evaluate.panels.finding_payload import WorthPayload, worth_payload
from explorer.ui.evaluate.panels.panel import Asked
from explorer.ui.evaluate.subject import subject_of
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import state_in
from explorer.ui.shared.services import Services
from models.refusal import Refusal


class PointPayload(WorthPayload):
    """The answer to a threshold."""

    stage: Literal["point"]


def point_call(services: Services) -> Callable[[object], object]:
    """What the script may ask: {state}, whose words name the finding, the reference, `at` and `prevalence`."""

    def point(asked: object) -> PointPayload | RefusedPayload:
        state = state_in(asked)
        try:
            worth = worth_of_threshold(finding_asked(Asked(services, subject_of(services.store, state), state)))
        except Refusal as refusal:
            return refusal_payload(refusal)
        return {"stage": "point", **worth_payload(worth)}

    return point
