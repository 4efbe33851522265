"""Collects scores of several models on the films and findings that all of them scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.unlisted import public_name
from explorer.core.arrays import Floats
from explorer.core.word_lists import and_list
from explorer.metrics.patient_ids import patient_numbers
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.filter_registry import OF_ANY_FILM
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.manifest import ModelManifest
    from explorer.store.store import Store


MAX_DEFAULT_MODELS = 5  # default number of models: more rows are hard to read, and each needs its intervals computed
MIN_SCORED_SHARE = 0.95  # share of films; models that scored fewer are compared only on request


class NoComparison(Refusal):
    """Models that cannot be compared: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class JointScores:
    """Scores on the films of a slice and the findings that every compared model scored.

    `films_left_out` counts films that some model did not score for every finding; `findings_left_out` are scored by
    some models only.
    """

    models: tuple[str, ...]
    findings: tuple[str, ...]
    labels: Floats  # (n, findings): 1 present, 0 absent, NaN unknown
    scores: NDArray[np.float32]  # (models, n, findings) raw: margins for image-text models
    called: NDArray[np.int8]  # (models, n, findings): 1 called present, 0 not, -1 without a threshold
    scales: tuple[float | None, ...]  # (models,) score = sigmoid(scale * margin); None: not margins
    films: NDArray[np.int64]  # (n,) film numbers in the cohort, in order of case names
    centers: NDArray[np.object_]  # (n,) str
    patients: NDArray[np.int64]  # (n,) patient numbers
    weights: Floats  # (n,) weights to natural prevalence; 1 without weights
    films_left_out: int
    findings_left_out: tuple[str, ...]
    films_lacking: tuple[int, ...] = ()  # (models,) number of films that each did not fully score

    def at(self, center: str) -> JointScores:
        """Restrict to one center's films. The object array keeps a trailing NUL, which NumPy text would drop."""
        return self.of(self.centers == np.array(center, object))

    def of(self, films: NDArray[np.bool_]) -> JointScores:
        """Restrict to the marked films (n,)."""
        return replace(
            self,
            labels=self.labels[films],
            scores=self.scores[:, films],
            called=self.called[:, films],
            films=self.films[films],
            centers=self.centers[films],
            patients=self.patients[films],
            weights=self.weights[films],
        )

    def for_findings(self, places: Sequence[int]) -> JointScores:
        """Restrict to the findings at these indices, in their order."""
        chosen = list(places)
        return replace(
            self,
            findings=tuple(self.findings[place] for place in chosen),
            labels=self.labels[:, chosen],
            scores=self.scores[:, :, chosen],
            called=self.called[:, :, chosen],
        )


def default_models(store: Store, cohort: str, first: str) -> tuple[str, ...]:
    """Return the models compared by default: `first` and at most four other comparable models.

    Models from outside the lab come first, then lab models by seed, the baseline before other recipes. Performance on
    these films plays no part.
    """
    training = {each.model: each.training for each in store.models(cohort)}

    def order(model: str) -> tuple[bool, int, bool, str]:
        made = training[model]
        return (True, made.seed, made.recipe != made.baseline, model) if made else (False, 0, False, model)

    _, *others = comparable_models(store, cohort, first)
    return (first, *sorted(others, key=order)[: MAX_DEFAULT_MODELS - 1])


def comparable_models(store: Store, cohort: str, first: str) -> tuple[str, ...]:
    """Return the models comparable with `first`: those that score at least its findings.

    Image-text models are included only if `first` is one. Models that scored only part of the films are excluded,
    because every figure would then be restricted to that part.
    """
    wanted = store.model(cohort, first)
    others = [each.model for each in _compatible(store, cohort, wanted) if _scored_enough(each, wanted)]
    return (first, *sorted(others))


def partly_scored(store: Store, cohort: str, first: str) -> dict[str, int]:
    """Return the models that `comparable_models` excludes for scoring only part of the films, with film counts."""
    wanted = store.model(cohort, first)
    return {each.model: each.scored for each in _compatible(store, cohort, wanted) if not _scored_enough(each, wanted)}


def _compatible(store: Store, cohort: str, wanted: ModelManifest) -> Iterator[ModelManifest]:
    for each in store.models(cohort):
        alike = set(wanted.findings) <= set(each.findings) and each.unit == wanted.unit
        if alike and each.model != wanted.model:
            yield each


def _scored_enough(model: ModelManifest, first: ModelManifest) -> bool:
    return model.scored >= MIN_SCORED_SHARE * first.scored


def joint_scores(store: Store, chosen: Slice, models: Sequence[str], label_source: str | None = None) -> JointScores:
    """Return several models' scores on the slice's films: each film with a pair in the slice, with all its findings.

    Labels come from `label_source`, by default the slice's. Raises NoComparison if the models share no film or finding,
    or no film has a label; and the store's errors.
    """
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    every = _all_films(store, chosen.cohort, tuple(models), label_source or chosen.label_source, versions)
    return _restricted(every, slice_films(store, chosen), chosen)


def slice_films(store: Store, chosen: Slice) -> NDArray[np.int32] | None:
    """Return the numbers (n,) of films with a pair in the slice, ascending; None if no filter excludes a film."""
    if chosen.picks_pairs or chosen.needs_model or chosen != chosen.of_films():
        versions = tuple(store.version(chosen.cohort, each) for each in (chosen.model, chosen.against) if each)
        return _films(store, chosen, versions)
    filtered = any(getattr(chosen, word.field) is not None for each in OF_ANY_FILM for word in each.words)
    return store.films_meeting(chosen) if filtered else None


@cached_per_owner(8)  # every panel needs the same films
def _films(store: Store, chosen: Slice, _versions: tuple[str, ...]) -> NDArray[np.int32]:
    return store.films(chosen)


def called_at_thresholds(joint: JointScores, thresholds: Mapping[str, float]) -> JointScores:
    """Return the scores with calls by these thresholds; findings without one have no calls."""
    cuts = np.array([thresholds.get(finding, np.nan) for finding in joint.findings])
    return replace(joint, called=np.where(np.isnan(cuts), -1, joint.scores >= cuts).astype(np.int8))


@dataclass(frozen=True, slots=True, eq=False)
class _AllFilms:
    """Scores of all films of a cohort."""

    joint: JointScores
    scored: NDArray[np.bool_]  # (models, n) for every finding
    some: NDArray[np.bool_]  # (n,) scored by any model for any finding


@cached_per_owner(2)
def _all_films(
    store: Store, cohort: str, models: tuple[str, ...], label_source: str | None, _versions: tuple[str, ...]
) -> _AllFilms:
    about = [store.model(cohort, model) for model in models]
    findings = _common_findings(about)
    grids, places = [], []
    for model in models:
        grid = store.grid(cohort, model, label_source)
        grids.append(grid)
        places.append([grid.findings.index(finding) for finding in findings])
    scores = np.stack([grid.score[:, place] for grid, place in zip(grids, places, strict=True)])
    called = np.stack([grid.called[:, place] for grid, place in zip(grids, places, strict=True)])
    facts = store.film_facts(cohort)
    there = ~np.isnan(scores)
    joint = JointScores(
        models=models,
        findings=findings,
        labels=grids[0].label[:, places[0]],
        scores=scores,
        called=called,
        scales=tuple(each.scale if each.unit == "margin" else None for each in about),
        films=np.arange(len(facts.center)),
        centers=facts.center,
        patients=patient_numbers(facts.patient),
        weights=facts.weight,
        films_left_out=0,
        findings_left_out=tuple(sorted({finding for each in about for finding in each.findings} - set(findings))),
    )
    return _AllFilms(joint, np.asarray(there.all(axis=2)), np.asarray(there.any(axis=(0, 2))))


def _common_findings(models: Sequence[ModelManifest]) -> tuple[str, ...]:
    findings = tuple(
        finding for finding in models[0].findings if all(finding in other.findings for other in models[1:])
    )
    if not findings:
        raise NoComparison(
            f"{and_list([each.model for each in models])} have no finding in common",
            "Compare models that score the same findings: leave one out.",
        )
    return findings


def _restricted(every: _AllFilms, films: NDArray[np.int32] | None, chosen: Slice) -> JointScores:
    """Restrict scores to `films`, those passing the slice's filters; None: every film."""
    inside = every.some
    if films is not None:
        meets = np.zeros(len(inside), dtype=np.bool_)
        meets[films] = True
        inside = inside & meets
    rows = inside & every.scored.all(axis=0)
    joint = every.joint
    if films is not None and not inside.any():
        raise NoComparison("No film passes the filters", "Remove a filter.")
    if not rows.any():
        raise NoComparison(
            "No film of this slice was scored by every model",
            "Remove a filter, leave a model out, or score the films: `python -m explorer score --help`.",
        )
    if np.isnan(joint.labels[rows]).all():
        raise NoComparison(
            f"No film here has a label of a finding that {and_list(list(joint.models))} score",
            f"Comparing models needs labels. Remove a filter, or ingest {public_name(chosen.cohort)} with labels: "
            "`python -m explorer ingest --help`.",
        )
    lacking = tuple((inside & ~every.scored).sum(axis=1).tolist())
    return replace(joint.of(rows), films_left_out=int((inside & ~rows).sum()), films_lacking=lacking)
