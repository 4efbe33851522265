"""Asks the server's side of Evaluate as its script does: JSON there and back, and no NaN in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from explorer.ui.evaluate.calls import calls
from explorer.ui.shared.services import Services

Json = dict[str, Any]
Ask = Callable[..., Json]


def asker(services: Services) -> Ask:
    """A function of the call's name, the state, and what else is sent."""
    offered = {call.__name__: call for call in calls(services)}

    def asked(name: str, state: Json, **more: object) -> Json:
        answer: Json = json.loads(json.dumps(offered[name]({"state": state, **more}), allow_nan=False))
        return answer

    return asked
