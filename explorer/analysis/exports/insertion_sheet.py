"""Draws films with simulated findings, ready to print. Every picture of one has its mark burned in."""

from __future__ import annotations

import numpy as np
from PIL import Image

from explorer.analysis.exports.figure_sheet import SheetFilm, draw_sheet
from explorer.core.figures import score_text
from explorer.insertion.blind_spots import BlindSpots, flagged_by_zone
from explorer.insertion.burned_mark import mark_of, marked
from explorer.insertion.finding_size import severity_words
from explorer.insertion.insertable import SIDES
from explorer.insertion.insertion import Insertion
from explorer.insertion.rescored import Rescored
from models.anatomy import Anatomy
from models.array_types import Bools, Float32
from models.radiograph import Radiograph

NOT_MEDICAL = "Not for medical use."
_DOT = 110  # the film's longer side over the radius of a dot


def insertion_sentence(found: Rescored, wanted: Insertion, threshold: float | None) -> str:
    """Return one sentence about the score with the finding and without it."""
    severe = severity_words(wanted.finding, wanted.side, wanted.severity, wanted.seed)
    said = f"{wanted.finding}, {wanted.side}, {severe}: "
    said += f"score {score_text(found.score)}, {score_text(found.without)} without it"
    if threshold is None:
        return f"{said}. The model has no threshold for it."
    now, before = ("flagged" if each >= threshold else "not flagged" for each in (found.score, found.without))
    return f"{said}; {now}, {before} without it (threshold {score_text(threshold)})."


def insertion_sheet(film: Radiograph, found: Rescored, sentence: str, believable: str) -> Image.Image:
    """Return the film without the finding and with it, side by side, the finding outlined in a third picture.

    Below them stands `believable`: whether the model was shown to see such a finding as it sees others.
    """
    mark = mark_of(film.simulated)
    shown = marked(found.inserted.film, mark)
    films = [
        SheetFilm(film.pixels, None, None, ("The film",)),
        SheetFilm(shown, None, None, ("With the finding",)),
        SheetFilm(shown, None, found.inserted.mask, ("Where it is",)),
    ]
    return draw_sheet(films, sentence, [believable, f"{mark}. {NOT_MEDICAL}"], columns=len(films))


def blind_spot_sentence(found: BlindSpots, finding: str, severity: float, threshold: float, outlines: Anatomy) -> str:
    """Return a sentence on where one finding would be flagged, by zone of the lungs."""
    flags = found.flagged(threshold)
    said = f"{finding}, {severity_words(finding, SIDES[0], severity)}: flagged at {sum(flags)} of {len(flags)} places"
    zones = flagged_by_zone(found, threshold, outlines)
    said += f" ({', '.join(f'{name} {hits} of {tried}' for name, (hits, tried) in zones.items())})."
    if found.without >= threshold:
        said += f" The film is flagged without it, too (score {score_text(found.without)})."
    return said


def blind_spot_sheet(
    film: Radiograph, found: BlindSpots, threshold: float, sentence: str, believable: str
) -> Image.Image:
    """Return the film with dots at the places where the finding is flagged, beside those where it is not.

    Below them stands `believable`: whether the model was shown to see such a finding as it sees others.
    """
    flags, mark = found.flagged(threshold), mark_of(film.simulated)
    pictures = [
        SheetFilm(
            marked(film.pixels, mark),
            None,
            _dots(film.pixels, found, flags, shown),
            (f"{words}: {flags.count(shown)} places",),
        )
        for shown, words in ((True, "Flagged"), (False, "Not flagged"))
    ]
    note = f"{mark}. {NOT_MEDICAL} One simulated finding, always of the same size, was put at each place in turn."
    return draw_sheet(pictures, sentence, [believable, note], columns=len(pictures))


def _dots(film: Float32, found: BlindSpots, flags: list[bool], shown: bool) -> Bools:
    height, width = film.shape
    rows, columns = np.mgrid[:height, :width]
    radius = max(max(film.shape) / _DOT, 2)
    mask = np.zeros(film.shape, bool)
    for place, flagged in zip(found.places, flags, strict=True):
        if flagged == shown:
            mask |= np.hypot(columns - place.point[0], rows - place.point[1]) <= radius
    return mask
