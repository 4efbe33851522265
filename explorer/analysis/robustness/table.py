"""Writes a model's robustness as a table in one of four formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from explorer.analysis.leaderboard.groups import BoardPart
from explorer.analysis.leaderboard.picked_films import picked_notes, picked_words
from explorer.analysis.leaderboard.report import interval_note
from explorer.analysis.robustness.flips import RIGHT, WRONG, CallsBefore, FlippedCalls
from explorer.analysis.robustness.level_metrics import CHANGED, ChangedMeasure
from explorer.analysis.robustness.relative_error import relative_error
from explorer.analysis.robustness.report import LevelResult, Robustness
from explorer.analysis.robustness.summary import flip_text, level_words, summary
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells, rate_cells
from explorer.core.figures import Estimate, difference_text, estimate_text, number_text
from explorer.core.findings import Outcome
from explorer.core.rates import Rate
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.simulator.perturbations.kind import PhysicalPerturbation

MEASURE_NAMES: dict[ChangedMeasure, str] = {
    "AP": "mAP",
    "AUROC": "mAUROC",
    "F1": "mF1",
    "ECE": "mean ECE",
    "precision": "mean precision",
    "sensitivity": "mean sensitivity",
    "balanced error": "balanced error",
}
OUTCOME_FLIPS = {
    Outcome.HIT: "hits lost",
    Outcome.CORRECT_REJECTION: "correct rejections lost",
    Outcome.MISS: "misses found",
    Outcome.FALSE_ALARM: "false alarms dropped",
}


def robustness_table(found: Robustness) -> ResultTable:
    """Return a grid for all findings and for each frequency group, with a row for each level, and flips by finding.

    Flips at levels with a strength come together, those at each kind that is on or off apart.
    """
    grids = [part_grid(found, place, part) for place, part in enumerate(found.parts)]
    grids.append(kinds_grid(found))
    grids.extend(flips_grids(found))
    return ResultTable(robustness_title(found), tuple(robustness_notes(found)), tuple(grids), tuple(_rows(found)))


def robustness_title(found: Robustness) -> str:
    """Return which model was measured on which films."""
    films = f"{quantity(len(found.films.cases), 'film')} of {quantity(found.patients, 'patient')}"
    return f"{found.model} on perturbed {picked_words(found.chosen)}: {films}"


def robustness_notes(found: Robustness) -> Iterator[str]:
    """Yield what was found, then how figures are computed and what is left out."""
    if found.simulated:
        yield "SIMULATED films."
    yield from summary(found)
    yield from picked_notes(found.chosen)
    yield f"The films are {found.films.split}."
    yield from method_notes(found)


def method_notes(found: Robustness) -> Iterator[str]:
    """Yield how figures are computed and what is left out."""
    yield (
        "Changes are less the same films unchanged, scored by the same network in the same run. Each film is changed "
        "in the same way for every model. Kinds with strengths cost alike: at strengths 1 to 5 the mean structural "
        "similarity to the film is 0.97, 0.94, 0.90, 0.86 and 0.82."
    )
    if any(isinstance(each.level.kind, PhysicalPerturbation) for each in found.results):
        yield (
            "Dose, kernel, scatter, grid, processing, rotation of the patient, breath and projection image the same "
            "simulated patient again. Their strengths are physical, and do not cost alike."
        )
    if found.resamples:
        yield interval_note(found.resamples)
    yield (
        "Balanced error: 1 less the mean of sensitivity and specificity, averaged over findings. Flips: the share of "
        "calls that become wrong or right, at the thresholds of the model's card. n counts calls, at each "
        "level once; intervals count all of a patient together."
    )
    yield (
        "ECE: of scores as they are, in 15 bins, lower is better. Precision: a change is over the findings flagged on "
        "some unchanged film and on some film at the level. Both follow prevalence."
    )
    yield "The costliest of many levels is an extreme: on other films it would cost somewhat less."
    if found.mirrored is None and any(each.level.kind.mirrors for each in found.results):
        yield "Mirrored films have left and right exchanged: a finding that has a side may rightly change its score."
    if found.mirrored is not None:
        yield (
            "On mirrored films, findings of one side move. So they count neither in the flips by finding nor for the "
            "least stable films."
        )
    if left_out := found.films.unchanged.films_left_out:
        yield f"{quantity(left_out, 'film')} left out: not every level has scored them."


def part_grid(found: Robustness, place: int, part: BoardPart) -> TextGrid:
    header = ("perturbation", *(MEASURE_NAMES[measure] for measure in CHANGED), "right calls that flip", "wrong ones")
    rows = [("unchanged", *(estimate_text(found.unchanged.at(place, measure)) for measure in CHANGED), "", "")]
    for each in found.results:
        cells = [_difference(each.changes.at(place, measure)) for measure in CHANGED]
        rows.append((level_words(each.level), *cells, *(flip_text(each.flips[place][kind]) for kind in (RIGHT, WRONG))))
    title = f"{part.name}: {quantity(len(part.members), 'finding')}, fewest positives {part.fewest:,}"
    return TextGrid(title, header, tuple(rows))


def _difference(change: Estimate) -> str:
    return difference_text(change.value, change.low, change.high)


def kinds_grid(found: Robustness) -> TextGrid:
    """Return the mean rise of the balanced error over the strengths of each kind, beside AlexNet's if known."""
    kinds = found.kinds()
    relative = {name: relative_error(found, name, results) for name, results in kinds.items()}
    known = any(each is not None for each in relative.values())
    header = (
        "perturbation",
        "levels",
        "balanced error rises by",
        *(["relative to AlexNet (another test set)"] * known),
    )
    rows = (
        (
            results[0].level.kind.title,
            f"{len(results)}",
            _difference(found.kind_change(results, "balanced error")),
            *([_number(relative[name])] * known),
        )
        for name, results in kinds.items()
    )
    return TextGrid("balanced error by kind, all findings", header, tuple(rows), counts=1)


def _number(figure: Estimate | None) -> str:
    return "" if figure is None else number_text(figure.value, figure.low, figure.high)


def flips_grids(found: Robustness) -> Iterator[TextGrid]:
    """Yield how often calls flip, by frequency group and finding: at all levels with a strength, then at each kind that
    is on or off.
    """
    if found.dialed.levels:
        title = f"flips over {quantity(found.dialed.levels, 'level')} with a strength"
        yield _flips_grid(title, outcome_flips(found, found.before, found.dialed))
    for each in found.switched:
        moved = each.level.kind.mirrors and found.films.sides is not None
        title = f"flips: {each.level.kind.title}" + ", without findings of one side" * moved
        yield _flips_grid(title, outcome_flips(found, each.before, each.flips))


def _flips_grid(title: str, flips: Iterable[tuple[str, Mapping[Outcome, Rate]]]) -> TextGrid:
    rows = tuple((name, *map(flip_text, rates.values())) for name, rates in flips)
    return TextGrid(title, ("findings", *OUTCOME_FLIPS.values()), rows)


def outcome_flips(
    found: Robustness, before: CallsBefore, flips: FlippedCalls
) -> Iterator[tuple[str, dict[Outcome, Rate]]]:
    """Yield the flips of these calls of each part, then of each finding, rarest first."""
    names = [part.name for part in found.parts] + [found.findings[place] for place in by_group(found)]
    members = [part.members for part in found.parts] + [(place,) for place in by_group(found)]
    sums = {each: before.rates(flips.counts, flips.levels, str(each), members) for each in OUTCOME_FLIPS}
    for place, name in enumerate(names):
        yield name, {each: rates.rate(place) for each, rates in sums.items()}


def by_group(found: Robustness) -> list[int]:
    """Return the findings' indices, fewest positives first."""
    labels = found.films.unchanged.labels
    positives = (labels == 1).sum(axis=0)
    return sorted(range(len(found.findings)), key=lambda place: (positives[place], found.findings[place]))


def _rows(found: Robustness) -> Iterator[Cells]:
    for place, part in enumerate(found.parts):
        for each in found.results:
            cells: Cells = {
                "cohort": found.chosen.cohort,
                "model": found.model,
                "findings": part.name,
                "perturbation": each.level.kind.name,
                "strength": each.level.strength or None,
                "scale": each.level.scale,
                "films": len(found.films.cases),
            }
            for measure in CHANGED:
                cells |= _change(each, place, measure)
            for kind in (RIGHT, WRONG):
                cells |= rate_cells(f"{kind}_flipped", each.flips[place][kind])
            yield cells


def _change(result: LevelResult, place: int, measure: ChangedMeasure) -> Cells:
    change, name = result.changes.at(place, measure), measure.replace(" ", "_")
    figures = {
        "": result.means.at(place, measure).value,
        "_change": change.value,
        "_low": change.low,
        "_high": change.high,
    }
    return {f"{name}{end}": or_none(value) for end, value in figures.items()}
