"""A model's calibration for all findings, as a table to print or save."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.analysis.comparisons.calibration_by_finding import Calibrated, CalibrationByFinding, CalibrationRow
from explorer.analysis.leaderboard.picked_films import picked_words
from explorer.cohorts.counted import OfFilms, case_words, cases_text, counted_by
from explorer.cohorts.manifest import Manifest
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import Estimate, estimate_text, number_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.metrics.calibration_line import CalibrationLine
from explorer.store.slices import Slice

HEADER = ("finding", "n+", "ECE", "slope", "intercept", "ECE after", "slope after", "intercept after")


def calibration_table(found: CalibrationByFinding, chosen: Slice, about: Manifest) -> ResultTable:
    """Return a grid with a row per finding, most positives first; `about` describes the cohort."""
    order = by_positives(found)
    grid = TextGrid(f"calibration of {found.model}", HEADER, tuple(_cells_of_row(row) for row in order), counts=1)
    return ResultTable(
        calibration_title(found, chosen, about),
        tuple(calibration_notes(found, about)),
        (grid,),
        tuple(_row(found, chosen, row) for row in order),
    )


def by_positives(found: CalibrationByFinding) -> list[CalibrationRow]:
    """Return the rows, most positives first."""
    return sorted(found.rows, key=lambda row: (-row.positives, row.finding))


def calibration_title(found: CalibrationByFinding, chosen: Slice, about: Manifest) -> str:
    """Return which model and films are measured."""
    cases, patients = cases_text(found.films, counted_by(about)), quantity(found.patients, "patient")
    return f"{calibration_of(found.model, chosen, about)}: {cases} of {patients}"


def calibration_of(model: str, chosen: Slice, about: Manifest) -> str:
    """Return which model is measured on which films, without their number."""
    return f"Calibration of {model} on {picked_words(chosen, counted_by(about))}"


def calibration_notes(found: CalibrationByFinding, about: Manifest) -> Iterator[str]:
    """Yield sentences on how figures are computed and what is left out."""
    counted = counted_by(about)
    return (case_words(note, counted) for note in _notes_on_films(found, simulated=about.simulated))


def _notes_on_films(found: CalibrationByFinding, *, simulated: bool) -> Iterator[str]:
    if simulated:
        yield "SIMULATED films."
    if found.fitted is not None:
        yield OfFilms(
            f"After: Platt's calibration of each finding, fitted on {found.fitted.chosen_on} "
            f"({found.fitted.films_text}) and carried here."
        )
    else:
        yield "After: Platt's calibration, cross-fitted over five folds of patients of these films."
    yield (
        "Slope 1 is ideal; below 1, probabilities are too extreme. Intercept 0 is ideal; below 0, probabilities are "
        "too high on average (slope fixed at 1)."
    )
    if found.resamples:
        kind = "bias-corrected, " * (found.intervals == "bias-corrected")
        yield f"95 % intervals of ECE: {kind}{found.resamples:,} resamples of whole patients."
        if not kind:
            yield "Resampling itself raises ECE: the intervals lie somewhat too high; bias-corrected ones correct that."
        yield "95 % intervals of slope and intercept: in closed form, films of a patient counted together."
    if found.left_out:
        yield f"{quantity(found.left_out, 'film')} left out: the calibration was fitted on their patients."


def _cells_of_row(row: CalibrationRow) -> tuple[str, ...]:
    after = (row.reason, "", "") if row.after is None else _texts(row.after)
    return row.finding, f"{row.positives:,}", *_texts(row.raw), *after


def _texts(figures: Calibrated) -> tuple[str, str, str]:
    line = (figures.line.slope, figures.line.intercept)
    slope, intercept = (number_text(each.value, each.low, each.high) for each in line)
    return estimate_text(figures.ece), slope, intercept


def _row(found: CalibrationByFinding, chosen: Slice, row: CalibrationRow) -> Cells:
    return {
        "cohort": chosen.cohort,
        "model": found.model,
        "finding": row.finding,
        "films": row.films,
        "positives": row.positives,
        **_cells("", row.raw),
        "calibrated_by": found.by,
        "reason": row.reason,
        **_cells("after_", row.after),
    }


def _cells(start: str, figures: Calibrated | None) -> Cells:
    nothing = Estimate(float("nan"))
    ece, line = (nothing, CalibrationLine(nothing, nothing)) if figures is None else (figures.ece, figures.line)
    parts = {"ece": ece, "slope": line.slope, "intercept": line.intercept}
    return {
        f"{start}{name}{end}": or_none(getattr(figure, value))
        for name, figure in parts.items()
        for end, value in (("", "value"), ("_low", "low"), ("_high", "high"))
    }
