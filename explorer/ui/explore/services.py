"""What the Explore tab answers from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.cohorts.images import Images
    from explorer.intervals_job import IntervalsJob
    from explorer.ranking import Texts
    from explorer.reading import Reader
    from explorer.store import Store


@dataclass(frozen=True, slots=True)
class Services:
    """The cohorts, the films given for them, the model that reads films, the slow intervals, what reads typed findings.

    Models are None where there are none.
    """

    store: Store
    images: Images
    reader: Reader | None
    intervals: IntervalsJob
    asker: Texts | None = None
