"""Thresholds of a model's scores of a cohort, chosen by a rule on films of it, or set by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.chosen_thresholds import ChosenOn, ChosenThresholds, Point, with_hand
from explorer.core.threshold_rules import BY_FOLD, RuleName
from explorer.core.word_lists import comma_list
from explorer.metrics.patient_ids import numbered
from explorer.metrics.thresholds import Cut, Rule, fit_thresholds
from explorer.store.where_words import FILM_WORDS, slice_in
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.results import FilmFacts, Grid
    from explorer.store.store import Store

Films = NDArray[np.intp]  # places in the order of the case names
RULES: Mapping[RuleName, Rule] = {
    "youden": Rule("youden"),
    "f1": Rule("f1"),
    "sens90": Rule("sensitivity", 0.9),
    "spec90": Rule("specificity", 0.9),
}


class NoThresholds(Refusal):
    """Thresholds that cannot be chosen: `title` says why, `detail` what to do."""


def by_rule(store: Store, cohort: str, model: str, rule: RuleName, where: str) -> ChosenThresholds:
    """Choose a threshold for each finding on the films of `where`, words as of a command line.

    With FOLD each fold's thresholds are chosen on films of other folds and other patients. Raises WrongFilter,
    NoThresholds, and what the store raises.
    """
    version = store.scores_version(cohort, model)
    facts = store.film_facts(cohort)
    crossed = where == BY_FOLD
    chosen = slice_in(store, cohort, model, "" if crossed else where, {}, FILM_WORDS)
    grid = store.grid(cohort, model, chosen.label_source)
    films: Films = store.films(chosen).astype(np.intp)
    if crossed:  # a film of no fold has no threshold: it counts nowhere
        films = films[[fold is not None for fold in facts.split[films]]]
    parts = dict(_other_folds(facts, films)) if crossed else {None: films}
    cuts = {split: tuple(_cuts(grid, rows, RULES[rule])) for split, rows in parts.items()}
    points = tuple(
        Point(cut.finding, split, cut.value, str(RULES[rule]))
        for split, those in cuts.items()
        for cut in those
        if cut.value is not None
    )
    if not points:
        raise NoThresholds(
            f"These films give no finding of {model} a threshold",
            f"A rule needs films with and without a finding: {_reasons(cuts.values())}. Choose other films.",
        )
    patients = numbered(facts.patient[films])
    return ChosenThresholds(
        points,
        ChosenOn(
            rule=rule,
            where=where,
            films=len(films),
            patients=len(np.unique(patients)),
            date=_today(),
            version=version,
            positives={finding: _positives(grid, films, k) for k, finding in enumerate(grid.findings)},
            reasons={cut.finding: str(cut.reason) for those in cuts.values() for cut in those if cut.value is None},
        ),
    )


def _positives(grid: Grid, films: Films, finding: int) -> int:
    """The films with a finding that have a score of it."""
    return int(((grid.label[films, finding] == 1) & ~np.isnan(grid.score[films, finding])).sum())


def by_hand(
    store: Store, cohort: str, model: str, values: Mapping[str, float], base: ChosenThresholds | None = None
) -> ChosenThresholds:
    """The thresholds of `base`, by default those in force, but for findings with a value here. Raises NoThresholds."""
    _check(store, cohort, model, values)
    base = base or store.chosen_thresholds(cohort, model) or _own(store, cohort, model)
    hand = tuple(sorted({*base.about.by_hand, *values}))
    reasons = {finding: reason for finding, reason in base.about.reasons.items() if finding not in values}
    return ChosenThresholds(with_hand(base.points, values), replace(base.about, by_hand=hand, reasons=reasons))


def _check(store: Store, cohort: str, model: str, values: Mapping[str, float]) -> None:
    findings, unit = store.facets(cohort, model).findings, store.model(cohort, model).unit
    for finding, value in values.items():
        if finding not in findings:
            raise NoThresholds(f"{model} has no score for {finding!r}", f"There are: {comma_list(findings)}.")
        if not np.isfinite(value) or (unit == "score" and not 0 <= value <= 1):
            raise NoThresholds(
                f"{value:g} is not a threshold of {finding}",
                f"Give {'a number from 0 to 1' if unit == 'score' else 'a number, as the scores are: margins'}.",
            )


def _own(store: Store, cohort: str, model: str) -> ChosenThresholds:
    """The model's own thresholds, as something that a hand may change."""
    points = tuple(
        Point(each.finding, each.split, each.threshold, "the model's own" if each.chosen else each.rule)
        for each in store.thresholds(cohort, model)
    )
    return ChosenThresholds(points, ChosenOn(None, "", 0, 0, _today(), store.scores_version(cohort, model), {}, {}))


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _other_folds(facts: FilmFacts, films: Films) -> Iterator[tuple[str, Films]]:
    """Each fold with the films that its thresholds are chosen on: of other folds, and of patients without a film in it.

    Raises NoThresholds for films that lie in fewer than two folds.
    """
    folds, patients = facts.split[films], numbered(facts.patient[films])
    names = sorted({fold for fold in folds if fold is not None})
    if len(names) < 2:
        raise NoThresholds(
            "The films of this cohort lie in no folds",
            f'Choose thresholds on all films, or on a center of them: --on "center=A". Parts: {comma_list(names)}.',
        )
    for name in names:
        here = folds == name
        yield name, films[~here & ~np.isin(patients, patients[here])]


def _cuts(grid: Grid, films: Films, rule: Rule) -> Iterator[Cut]:
    """A threshold for each finding on the films that have a score of it."""
    for k, finding in enumerate(grid.findings):
        rows = films[~np.isnan(grid.score[films, k])]
        if not len(rows):
            yield Cut(finding, None, "no film has a score", 0, 0)
            continue
        columns = grid.label[rows, k : k + 1], grid.score[rows, k : k + 1]
        yield fit_thresholds(*columns, (finding,), rule, cohort="", case_ids=rows.tolist()).cuts[0]


def _reasons(cuts: Iterable[Iterable[Cut]]) -> str:
    return comma_list(sorted({str(cut.reason) for those in cuts for cut in those}))
