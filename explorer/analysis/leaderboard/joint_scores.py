"""Collects scores of several models on the films and findings that all of them scored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.unlisted import public_name
from explorer.core.arrays import Floats
from explorer.core.uncertainty import Policy
from explorer.core.word_lists import and_list
from explorer.metrics.patient_ids import patient_numbers
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.filter_registry import OF_ANY_FILM
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.manifest import ModelManifest
    from explorer.store.queries.grids import CallBits
    from explorer.store.results import FilmFacts
    from explorer.store.store import Store

Films = NDArray[np.bool_] | NDArray[np.intp] | slice  # marks (n,), indices, or a range of films

MAX_DEFAULT_MODELS = 5  # default number of models: more rows are hard to read, and each needs its intervals computed
MIN_SCORED_SHARE = 0.95  # share of films; models that scored fewer are compared only on request


class NoComparison(Refusal):
    """Models that cannot be compared: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ComparedFilms(ABC):
    """The films of a slice and the findings that every compared model scored; `block` returns their scores.

    `films_left_out` counts films that some model did not score for every finding; `findings_left_out` are scored by
    some models only.
    """

    models: tuple[str, ...]
    findings: tuple[str, ...]
    scales: tuple[float | None, ...]  # (models,) score = sigmoid(scale * margin); None: not margins
    films: NDArray[np.int64]  # (n,) film numbers in the cohort, in order of case names
    centers: NDArray[np.object_]  # (n,) str
    patients: NDArray[np.int64]  # (n,) patient numbers
    weights: Floats  # (n,) weights to natural prevalence; 1 without weights
    films_left_out: int
    findings_left_out: tuple[str, ...]
    films_lacking: tuple[int, ...] = ()  # (models,) number of films that each did not fully score

    @abstractmethod
    def label_columns(self, findings: Sequence[int]) -> NDArray[np.int8]:
        """Return labels (findings, n): 1 present, 0 absent, -1 unknown."""

    @abstractmethod
    def score_columns(self, model: int, findings: Sequence[int]) -> NDArray[np.float32]:
        """Return a model's scores (findings, n)."""

    @abstractmethod
    def call_columns(self, model: int, findings: Sequence[int]) -> NDArray[np.int8]:
        """Return a model's calls (findings, n)."""

    @abstractmethod
    def calls_all(self, model: int) -> bool:
        """Return whether a model has a threshold for every film and finding."""

    @abstractmethod
    def of(self, films: Films) -> Self:
        """Restrict to these films."""

    def block(self, models: Sequence[int] | None = None, findings: Sequence[int] | None = None) -> JointScores:
        """Return the scores of some models and findings, by index; by default of all."""
        models = range(len(self.models)) if models is None else models
        findings = range(len(self.findings)) if findings is None else findings
        shape = len(findings), len(models), len(self.films)
        scores, called = np.empty(shape, np.float32), np.empty(shape, np.int8)
        for row, model in enumerate(models):
            scores[:, row] = self.score_columns(model, findings)
            called[:, row] = self.call_columns(model, findings)
        plain = {each.name: getattr(self, each.name) for each in fields(ComparedFilms)}
        chosen = {
            "models": tuple(self.models[model] for model in models),
            "findings": tuple(self.findings[finding] for finding in findings),
            "scales": tuple(self.scales[model] for model in models),
        }
        labels = self.label_columns(findings)
        known = np.where(labels < 0, np.nan, labels)
        return JointScores(
            **(plain | chosen), labels=known.T, scores=scores.transpose(1, 2, 0), called=called.transpose(1, 2, 0)
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointScores(ComparedFilms):
    """Scores of all compared models, in memory."""

    labels: Floats  # (n, findings): 1 present, 0 absent, NaN unknown
    scores: NDArray[np.float32]  # (models, n, findings) raw: margins for image-text models
    called: NDArray[np.int8]  # (models, n, findings): 1 called present, 0 not, -1 without a threshold

    def at(self, center: str) -> JointScores:
        """Restrict to one center's films. The object array keeps a trailing NUL, which NumPy text would drop."""
        return self.of(self.centers == np.array(center, object))

    def of(self, films: Films) -> JointScores:
        """Restrict to these films."""
        return replace(
            self,
            labels=self.labels[films],
            scores=self.scores[:, films],
            called=self.called[:, films],
            **_of_films(self, films),
        )

    def for_findings(self, places: Sequence[int]) -> JointScores:
        """Restrict to the findings at these indices, in their order."""
        return self.block(findings=places)

    def label_columns(self, findings: Sequence[int]) -> NDArray[np.int8]:
        return np.nan_to_num(self.labels.T[list(findings)], nan=-1).astype(np.int8)

    def score_columns(self, model: int, findings: Sequence[int]) -> NDArray[np.float32]:
        return np.asarray(self.scores[model].T[list(findings)])

    def call_columns(self, model: int, findings: Sequence[int]) -> NDArray[np.int8]:
        return np.asarray(self.called[model].T[list(findings)])

    def calls_all(self, model: int) -> bool:
        return bool((self.called[model] >= 0).all())


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StoredFilms(ComparedFilms):
    """Compared films whose scores are read when they are needed, because those of many models do not fit in memory."""

    store: Store
    cohort: str
    versions: tuple[str, ...]  # of each model's scores
    rows: NDArray[np.intp] | None  # (n,) of the cohort's films; None: all of them
    labels: NDArray[np.int8]  # (findings, films of the cohort): 1 present, 0 absent, -1 unknown

    def of(self, films: Films) -> StoredFilms:
        """Restrict to these films."""
        kept = np.arange(self.labels.shape[1]) if self.rows is None else self.rows
        return replace(self, rows=kept[films], **_of_films(self, films))

    def label_columns(self, findings: Sequence[int]) -> NDArray[np.int8]:
        labels = self.labels[list(findings)]
        return labels if self.rows is None else np.take(labels, self.rows, axis=1)

    def score_columns(self, model: int, findings: Sequence[int]) -> NDArray[np.float32]:
        self._check_version(model)
        names = [self.findings[finding] for finding in findings]
        return self.store.scores(self.cohort, self.models[model], names, self.rows)

    def call_columns(self, model: int, findings: Sequence[int]) -> NDArray[np.int8]:
        return self._call_bits(model).calls([self.findings[finding] for finding in findings])

    def calls_all(self, model: int) -> bool:
        return bool(self._call_bits(model).called_or_not(self.findings).all())

    def _call_bits(self, model: int) -> CallBits:
        self._check_version(model)
        bits = self.store.call_bits(self.cohort, self.models[model])
        return bits if self.rows is None else bits.of(self.rows)

    def _check_version(self, model: int) -> None:
        if self.store.version(self.cohort, self.models[model]) != self.versions[model]:
            raise NoComparison(f"The scores of {self.models[model]} have changed", "Try again in a moment.")


def _of_films(every: ComparedFilms, films: Films) -> dict[str, Any]:
    """Return the restricted arrays that do not depend on models."""
    return {name: getattr(every, name)[films] for name in ("films", "centers", "patients", "weights")}


def default_models(store: Store, cohort: str, first: str) -> tuple[str, ...]:
    """Return the models compared by default: `first` and at most four other comparable models.

    Models from outside the lab come first, then lab models by seed, the baseline before other recipes and these before
    whole systems. Performance on these films plays no part.
    """
    training = {each.model: each.training for each in store.models(cohort)}

    def order(model: str) -> tuple[bool, int, bool, bool, str]:
        made = training[model]
        if made is None:
            return False, 0, False, False, model
        return True, made.seed, made.recipe != made.baseline, bool(made.system), model

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


def joint_scores(
    store: Store,
    chosen: Slice,
    models: Sequence[str],
    label_source: str | None = None,
    uncertain: Policy | None = None,
) -> JointScores:
    """Return several models' scores on the slice's films, see `compared_films`, which raises the same errors."""
    return compared_films(store, chosen, models, label_source, uncertain).block()


def compared_films(
    store: Store,
    chosen: Slice,
    models: Sequence[str],
    label_source: str | None = None,
    uncertain: Policy | None = None,
) -> ComparedFilms:
    """Return the slice's films that every model scored: each film with a pair in the slice, with all its findings.

    Labels come from `label_source`, by default the slice's; uncertain ones count as `uncertain` says, by default as in
    the slice. Raises NoComparison if the models share no film or finding, or no film has a label; and the store's
    errors.
    """
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    source = label_source or chosen.label_source
    every = _all_films(store, chosen.cohort, tuple(models), source, uncertain or chosen.policy, versions)
    about = [store.model(chosen.cohort, model) for model in models]
    inside, films = every.some, slice_films(store, chosen)
    if films is not None:
        meets = np.zeros(len(inside), dtype=np.bool_)
        meets[films] = True
        inside = inside & meets
    rows = inside & every.scored.all(axis=0)
    if films is not None and not inside.any():
        raise NoComparison("No film passes the filters", "Remove a filter.")
    if not rows.any():
        raise NoComparison(
            "No film of this slice was scored by every model",
            "Remove a filter, leave a model out, or score the films: `python -m explorer score --help`.",
        )
    if not (every.labels[:, rows] >= 0).any():
        raise NoComparison(
            f"No film here has a label of a finding that {and_list(list(models))} score",
            f"Comparing models needs labels. Remove a filter, or ingest {public_name(chosen.cohort)} with labels: "
            "`python -m explorer ingest --help`.",
        )
    whole = StoredFilms(
        models=tuple(models),
        findings=every.findings,
        scales=tuple(each.scale if each.unit == "margin" else None for each in about),
        films=np.arange(len(rows)),
        centers=every.facts.center,
        patients=every.patients,
        weights=every.facts.weight,
        films_left_out=int((inside & ~rows).sum()),
        findings_left_out=tuple(sorted({name for each in about for name in each.findings} - set(every.findings))),
        films_lacking=tuple((inside & ~every.scored).sum(axis=1).tolist()),
        store=store,
        cohort=chosen.cohort,
        versions=versions,
        rows=None,
        labels=every.labels,
    )
    return whole if rows.all() else whole.of(rows)


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
    """All films of a cohort, and which of them the models scored; it outlives the store's version of them."""

    findings: tuple[str, ...]
    labels: NDArray[np.int8]  # (findings, n)
    facts: FilmFacts
    patients: NDArray[np.int64]
    scored: NDArray[np.bool_]  # (models, n) for every finding
    some: NDArray[np.bool_]  # (n,) scored by any model for any finding


@cached_per_owner(2)
def _all_films(
    store: Store,
    cohort: str,
    models: tuple[str, ...],
    label_source: str | None,
    uncertain: Policy,
    _versions: tuple[str, ...],
) -> _AllFilms:
    findings = _common_findings([store.model(cohort, model) for model in models])
    facts, labels = store.film_facts(cohort), store.labels(cohort, label_source, uncertain)
    places = {finding: place for place, finding in enumerate(labels.findings)}
    columns = np.full((len(findings), len(labels.labels)), -1, np.int8)
    for row, finding in enumerate(findings):
        if finding in places:
            columns[row] = labels.labels[:, places[finding]]
    scored, some = np.empty((len(models), len(facts.center)), np.bool_), np.zeros(len(facts.center), np.bool_)
    for row, model in enumerate(models):
        bits = store.call_bits(cohort, model)
        scored[row] = bits.scored_all(findings)
        some |= bits.scored_any(findings)
    return _AllFilms(findings, columns, facts, patient_numbers(facts.patient), scored, some)


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
