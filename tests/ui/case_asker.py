"""The server's side of the case view, asked as its script asks."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.core.findings import Outcome
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import Reader
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.explore.case_calls import calls
from explorer.ui.shared.services import Services

COHORT, MODEL = "nih-oof", "nih-ensemble"
FOLDER = Folder(CACHE / COHORT)
MASS = Slice(COHORT, MODEL, finding="Mass", outcomes=(Outcome.MISS,))
STATE = {"finding": "mass", "outcome": "miss"}
Ask = Callable[..., dict[str, Any]]


def asker(store: Store, images: Images, reader: Reader | None = None) -> Ask:
    """Asks one of the calls by name about a case, as the script does."""
    readers = None if reader is None else ByProvenance.one(reader)
    services = Services(store, images, readers, cast(IntervalsJob, None))
    by_name = {call.__name__: call for call in calls(services)}

    def ask(name: str, case: object, state: dict[str, str] | None = None, **more: object) -> dict[str, Any]:
        answer = by_name[name]({"state": STATE if state is None else state, "case": case, **more})
        json.dumps(answer)  # it goes to a browser
        return cast(dict[str, Any], answer)

    return ask
