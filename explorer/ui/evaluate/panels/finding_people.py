"""People beside the models' curves: imported readers as points and curves, and how far the reference is above each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TypedDict

from explorer.analysis.one_finding.above_reader import AboveReader, Gap, above_readers
from explorer.analysis.one_finding.curves import ModelCurves
from explorer.analysis.one_finding.film_readers import FilmReader, cohort_readers
from explorer.analysis.one_finding.scores import FindingScores, OperatingMark
from explorer.cohorts.layout import DamagedCohort
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import difference_text, share_text
from explorer.core.text_grid import TextGrid
from explorer.ui.evaluate.panels.finding_groups import ReadingGroup
from explorer.ui.evaluate.panels.in_background import in_background
from explorer.ui.evaluate.panels.panel import PanelRequest
from explorer.ui.shared.panel_words import ValuePayload

MAX_COMPARED = 30  # readers compared with the model, imported ones first
MAX_CURVES = 12  # drawn; more would hide the models'
ABOVE_HEADER = ("reader", "films", "n+", "specificity at its sensitivity", "sensitivity at its specificity", "AUROC")


class GapPayload(TypedDict):
    """A model's figure and the reader's, null if undefined, and their difference with its interval."""

    model: float | None
    reader: float | None
    difference: ValuePayload


class AboveReaderPayload(TypedDict):
    """The reference compared with a reader, on the films that the reader called, and `rated` ones for the area."""

    name: str
    films: int
    positives: int
    rated: int
    specificity: GapPayload
    sensitivity: GapPayload
    area: GapPayload


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Imported readers' points, curves of readers and learners, and the comparison of the reference with all of them.

    `computing`: its intervals are not ready. `left` readers are not compared. `complaints` are about unreadable files.
    """

    marks: tuple[OperatingMark, ...]
    curves: tuple[tuple[str, ModelCurves], ...]
    above: tuple[AboveReader, ...]
    computing: bool
    left: int
    complaints: tuple[str, ...]


def people_of(
    request: PanelRequest, one: FindingScores, reference: int, groups: Sequence[ReadingGroup], cases: Sequence[str]
) -> People:
    """Return who read the compared cases (n,), with intervals if they are ready; otherwise start computing them."""
    folder, complaints = request.services.store.folder(request.subject.chosen.cohort), []
    try:
        readers = list(cohort_readers(folder, one.finding, cases))
    except DamagedCohort as damaged:
        readers = []
        complaints.append(f"Imported readers are not shown. {damaged}")
    marks = [mark for each in readers if (mark := each.mark(one)) is not None]
    if one.no_curve_reason:
        return People(tuple(marks), (), (), False, 0, tuple(complaints))
    every = [*readers, *(reader for group in groups for reader in group.readers)]
    drawn = ((each.name, each.curves(one)) for each in every)
    curves = tuple(islice(((name, each) for name, each in drawn if each is not None), MAX_CURVES))
    compared = every[:MAX_COMPARED]
    above = None
    if compared:
        name = ("above readers", one.finding, one.models[reference], _digest(compared))
        above = in_background(request, name, lambda: partial(above_readers, one, reference, compared))
    known = above_readers(one, reference, compared) if above is None else above
    left = len(every) - len(compared)
    return People(tuple(marks), curves, known, bool(compared) and above is None, left, tuple(complaints))


def _digest(readers: Sequence[FilmReader]) -> str:
    """Return a name for what the readers said, so that new answers are compared anew."""
    words = hashlib.sha256()
    for each in readers:
        words.update(each.name.encode("utf-8", "surrogatepass") + b"\0" + each.calls.tobytes() + each.ratings.tobytes())
    return words.hexdigest()


def people_notes(people: People) -> Iterator[str]:
    """Yield what the readers' marks and the comparison mean."""
    if people.marks:
        yield (
            "Circles are imported readers: their calls on the films they read. Dotted lines are their ratings. Their "
            "precision is drawn at the prevalence of all these films; the table counts the films they read."
        )
    if people.above:
        yield (
            "Above the reader: the reference's figure minus the reader's on the same films, its ROC curve read at the "
            "reader's own point. Intervals are paired, over resamples of whole patients."
        )
    if people.left:
        yield f"{people.left:,} more readers are not compared: the first {MAX_COMPARED} are."


def above_payload(each: AboveReader) -> AboveReaderPayload:
    """Return the comparison with a reader as JSON."""
    return {
        "name": each.name,
        "films": each.films,
        "positives": each.positives,
        "rated": each.rated,
        "specificity": _gap(each.specificity),
        "sensitivity": _gap(each.sensitivity),
        "area": _gap(each.area),
    }


def _gap(gap: Gap) -> GapPayload:
    return {
        "model": or_none(gap.model),
        "reader": or_none(gap.reader),
        "difference": {"value": or_none(gap.difference), "low": or_none(gap.low), "high": or_none(gap.high)},
    }


def above_grid(people: People, model: str) -> TextGrid:
    """Return the comparison as a table of texts."""
    rows = tuple(
        (each.name, f"{each.films:,}", f"{each.positives:,}", *map(_words, each.gaps)) for each in people.above
    )
    return TextGrid(f"{model} above each reader", ABOVE_HEADER, rows, counts=2)


def _words(gap: Gap) -> str:
    if gap.difference != gap.difference:
        return ""
    both = f"{share_text(gap.model)} \u2212 {share_text(gap.reader)}"
    return f"{difference_text(gap.difference, gap.low, gap.high)} ({both})"


def above_rows(people: People, model: str) -> Iterator[Cells]:
    """Yield a row for each difference."""
    for each in people.above:
        gaps = {
            "specificity at the reader's sensitivity": (each.specificity, each.films),
            "sensitivity at the reader's specificity": (each.sensitivity, each.films),
            "AUROC": (each.area, each.rated),
        }
        for metric, (gap, n) in gaps.items():
            ends = (or_none(gap.difference), or_none(gap.low), or_none(gap.high))
            yield {
                "model": model,
                "source": each.name,
                "metric": f"{metric}, model minus reader",
                "n": n,
                **dict(zip(("value", "ci_low", "ci_high"), ends, strict=True)),
            }
