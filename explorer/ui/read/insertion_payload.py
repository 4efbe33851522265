"""The payloads of Read's simulated findings in an open film. SIMULATED: whatever shows them has to say so."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np

from explorer.reading.png16 import film_to_png

if TYPE_CHECKING:  # these bring SciPy
    from explorer.insertion.film_change import FilmChange
    from explorer.insertion.two_scores import TwoScores

_MIDDLE, _STEPS, _TOP = 32768, 32767, 65535  # levels: no change, a change of 1, white


class InsertableFindingPayload(TypedDict):
    """A finding on offer; `note` says in a few words what to know before choosing it, and may be empty.

    `focal`: it can be put at a point, and at many places in turn.
    """

    finding: str
    focal: bool
    note: str


class ChangePayload(TypedDict):
    """What to add to a film that is reduced to `size` (height, width), in a window of it; the rest stays.

    `image` is a PNG like a film's: level 32768 is no change, 65535 a change from black to white.
    """

    image: str
    checksum: int
    row: int
    column: int
    height: int
    width: int
    size: list[int]


class TwoScoresPayload(TypedDict):
    """What one model says with the finding and without, and whether to believe it; null if it does not look for it."""

    model: str
    score: float | None
    without: float | None
    threshold: float | None
    says: str
    believable: str


class InsertionPayload(TypedDict):
    """A finding in the open film; `mark` has to be burned into every picture of it.

    `point` is a focal finding's place in fractions of the film's width and height, `place` is that in words; `severe`
    is the severity in words, with a size; `size` is a sentence on how large that is in the simulated patient.
    `flagged_means` says how "flagged" differs from the list's word, or is empty.
    """

    stage: Literal["insertion"]
    finding: str
    side: str
    severity: float
    severe: str
    size: str
    point: list[float] | None
    place: str
    mark: str
    change: ChangePayload
    scores: list[TwoScoresPayload]
    flagged_means: str
    choices: list[InsertableFindingPayload]


class BlindSpotsPayload(TypedDict):
    """One finding at many places of lungs and heart in turn, in fractions of the film, and whether it is flagged there.

    `says` counts them by zone of the lungs; `believable` says whether the model sees such a finding as a real one.
    """

    stage: Literal["blind spots"]
    finding: str
    severity: float
    places: list[list[float]]
    flagged: list[bool]
    says: str
    believable: str


class DosePayload(TypedDict):
    """One model's scores by severity; none if it does not look for the finding or cannot judge it, as `says` says."""

    name: str
    scores: list[float]
    threshold: float | None
    says: str


class DoseResponsePayload(TypedDict):
    """The scores of the film with the finding at one place, at rising severities."""

    stage: Literal["dose response"]
    finding: str
    severities: list[float]
    models: list[DosePayload]


def change_payload(change: FilmChange) -> ChangePayload:
    """A change of gray for the script."""
    image, checksum = film_to_png(((_MIDDLE + change.gray * _STEPS) / _TOP).astype(np.float32))
    height, width = change.gray.shape
    return {
        "image": "data:image/png;base64," + base64.b64encode(image).decode("ascii"),
        "checksum": checksum,
        "row": change.row,
        "column": change.column,
        "height": height,
        "width": width,
        "size": list(change.size),
    }


def two_scores_payload(scores: TwoScores, believable: str) -> TwoScoresPayload:
    """A model's scores with the finding and without."""
    return {
        "model": scores.model,
        "score": scores.score,
        "without": scores.without,
        "threshold": scores.threshold,
        "says": scores.says,
        "believable": believable,
    }
