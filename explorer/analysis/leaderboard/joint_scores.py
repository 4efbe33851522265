"""What several models say of the same films: only films and findings that all of them scored can be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.unlisted import shown_name
from explorer.core.arrays import Floats
from explorer.core.word_lists import and_list
from explorer.metrics.patient_ids import numbered
from explorer.runtime.cached_per_owner import remembered
from explorer.store.filter_registry import OF_ANY_FILM
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.manifest import ModelManifest
    from explorer.store.store import Store


AT_FIRST = 5  # models: more rows than that are no table to begin with, and each costs every visitor its intervals
WHOLE = 0.95  # of the films: a model that scored fewer is compared only where somebody asks for it


class NoComparison(Refusal):
    """Models that cannot be compared: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class JointScores:
    """The films of a slice that every compared model scored, for the findings that every one knows.

    `films_left_out` are in the slice, but not scored by every model for every finding; `findings_left_out` are known to
    some of the models only.
    """

    models: tuple[str, ...]
    findings: tuple[str, ...]
    labels: Floats  # (n, findings): 1 present, 0 absent, NaN unknown
    scores: NDArray[np.float32]  # (models, n, findings) as the models gave them: margins of an image-text model
    called: NDArray[np.int8]  # (models, n, findings): 1 called present, 0 not, -1 without a threshold
    scales: tuple[float | None, ...]  # (models,) of margins, whose scores are sigmoid(scale * margin); None: scores
    films: NDArray[np.int64]  # (n,) number of the film among the cohort's, in the order of the case names
    centers: NDArray[np.object_]  # (n,) str
    patients: NDArray[np.int64]  # (n,) number of the film's patient
    weights: Floats  # (n,) nature's share of the film; 1 where the cohort has no weights
    films_left_out: int
    findings_left_out: tuple[str, ...]
    films_lacking: tuple[int, ...] = ()  # (models,) films of the slice that each did not score for every finding

    def at(self, center: str) -> JointScores:
        """The films of a center alone. A text by itself would lose a NUL at its end in NumPy, and find no film."""
        return self.of(self.centers == np.array(center, object))

    def of(self, films: NDArray[np.bool_]) -> JointScores:
        """The chosen films (n,) alone."""
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
        """The findings at these places alone, in their order."""
        chosen = list(places)
        return replace(
            self,
            findings=tuple(self.findings[place] for place in chosen),
            labels=self.labels[:, chosen],
            scores=self.scores[:, :, chosen],
            called=self.called[:, :, chosen],
        )


def models_at_first(store: Store, cohort: str, first: str) -> tuple[str, ...]:
    """The models that are compared until somebody chooses: `first` and at most four more of `classifiers`.

    Those that were not trained in the lab come before those that were, a first seed before a second one, the lab's
    baseline before its other recipes. How well a model does on these films has no say.
    """
    training = {each.model: each.training for each in store.models(cohort)}

    def order(model: str) -> tuple[bool, int, bool, str]:
        made = training[model]
        return (True, made.seed, made.recipe != made.baseline, model) if made else (False, 0, False, model)

    _, *others = classifiers(store, cohort, first)
    return (first, *sorted(others, key=order)[: AT_FIRST - 1])


def classifiers(store: Store, cohort: str, first: str) -> tuple[str, ...]:
    """The models that can be compared with `first`: those that score at least what it scores.

    Image-text models are among them where `first` is one. A model with scores of part of the films is not: only films
    that all have scored are compared, so that it would change everybody's figures.
    """
    wanted = store.model(cohort, first)
    others = [each.model for each in _alike(store, cohort, wanted) if _is_whole(each, wanted)]
    return (first, *sorted(others))


def partly_scored(store: Store, cohort: str, first: str) -> dict[str, int]:
    """The models that `classifiers` leaves out because they scored part of the films -> how many films."""
    wanted = store.model(cohort, first)
    return {each.model: each.scored for each in _alike(store, cohort, wanted) if not _is_whole(each, wanted)}


def _alike(store: Store, cohort: str, wanted: ModelManifest) -> Iterator[ModelManifest]:
    for each in store.models(cohort):
        alike = set(wanted.findings) <= set(each.findings) and each.unit == wanted.unit
        if alike and each.model != wanted.model:
            yield each


def _is_whole(model: ModelManifest, first: ModelManifest) -> bool:
    return model.scored >= WHOLE * first.scored


def joint_scores(store: Store, chosen: Slice, models: Sequence[str], label_source: str | None = None) -> JointScores:
    """The slice's films by several models: those with at least one of its pairs, each with all of its findings.

    Labels are those of `label_source`, by default of the slice's. Raises NoComparison where the models have no film or
    no finding in common, or no film has a label; and what the store raises.
    """
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    every = _every_film(store, chosen.cohort, tuple(models), label_source or chosen.label_source, versions)
    return _restricted(every, films_of(store, chosen), chosen)


def films_of(store: Store, chosen: Slice) -> NDArray[np.int32] | None:
    """The numbers (n,) of the films with a pair in the slice, ascending; None where no filter leaves a film out."""
    if chosen.picks_pairs or chosen.needs_model or chosen != chosen.of_films():
        versions = tuple(store.version(chosen.cohort, each) for each in (chosen.model, chosen.against) if each)
        return _films(store, chosen, versions)
    asked = any(getattr(chosen, word.field) is not None for each in OF_ANY_FILM for word in each.words)
    return store.films_meeting(chosen) if asked else None


@remembered(8)  # every panel asks for the same films again and again
def _films(store: Store, chosen: Slice, _versions: tuple[str, ...]) -> NDArray[np.int32]:
    return store.films(chosen)


def at_thresholds(joint: JointScores, thresholds: Mapping[str, float]) -> JointScores:
    """The same scores, called present by these thresholds; a finding that is not among them is not called."""
    cuts = np.array([thresholds.get(finding, np.nan) for finding in joint.findings])
    return replace(joint, called=np.where(np.isnan(cuts), -1, joint.scores >= cuts).astype(np.int8))


@dataclass(frozen=True, slots=True, eq=False)
class _EveryFilm:
    """All films of a cohort, scored or not."""

    joint: JointScores
    scored: NDArray[np.bool_]  # (models, n) by each for every finding
    some: NDArray[np.bool_]  # (n,) by any model for any finding


@remembered(2)
def _every_film(
    store: Store, cohort: str, models: tuple[str, ...], label_source: str | None, _versions: tuple[str, ...]
) -> _EveryFilm:
    about = [store.model(cohort, model) for model in models]
    findings = _in_common(about)
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
        patients=numbered(facts.patient),
        weights=facts.weight,
        films_left_out=0,
        findings_left_out=tuple(sorted({finding for each in about for finding in each.findings} - set(findings))),
    )
    return _EveryFilm(joint, np.asarray(there.all(axis=2)), np.asarray(there.any(axis=(0, 2))))


def _in_common(models: Sequence[ModelManifest]) -> tuple[str, ...]:
    findings = tuple(
        finding for finding in models[0].findings if all(finding in other.findings for other in models[1:])
    )
    if not findings:
        raise NoComparison(
            f"{and_list([each.model for each in models])} have no finding in common",
            "Compare models that score the same findings: leave one of them out.",
        )
    return findings


def _restricted(every: _EveryFilm, films: NDArray[np.int32] | None, chosen: Slice) -> JointScores:
    """`films` are those that meet the slice's demands; None: every film."""
    inside = every.some
    if films is not None:
        meets = np.zeros(len(inside), dtype=np.bool_)
        meets[films] = True
        inside = inside & meets
    rows = inside & every.scored.all(axis=0)
    joint = every.joint
    if films is not None and not inside.any():
        raise NoComparison("No film of this slice remains: its filters leave none", "Take a filter away.")
    if not rows.any():
        raise NoComparison(
            "No film of this slice was scored by every model",
            "Take a filter away, leave a model out, or score the films: `python -m explorer score --help`.",
        )
    if np.isnan(joint.labels[rows]).all():
        raise NoComparison(
            f"No film here has a label for what {and_list(list(joint.models))} score",
            f"Models are compared by labels. Take a filter away, or ingest {shown_name(chosen.cohort)} with labels: "
            "`python -m explorer ingest --help`.",
        )
    lacking = tuple((inside & ~every.scored).sum(axis=1).tolist())
    return replace(joint.of(rows), films_left_out=int((inside & ~rows).sum()), films_lacking=lacking)
