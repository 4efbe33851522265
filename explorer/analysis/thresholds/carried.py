"""Carries thresholds and calibration from validation films to test films: of another split, or of another cohort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.thresholds.choice import FilmIndices, NoThresholds, choose_by_rule
from explorer.cohorts.chosen_thresholds import ChosenOn, ChosenThresholds, ThresholdPoint, films_words
from explorer.cohorts.counted import CASES, cases_text
from explorer.core.arrays import Floats
from explorer.core.threshold_rules import BY_FOLD, RuleName
from explorer.core.word_lists import comma_list
from explorer.metrics.calibration import Calibration, FindingCurve, fit_calibration
from explorer.metrics.leakage import FittedOn
from explorer.store.where_words import FILM_WORDS, slice_in

if TYPE_CHECKING:
    from explorer.store.results import Grid
    from explorer.store.store import Store

SEPARATOR = "|"  # between a cohort and filters of its films
TEST_SPLIT = "test"


@dataclass(frozen=True, slots=True)
class Origin:
    """The films that thresholds come from: a cohort (empty: the same one), and filters as on a command line."""

    cohort: str
    where: str


def origin_of(written: str) -> Origin:
    """Interpret `clinic-val`, `split=val` or `clinic|split=val`."""
    cohort, separator, where = (part.strip() for part in written.partition(SEPARATOR))
    if separator:
        return Origin(cohort, where)
    return Origin("", written.strip()) if "=" in written else Origin(written.strip(), "")


def carry(
    store: Store, cohort: str, model: str, origin: Origin, rule: RuleName | None, to: str | None = None
) -> ChosenThresholds:
    """Return thresholds and calibration from the films of `origin`, to report on films that `to` selects.

    With a rule, thresholds are chosen on those films; without one, those in force in the other cohort are taken. `to`
    None: the split named test or the only other one, or all films if they come from another cohort. The calibration is
    Platt's, of each finding. Raises NoThresholds, WrongFilter and the store's errors.
    """
    source = "" if origin.cohort == cohort else origin.cohort
    there = source or cohort
    _check_same_weights(store, cohort, there, model)
    to = _reported(store, cohort, origin, source, to)
    found = _thresholds(store, there, model, origin, rule, source)
    films, patients = _films(store, there, model, origin.where), patient_ids(store, there)
    calibration = _calibration(store, there, model, films, patients)
    about = replace(
        found.about,
        films=len(films),
        patients=len({patients[film] for film in films}),
        version=store.scores_version(cohort, model),
        source=source,
        carried=True,
        to=to,
        counted=store.counted(there),
        shared=0 if source else _shared(store, cohort, model, films, to),
    )
    return ChosenThresholds(found.points, about, None if calibration is None else calibration.to_dict())


def patient_ids(store: Store, cohort: str) -> list[str]:
    """Return an id for the patient of each film of a cohort, or for the film if its patient is unknown."""
    known = store.patients(cohort).items()
    return [f"{cohort}/{patient or f'film {case}'}" for case, (patient, _) in known]


def _check_same_weights(store: Store, cohort: str, there: str, model: str) -> None:
    here, other = (store.model(each, model) for each in (cohort, there))
    if here.sha256 and other.sha256 and here.sha256 != other.sha256:
        raise NoThresholds(
            f"{model} has other weights in {there} than in {cohort}",
            "Thresholds belong to the weights that made the scores. Score both cohorts with the same ones.",
        )


def _reported(store: Store, cohort: str, origin: Origin, source: str, to: str | None) -> str:
    """Return the films to report on, as on a command line."""
    if to is not None or source:
        return to or ""
    word, _, split = origin.where.partition("=")
    if word.strip() != "split" or "," in split:
        raise NoThresholds("On which films are these thresholds to be reported?", 'Say so: --to "split=test".')
    others = sorted({str(each) for each in store.film_facts(cohort).split if each is not None} - {split.strip()})
    if TEST_SPLIT in others or len(others) == 1:
        return f"split={TEST_SPLIT if TEST_SPLIT in others else others[0]}"
    raise NoThresholds(
        f"{cohort} has {'several other splits' if others else 'no other split'}",
        f"Say on which films to report: --to split=... Other splits: {comma_list(others)}.",
    )


def _thresholds(
    store: Store, there: str, model: str, origin: Origin, rule: RuleName | None, source: str
) -> ChosenThresholds:
    """Return the thresholds of the origin, chosen by the rule or in force there."""
    if rule is not None:
        if origin.where == BY_FOLD:
            raise NoThresholds("Thresholds of single folds do not apply to other films", "Name films: split=val.")
        return choose_by_rule(store, there, model, rule, origin.where)
    if not source or origin.where:
        raise NoThresholds("No rule is named", f"Name one to choose on {films_words(origin.where)}: --rule youden.")
    known = store.chosen_thresholds(there, model)
    points = known.points if known else _own_points(store, there, model)
    if not points or any(point.split is not None for point in points):
        raise NoThresholds(
            f"{there} has {'thresholds of single folds' if points else 'no thresholds'} for {model}",
            "Name a rule to choose some on its films: --rule youden.",
        )
    return ChosenThresholds(points, known.about if known else ChosenOn(None, "", 0, 0, "", "", {}, {}))


def _own_points(store: Store, cohort: str, model: str) -> tuple[ThresholdPoint, ...]:
    return tuple(
        ThresholdPoint(each.finding, each.split, each.threshold, each.rule) for each in store.thresholds(cohort, model)
    )


def _films(store: Store, cohort: str, model: str, where: str) -> FilmIndices:
    return store.films(slice_in(store, cohort, model, where, {}, FILM_WORDS)).astype(np.intp)


def _shared(store: Store, cohort: str, model: str, films: FilmIndices, to: str) -> int:
    """Count the patients among both; refuse films that are among both."""
    reported = _films(store, cohort, model, to)
    if both := len(np.intersect1d(films, reported)):
        counted = store.counted(cohort)
        raise NoThresholds(
            f"{cases_text(both, counted)} would be both chosen and reported on",
            f"Choose on some {CASES[counted].lower()} and report on others, such as split=val and split=test.",
        )
    patients = store.film_facts(cohort).patient
    return len(({*patients[films]} & {*patients[reported]}) - {None})


def _calibration(
    store: Store, cohort: str, model: str, films: FilmIndices, patients: Sequence[str]
) -> Calibration | None:
    """Return Platt's calibration of each finding, fitted on these films; None for scores that are not from 0 to 1."""
    about = store.model(cohort, model)
    grid = store.grid(cohort, model)
    scores = grid.score[films].astype(np.float64)
    if about.scale is not None:
        scores *= about.scale
    elif (scores < 0).any() or (scores > 1).any():
        return None
    curves = tuple(_curve(grid, films, scores, place, about.scale is not None) for place in range(len(grid.findings)))
    fitted = FittedOn.of(cohort, [patients[film] for film in films], len(films))
    return Calibration("platt", "score" if about.scale is None else "logit", curves, fitted)


def _curve(grid: Grid, films: FilmIndices, scores: Floats, place: int, logits: bool) -> FindingCurve:
    """Return the curve of a finding, from films with a score of it."""
    scored = ~np.isnan(scores[:, place])
    if not scored.any():
        return FindingCurve(grid.findings[place], None, "no film has a score", 0, 0)
    labels = grid.label[films[scored], place : place + 1]
    fit = fit_calibration(
        "platt",
        labels,
        scores[scored, place : place + 1],
        (grid.findings[place],),
        cohort="",
        case_ids=np.flatnonzero(scored).tolist(),
        scale="logit" if logits else "score",
    )
    return fit.curves[0]
