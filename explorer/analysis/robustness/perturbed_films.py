"""Reads a model's scores of perturbed films level by level, because those of all levels may not fit in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import (
    ComparedFilms,
    JointScores,
    NoComparison,
    called_at_thresholds,
    compared_films,
)
from explorer.analysis.robustness.finding_sides import FindingSides, finding_sides
from explorer.analysis.robustness.not_scored import not_scored
from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import check_scores, shards_in
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.perturbed_scores import known_levels
from explorer.simulator.perturbations.registry import physical_levels
from explorer.store.prepared.film_tables import Numbers
from explorer.store.prepared.scores import read_cuts, read_scores
from explorer.store.slices import Slice
from models.perturbations.film import UNCHANGED, Level, Scale, levels

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True, eq=False)
class PerturbedFilms:
    """Films with a model's scores unchanged, and the levels whose scores of them `at` reads.

    `cases` (n,) are the films' names. `sides` says which findings are on the left or right only, None if nothing
    does. `split` says how the films relate to the training films of the network that scored all levels.
    """

    unchanged: JointScores  # of one model: the unchanged films
    levels: tuple[Level, ...]
    folders: Mapping[str, Folder]  # by level
    cases: tuple[str, ...]
    thresholds: Mapping[str, float]
    sides: FindingSides | None
    split: str

    def at(self, level: Level) -> JointScores:
        """Return the scores at a level. Raises DamagedCohort, NoCohort."""
        scores = read_level(self.folders[level.name], level.name, self.cases, self.unchanged.findings)
        return called_at_thresholds(replace(self.unchanged, models=(level.name,), scores=scores[None]), self.thresholds)


def levels_by_name(scale: Scale) -> dict[str, Level]:
    """Return every level of a scale by its name, and with matched strengths those of physical perturbations."""
    physical = physical_levels() if scale == "matched" else ()
    return {level.name: level for level in (*levels(scale=scale), *physical)}


def scored_levels(folder: Folder, model: str, scale: Scale) -> tuple[Level, ...]:
    """Return the levels at which a model scored films of a cohort; none without scores of the unchanged films."""
    there = known_levels(folder, model)
    return tuple(level for name, level in levels_by_name(scale).items() if name in there and UNCHANGED[scale] in there)


def perturbed_films(store: Store, chosen: Slice, model: str, scale: Scale) -> PerturbedFilms:
    """Return the slice's films that every level scored with all findings, with the scores of the unchanged films.

    Calls use the thresholds of the model's card. Raises NoComparison if no level was scored, and the store's errors.
    """
    cohort = chosen.cohort
    films, folder = compared_films(store, chosen, (model,)), store.folder(cohort)
    some = scored_levels(folder, model, scale)
    if not some:
        raise not_scored(cohort, store.model(cohort, model), scale, len(films.films))
    there, unchanged = known_levels(folder, model), UNCHANGED[scale]
    every = sorted(read_table(folder.cases, ["case"])["case"].to_pylist())
    cases = tuple(every[film] for film in films.films.tolist())
    scores = read_level(there[unchanged], unchanged, cases, films.findings)
    whole = _scored(scores)
    for level in some:
        if not _scored_every_film(there[level.name], level.name, len(every), films.findings):
            whole &= _scored(read_level(there[level.name], level.name, cases, films.findings))
    if not whole.any():
        raise NoComparison(
            "No film of this slice was scored at every level", "Remove a filter, or score the perturbed films again."
        )
    joint = _with_scores(films, unchanged, scores).of(whole)
    kept = tuple(case for case, here in zip(cases, whole.tolist(), strict=True) if here)
    cuts = {cut.finding: cut.threshold for cut in read_cuts(there[unchanged], unchanged)}
    return PerturbedFilms(
        unchanged=called_at_thresholds(replace(joint, films_left_out=films.films_left_out + int((~whole).sum())), cuts),
        levels=some,
        folders={level.name: there[level.name] for level in some},
        cases=kept,
        thresholds=cuts,
        sides=finding_sides(folder, kept, films.findings),
        split=read_model_manifest(there[unchanged].model(unchanged)).split,
    )


def read_level(folder: Folder, level: str, cases: Sequence[str], findings: Sequence[str]) -> NDArray[np.float32]:
    """Return the scores (cases, findings) of a level; NaN where there is none. Raises DamagedCohort, NoCohort."""
    check_scores(folder, level)
    numbers = Numbers({case: place for place, case in enumerate(cases)})
    known = read_scores(folder, level, shards_in(folder.predictions(level)), numbers)
    scores = np.full((len(cases), len(findings)), np.nan, np.float32)
    for place, finding in enumerate(findings):
        if finding in known.findings:
            scores[:, place] = known.values[known.findings.index(finding)]
    return scores


def _scored(scores: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Mark films (n,) with scores of all findings."""
    return np.asarray(np.isfinite(scores).all(axis=1))


def _scored_every_film(folder: Folder, level: str, films: int, findings: Sequence[str]) -> bool:
    """Return whether a level lists scores of all findings for all films of the cohort, so that none need be looked for.

    `read_scores` refuses two scores of one pair.
    """
    manifest = read_model_manifest(folder.model(level))
    rows = (facts.rows for name, facts in (manifest.files or {}).items() if name.startswith("predictions/"))
    return set(findings) <= set(manifest.findings) and sum(rows) == films * len(manifest.findings)


def _with_scores(films: ComparedFilms, name: str, scores: NDArray[np.float32]) -> JointScores:
    """Return the films as if scored by one model of this name, without calls."""
    labeled = films.block(models=())
    called = np.full((1, *scores.shape), -1, np.int8)
    return replace(labeled, models=(name,), scales=films.scales, scores=scores[None], called=called)
