"""Two models compared finding by finding, as a table to print or save."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.analysis.comparisons.finding_differences import (
    PAIR_MEASURES,
    Differences,
    FindingDifferences,
    PairMeasure,
)
from explorer.analysis.leaderboard.groups import FrequencyGroups
from explorer.analysis.leaderboard.picked_films import picked_notes, picked_words
from explorer.analysis.leaderboard.report import films_compared
from explorer.cohorts.counted import Counted, case_words
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import UNDEFINED, difference_text, p_text, share_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import and_list, quantity
from explorer.store.slices import Slice

CORRECTED = "; intervals are bias-corrected (Efron)"


@dataclass(frozen=True, slots=True, eq=False)
class DifferencesReport:
    """A comparison with its films; `notes` are sentences about thresholds and the like."""

    found: FindingDifferences
    chosen: Slice
    groups: FrequencyGroups
    simulated: bool
    notes: tuple[str, ...] = ()
    counted: Counted = "film"


def differences_table(report: DifferencesReport, measures: Sequence[PairMeasure] = PAIR_MEASURES) -> ResultTable:
    """Return a grid per measure, rarest findings last, and a row per finding and measure."""
    order = by_positives(report.found)
    return ResultTable(
        differences_title(report),
        tuple(differences_notes(report)),
        tuple(_grid(report, measure, order) for measure in measures),
        tuple(row for measure in measures for row in _rows(report, measure, order)),
    )


def by_positives(found: FindingDifferences) -> list[int]:
    """Return the findings' indices, most positives first."""
    return sorted(range(len(found.findings)), key=lambda place: (-found.positives[place], found.findings[place]))


def differences_title(report: DifferencesReport) -> str:
    """Return which models and films are compared."""
    found, (reference, model) = report.found, report.found.models
    films = films_compared(found.films, found.films_left_out, report.counted)
    where = picked_words(report.chosen, report.counted)
    return f"{model} less {reference} on {where}: {films} of {quantity(found.patients, 'patient')}"


def differences_notes(report: DifferencesReport) -> Iterator[str]:
    """Yield sentences on how figures are computed and what is left out."""
    return (case_words(note, report.counted) for note in _notes_on_films(report))


def _notes_on_films(report: DifferencesReport) -> Iterator[str]:
    found = report.found
    if report.simulated:
        yield "SIMULATED films."
    yield from picked_notes(report.chosen)
    if found.resamples:
        yield (
            f"95 % intervals and two-sided p: {found.resamples:,} exact bootstrap resamples of whole patients, the "
            f"same for both models{CORRECTED if found.intervals == 'bias-corrected' else ''}."
        )
        if found.in_closed_form:
            yield "Differences of sensitivity are in closed form, with films of a patient counted together."
        if found.area is not None:
            yield (
                "DeLong: the same difference in AUROC with the interval and p of DeLong, films of a patient counted "
                "together (Obuchowski)."
            )
    yield (
        f"p is adjusted over the {quantity(int(found.tested.sum()), 'finding')} with at least "
        f"{quantity(found.minimum, 'positive')}, by Benjamini and Hochberg, for each metric. Other findings are listed "
        "without a test."
    )
    yield "F1 and sensitivity use each model's thresholds. Unknown labels are left out, never counted as absent."
    yield from report.notes
    if found.weighted:
        yield "Films are weighted to natural prevalence; DeLong's method has no weights and is left out."
    if found.films_left_out:
        films = quantity(found.films_left_out, "film")
        yield f"{films} left out, because one of the models did not score all findings."
    if found.findings_left_out:
        yield f"Left out, because only one of the models scores it: {and_list(found.findings_left_out)}."
    if found.uncalled:
        yield (
            f"{quantity(found.uncalled, 'pair')} of film and finding left out of F1 and sensitivity: a model has no "
            "threshold for it."
        )


def summary_words(found: FindingDifferences, measure: PairMeasure) -> str:
    """Return how many findings each model leads beyond chance; empty without intervals."""
    if not found.resamples:
        return ""
    tested, second, first = found.significant(measure)
    reference, model = found.models
    return (
        f"Of {quantity(tested, 'tested finding')}, {model} leads in {second} and {reference} in {first} beyond chance "
        "(adjusted p below 0.05)."
    )


def _grid(report: DifferencesReport, measure: PairMeasure, order: Sequence[int]) -> TextGrid:
    found, (reference, model) = report.found, report.found.models
    header = ["finding", "n+", reference, model, "difference", "p"]
    columns = [_differences(found.differences[measure], order), _p(found.differences[measure], order)]
    if measure == "AUROC" and found.area is not None and found.resamples:
        header += ["DeLong", "p DeLong"]
        columns += [_differences(found.area, order), _p(found.area, order)]
    names = [found.findings[place] for place in order]
    positives = [f"{found.positives[place]:,}" for place in order]
    values = [[_value(side[place]) for place in order] for side in found.values[measure]]
    rows = tuple(zip(names, positives, *values, *columns, strict=True))
    summary = summary_words(found, measure)
    return TextGrid(measure, tuple(header), rows, counts=1, notes=(summary,) if summary else ())


def _value(value: float) -> str:
    return UNDEFINED if value != value else share_text(value, 3)


def _differences(found: Differences, order: Sequence[int]) -> list[str]:
    return [difference_text(*(float(each[place]) for each in (found.value, found.low, found.high))) for place in order]


def _p(found: Differences, order: Sequence[int]) -> list[str]:
    return ["" if found.adjusted[place] != found.adjusted[place] else p_text(found.adjusted[place]) for place in order]


def _rows(report: DifferencesReport, measure: PairMeasure, order: Sequence[int]) -> Iterator[Cells]:
    found, (reference, model) = report.found, report.found.models
    for place in order:
        finding = found.findings[place]
        area = found.area if measure == "AUROC" else None
        yield {
            "cohort": report.chosen.cohort,
            "metric": measure,
            "finding": finding,
            "frequency_group": report.groups.get(finding),
            "films": found.known[place],
            "positives": found.positives[place],
            "tested": "yes" if found.tested[place] else "no",
            "reference": reference,
            "model": model,
            "reference_value": or_none(found.values[measure][0, place]),
            "model_value": or_none(found.values[measure][1, place]),
            **_cells("", found.differences[measure], place),
            **_cells("delong_", area, place),
            "weighted": "natural" if found.weighted else "no",
        }


def _cells(start: str, found: Differences | None, place: int) -> Cells:
    names = {"difference": "value", "low": "low", "high": "high", "p": "p", "p_adjusted": "adjusted"}
    return {
        f"{start}{name}": None if found is None else or_none(getattr(found, part)[place])
        for name, part in names.items()
    }
