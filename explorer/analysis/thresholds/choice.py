"""Chooses a model's thresholds by a rule on a cohort's films, or by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.chosen_thresholds import ChosenOn, ChosenThresholds, ThresholdPoint, with_hand
from explorer.cohorts.counted import CASES
from explorer.core.threshold_rules import BY_FOLD, RuleName
from explorer.core.word_lists import comma_list
from explorer.metrics.patient_ids import patient_numbers
from explorer.metrics.thresholds import FittedThreshold, ThresholdRule, fit_thresholds
from explorer.store.where_words import FILM_WORDS, slice_in
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.results import FilmFacts, Grid
    from explorer.store.store import Store

FilmIndices = NDArray[np.intp]  # film numbers, in order of case names
FITTED_RULES: Mapping[RuleName, ThresholdRule] = {
    "youden": ThresholdRule("youden"),
    "f1": ThresholdRule("f1"),
    "sens90": ThresholdRule("sensitivity", 0.9),
    "spec90": ThresholdRule("specificity", 0.9),
}


class NoThresholds(Refusal):
    """Thresholds that cannot be chosen: `title` says why, `detail` what to do."""


def choose_by_rule(store: Store, cohort: str, model: str, rule: RuleName, where: str) -> ChosenThresholds:
    """Choose a threshold for each finding on the films that `where` selects, in the syntax of the command line.

    With BY_FOLD, each fold's thresholds are chosen on other folds' films of other patients. Raises WrongFilter,
    NoThresholds and the store's errors.
    """
    version = store.scores_version(cohort, model)
    facts = store.film_facts(cohort)
    crossed = where == BY_FOLD
    chosen = slice_in(store, cohort, model, "" if crossed else where, {}, FILM_WORDS)
    grid = store.grid(cohort, model, chosen.label_source, chosen.policy)
    films: FilmIndices = store.films(chosen).astype(np.intp)
    if crossed:  # a film outside all folds gets no threshold
        films = films[[fold is not None for fold in facts.split[films]]]
    parts = dict(_other_folds(facts, films)) if crossed else {None: films}
    cuts = {split: tuple(_cuts(grid, rows, FITTED_RULES[rule])) for split, rows in parts.items()}
    points = tuple(
        ThresholdPoint(cut.finding, split, cut.value, str(FITTED_RULES[rule]))
        for split, those in cuts.items()
        for cut in those
        if cut.value is not None
    )
    if not points:
        cases = CASES[store.counted(cohort)].lower()
        raise NoThresholds(
            f"No threshold of {model} can be chosen on these {cases}",
            f"A rule needs {cases} with and without a finding: {_reasons(cuts.values())}. Choose other {cases}.",
        )
    patients = patient_numbers(facts.patient[films])
    return ChosenThresholds(
        points,
        ChosenOn(
            rule=rule,
            where=where,
            films=len(films),
            patients=len(np.unique(patients)),
            date=_today(),
            version=version,
            counted=store.counted(cohort),
            positives={finding: _positives(grid, films, k) for k, finding in enumerate(grid.findings)},
            reasons={cut.finding: str(cut.reason) for those in cuts.values() for cut in those if cut.value is None},
        ),
    )


def _positives(grid: Grid, films: FilmIndices, finding: int) -> int:
    """Count films with the finding and a score of it."""
    return int(((grid.label[films, finding] == 1) & ~np.isnan(grid.score[films, finding])).sum())


def choose_by_hand(
    store: Store, cohort: str, model: str, values: Mapping[str, float], base: ChosenThresholds | None = None
) -> ChosenThresholds:
    """Return the thresholds of `base` (by default those in use), with `values` replaced. Raises NoThresholds."""
    _check(store, cohort, model, values)
    base = base or store.chosen_thresholds(cohort, model) or _own(store, cohort, model)
    hand = tuple(sorted({*base.about.by_hand, *values}))
    reasons = {finding: reason for finding, reason in base.about.reasons.items() if finding not in values}
    about = replace(base.about, by_hand=hand, reasons=reasons)
    return replace(base, points=with_hand(base.points, values), about=about)


def _check(store: Store, cohort: str, model: str, values: Mapping[str, float]) -> None:
    findings, unit = store.facets(cohort, model).findings, store.model(cohort, model).unit
    for finding, value in values.items():
        if finding not in findings:
            raise NoThresholds(f"{model} has no score for {finding!r}", f"Its findings: {comma_list(findings)}.")
        if not np.isfinite(value) or (unit == "score" and not 0 <= value <= 1):
            raise NoThresholds(
                f"{value:g} is not a threshold of {finding}",
                f"Enter {'a number from 0 to 1' if unit == 'score' else 'a margin, which may be any number'}.",
            )


def _own(store: Store, cohort: str, model: str) -> ChosenThresholds:
    """Return the model's own thresholds in editable form."""
    points = tuple(
        ThresholdPoint(each.finding, each.split, each.threshold, "the model's own" if each.chosen else each.rule)
        for each in store.thresholds(cohort, model)
    )
    return ChosenThresholds(points, ChosenOn(None, "", 0, 0, _today(), store.scores_version(cohort, model), {}, {}))


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _other_folds(facts: FilmFacts, films: FilmIndices) -> Iterator[tuple[str, FilmIndices]]:
    """Yield each fold with the films to choose its thresholds on: other folds' films of patients not in the fold.

    Raises NoThresholds for fewer than two folds.
    """
    folds, patients = facts.split[films], patient_numbers(facts.patient[films])
    names = sorted({fold for fold in folds if fold is not None})
    if len(names) < 2:
        raise NoThresholds(
            "This cohort has no folds",
            f'Choose thresholds on all films, or on one center: --on "center=A". Parts: {comma_list(names)}.',
        )
    for name in names:
        here = folds == name
        yield name, films[~here & ~np.isin(patients, patients[here])]


def _cuts(grid: Grid, films: FilmIndices, rule: ThresholdRule) -> Iterator[FittedThreshold]:
    """Yield a threshold for each finding, fitted on the films with a score of it."""
    for k, finding in enumerate(grid.findings):
        rows = films[~np.isnan(grid.score[films, k])]
        if not len(rows):
            yield FittedThreshold(finding, None, "no film has a score", 0, 0)
            continue
        columns = grid.label[rows, k : k + 1], grid.score[rows, k : k + 1]
        yield fit_thresholds(*columns, (finding,), rule, cohort="", case_ids=rows.tolist()).cuts[0]


def _reasons(cuts: Iterable[Iterable[FittedThreshold]]) -> str:
    return comma_list(sorted({str(cut.reason) for those in cuts for cut in those}))
