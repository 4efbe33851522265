"""Writes a reader study as a table: mean AUROC by modality, differences, models against readers, and each reader."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from explorer.core.arrays import Floats
from explorer.core.csv_table import Cells
from explorer.core.figures import Estimate, difference_text, estimate_text, fixed, p_text, share_text
from explorer.core.reader_study import ReaderStudy
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.metrics.delong import delong
from explorer.metrics.multireader import MeanArea, Multireader, Readers, multireader, readers_against_model
from explorer.metrics.reader_power import cases_needed

_BOTH: tuple[Readers, ...] = ("random", "fixed")
NEW_READERS = (3, 4, 5, 6, 8, 10, 15, 20)  # of a new study
ONE_MODALITY = (
    "No sample size for a new study: it compares two modalities, such as alone and with AI, and needs an earlier study "
    "in which the same readers read in both. This one has a single modality."
)
MEANS = {"random": "readers like these", "fixed": "these readers"}


@dataclass(frozen=True, slots=True)
class _Line:
    """A figure of the study, for readers like these and for these alone; `one` is compared with `other`, if named."""

    one: str
    other: str
    areas: tuple[MeanArea, MeanArea]


def study_table(study: ReaderStudy, difference: float | None = None, notes: Sequence[str] = ()) -> ResultTable:
    """Return the study's table; with `difference`, also what a new study needs to find one this large.

    `notes` on where the ratings come from precede those on the statistics.
    """
    found = multireader(study.truth, study.ratings)
    means, differences, against = list(_means(study, found)), list(_differences(study, found)), list(_against(study))
    grids = [TextGrid("Mean AUROC of the readers", ("modality", *MEANS.values()), tuple(map(_mean_cells, means)))]
    if differences:
        grids.append(_difference_grid("Differences", ("modality", "less"), differences))
    if against:
        grids.append(_difference_grid("Models against readers", ("model", "less the mean of readers in"), against))
    grids.append(_readers_grid(study))
    if difference is not None:
        if len(study.modalities) > 1:
            grids.append(_sample_size_grid(study, found, difference))
        else:
            notes = (*notes, ONE_MODALITY)
    lines = [("mean", each) for each in means] + [("difference", each) for each in differences]
    lines += [("model less readers", each) for each in against]
    rows = tuple(row for what, line in lines for row in _rows(what, line))
    return ResultTable(_title(study), (*notes, *_notes(study, found)), tuple(grids), rows)


def _title(study: ReaderStudy) -> str:
    found = int((study.truth == 1).sum())
    return (
        f"{quantity(len(study.readers), 'reader')} and {quantity(len(study.cases), 'case')}, {found:,} with the finding"
    )


def _notes(study: ReaderStudy, found: Multireader) -> Iterator[str]:
    yield (
        "AUROC by Obuchowski and Rockette (1995), covariances by DeLong, degrees of freedom by Hillis (2007). 95 % "
        "intervals; n counts cases."
    )
    yield "Readers like these: the interval also holds for other readers of that kind. These readers: for them alone."
    if len(study.modalities) > 1:
        ratio, first, second, p = found.equality()
        yield (
            f"All modalities are equal for readers like these: F = {fixed(ratio)} with {fixed(first, 0)} and "
            f"{fixed(second, 1)} degrees of freedom, p {p_text(p)}."
        )


def _means(study: ReaderStudy, found: Multireader) -> Iterator[_Line]:
    for place, name in enumerate(study.modalities):
        random, fixed_readers = (found.mean(place, each) for each in _BOTH)
        yield _Line(name, "", (random, fixed_readers))


def _differences(study: ReaderStudy, found: Multireader) -> Iterator[_Line]:
    for other, one in combinations(range(len(study.modalities)), 2):
        random, fixed_readers = (found.difference(one, other, each) for each in _BOTH)
        yield _Line(study.modalities[one], study.modalities[other], (random, fixed_readers))


def _against(study: ReaderStudy) -> Iterator[_Line]:
    for model, scores in study.models.items():
        for name, ratings in zip(study.modalities, study.ratings, strict=True):
            random, fixed_readers = (readers_against_model(study.truth, ratings, scores, each) for each in _BOTH)
            yield _Line(model, name, (random, fixed_readers))


def _mean_cells(line: _Line) -> tuple[str, ...]:
    return line.one, *(estimate_text(_estimate(area)) for area in line.areas)


def _difference_grid(title: str, names: tuple[str, str], lines: list[_Line]) -> TextGrid:
    header = (*names, MEANS["random"], "p", MEANS["fixed"], "p")
    rows = tuple((line.one, line.other, *_difference_cells(line)) for line in lines)
    return TextGrid(title, header, rows)


def _difference_cells(line: _Line) -> Iterator[str]:
    for area in line.areas:
        yield difference_text(area.value, area.low, area.high)
        yield p_text(area.p)


def _readers_grid(study: ReaderStudy) -> TextGrid:
    rows: list[tuple[str, str, str]] = []
    for name, ratings in zip(study.modalities, study.ratings, strict=True):
        rows += _area_rows(name, study.readers, ratings, study)
    for model, scores in study.models.items():
        rows += _area_rows(model, ("",), scores[None], study)
    return TextGrid("Each reader and model", ("modality", "reader", "AUROC"), tuple(rows))


def _sample_size_grid(study: ReaderStudy, earlier: Multireader, difference: float) -> TextGrid:
    cases = len(study.cases)
    needed = [(each, cases_needed(earlier, cases, difference, each)) for each in NEW_READERS]
    rows = tuple((str(each), "no number is enough" if count is None else f"{count:,}") for each, count in needed)
    share = fixed(float((study.truth == 1).mean()))
    return TextGrid(
        f"A new study of two modalities that differ by {share_text(difference)}: power 0.80, p 0.05",
        ("readers", "cases"),
        rows,
        notes=(f"For readers like these, if {share} of the cases have the finding, as here (Hillis et al. 2011).",),
    )


def _area_rows(
    modality: str, readers: tuple[str, ...], ratings: Floats, study: ReaderStudy
) -> Iterator[tuple[str, str, str]]:
    found = delong(study.truth, ratings)
    for place, reader in enumerate(readers):
        yield modality, reader, estimate_text(Estimate(float(found.areas[place]), *found.interval(place)))


def _estimate(area: MeanArea) -> Estimate:
    return Estimate(area.value, max(area.low, 0.0), min(area.high, 1.0))


def _rows(what: str, line: _Line) -> Iterator[Cells]:
    for kind, area in zip(_BOTH, line.areas, strict=True):
        yield {
            "figure": what,
            "name": line.one,
            "less": line.other,
            "readers": kind,
            "value": area.value,
            "low": area.low,
            "high": area.high,
            "standard_error": area.error,
            "degrees_of_freedom": area.freedom if math.isfinite(area.freedom) else None,
            "p": None if math.isnan(area.p) else area.p,
        }
