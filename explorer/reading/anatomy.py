"""What a film's anatomy tells a reader: the cardiothoracic ratio with its lines, and where a heat map is hottest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.figures import fixed
from explorer.reading.heat_share import cell_weights, share_inside
from explorer.reading.reader import InputBox
from models.anatomy import Anatomy, anatomy
from models.anatomy.cardiothoracic import SIMULATED_ERROR, CardiothoracicRatio, HorizontalLine, cardiothoracic_ratio
from models.anatomy.places import PlaceGrid, PlaceMap, place_map
from models.gate.judgment import Verdict
from models.radiograph import Radiograph, View

NOT_READ = "This film was refused, so its anatomy is not outlined."
MAGNIFIED = "On an AP film the heart looks larger than on a PA film."
MIRRORED = "The film may be mirrored, so its sides are uncertain."
IN_LUNGS = 0.5  # share of a map's heat inside the lungs below which most of it lies outside
# Findings of lung and pleura: their maps should lie within the lungs.
LUNG_FINDINGS = frozenset(
    (
        *("Atelectasis", "Consolidation", "Edema", "Emphysema", "Fibrosis", "Infiltration", "Mass", "Nodule"),
        *("Pleural Effusion", "Pleural Other", "Pleural Thickening", "Pneumonia", "Pneumothorax", "Alveolar Pattern"),
        *("Interstitial Pattern", "Bronchiectasis", "Hydropneumothorax", "Bulla", "Infarction", "Lung Opacity"),
    )
)


@dataclass(frozen=True, slots=True)
class HeartSize:
    """The cardiothoracic ratio of a film, or why there is none; `says` is a sentence for readers."""

    ratio: CardiothoracicRatio | None
    says: str


@dataclass(frozen=True, slots=True)
class MapPlace:
    """Where a map is hottest, such as "right base"; empty if not known. `caution` is a sentence, or empty."""

    place: str
    caution: str


NO_PLACE = MapPlace("", "")
# Every thread that uses torch holds on to memory and workers forever, and the page answers in dozens of threads.
_one_thread = ThreadPoolExecutor(1, thread_name_prefix="anatomy")


def film_anatomy(radiograph: Radiograph, verdict: Verdict) -> Anatomy | str:
    """Return a film's plausible outlines, or a sentence on why there are none. Raises UnusableModel.

    Neither a film that the gate refused nor one that seems mirrored is outlined, even if it is read anyway.
    """
    if not verdict.readable:
        return NOT_READ
    if verdict.details.remedy == "mirror":
        return MIRRORED
    return frontal_anatomy(radiograph)


def frontal_anatomy(radiograph: Radiograph) -> Anatomy | str:
    """Return the plausible outlines of a film that is known to be frontal, or why there are none."""
    outlines = _one_thread.submit(anatomy, radiograph).result()
    return outlines.wrong or outlines


def film_places(radiograph: Radiograph) -> PlaceGrid | None:
    """Return the places of a frontal film; None if its anatomy was not found. Raises UnusableModel."""
    outlines = frontal_anatomy(radiograph)
    return None if isinstance(outlines, str) else place_map(outlines).grid()


def heart_size(outlines: Anatomy | str, view: View) -> HeartSize:
    """Return the ratio measured on the outlines of a film, in words with its error on simulated films."""
    if isinstance(outlines, str):
        return HeartSize(None, f"Heart size not found. {outlines}")
    ratio = cardiothoracic_ratio(outlines)
    says = (
        f"Cardiothoracic ratio {fixed(ratio.value)}. The outlines were learned from simulated films; the mean error "
        f"there is {fixed(SIMULATED_ERROR, 3)}."
    )
    return HeartSize(ratio, says if view == "PA" else f"{says} {MAGNIFIED}")


def line_numbers(ratio: CardiothoracicRatio) -> list[list[float]]:
    """Return the heart's two lines and the chest's as [left, right, y], fractions of the film's width and height."""
    lines: Iterable[HorizontalLine] = (*ratio.heart, ratio.chest)
    return [[line.left, line.right, line.y] for line in lines]


def map_places(
    outlines: Anatomy | str, findings: Sequence[str], maps: NDArray[np.float32], box: InputBox
) -> tuple[MapPlace, ...]:
    """Return the place of each map (k, g, g), in order; empty places if the anatomy was not found."""
    if isinstance(outlines, str):
        return tuple(NO_PLACE for _ in findings)
    places = place_map(outlines)
    return tuple(_map_place(places, finding, heat, box) for finding, heat in zip(findings, maps, strict=True))


def _map_place(places: PlaceMap, finding: str, heat: NDArray[np.float32], box: InputBox) -> MapPlace:
    field = places.lung_field
    inside = share_inside(heat, box, field)
    if inside is None:  # the map has no heat
        return NO_PLACE
    down, across = (cell_weights(box, side, pixels, heat.shape[side]) for side, pixels in enumerate(field.shape))
    row, column = np.unravel_index((down @ heat @ across.T).argmax(), field.shape)
    height, width = field.shape
    place = places.place((float(column) + 0.5) / width, (float(row) + 0.5) / height)
    outside = finding in LUNG_FINDINGS and inside < IN_LUNGS
    caution = f"Only {fixed(100 * inside, 0)} % of this map lies in the lungs." if outside else ""
    return MapPlace(place, caution)
