"""The truth about a film: the labels that count with their source, sides, masks and boxes."""

from __future__ import annotations

from explorer.cohorts.film_source import SimulatedFilm, masks_of
from explorer.cohorts.schema import Label
from explorer.core.appearance_bands import Side
from explorer.core.word_lists import and_list
from explorer.school.playlists.found_film import CohortFilm, OrderedFilm
from explorer.school.playlists.simulated_truth import simulated_truth
from explorer.school.playlists.truth import Truth, TruthBox
from explorer.simulator.packed_film import MaskByFinding
from explorer.store.prepared.labels import together
from explorer.store.results import Case

UNLABELED = "no source: no label counts"


def film_truth(film: CohortFilm | OrderedFilm, *, pair: int | None = None) -> Truth:
    """Return the truth about a film; `pair` is its index in a pair. Raises `masks_of`'s WrongRequest and QueueFull."""
    if isinstance(film, OrderedFilm):
        masks = film.source.masks() if isinstance(film.source, SimulatedFilm) else {}
        return simulated_truth(film.film, _non_empty(masks), pair=pair)
    masks = masks_of(film.cohort, film.source)
    labels = _labels(film.case)
    present = {finding: mask for finding, mask in masks.items() if labels.get(finding) == "present"}
    return Truth(labels, _source(film.case), _sides(film.case), _non_empty(present), _boxes(film.case, present))


def _labels(case: Case) -> dict[str, Label]:
    """Return the combined label of each finding from the sources that count; unknown ones are left out."""
    said: dict[str, list[Label]] = {}
    for each in case.labels:
        if each.counts:
            said.setdefault(each.finding, []).append(each.label)
    agreed = {finding: together(labels) for finding, labels in sorted(said.items())}
    return {finding: label for finding, label in agreed.items() if label != "unknown"}


def _source(case: Case) -> str:
    return and_list(sorted({each.source for each in case.labels if each.counts})) or UNLABELED


def _sides(case: Case) -> dict[str, Side]:
    return {each.finding: each.side for each in case.appearances if each.side is not None}


def _boxes(case: Case, masks: MaskByFinding) -> tuple[TruthBox, ...]:
    """Return the boxes of findings without a mask; the other findings' boxes merely enclose their masks."""
    return tuple(
        TruthBox(each.finding, each.x, each.y, each.width, each.height, each.source)
        for each in case.boxes
        if each.finding not in masks
    )


def _non_empty(masks: MaskByFinding) -> MaskByFinding:
    """Return the masks that are not empty."""
    return {finding: mask for finding, mask in masks.items() if mask.any()}
