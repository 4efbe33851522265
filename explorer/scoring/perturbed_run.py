"""Scores a cohort's films after perturbations: each film is decoded once, and changed in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

import numpy as np

from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, additions_folder
from explorer.cohorts.listing import check_cohort
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.perturbed_scores import perturbed_folder
from explorer.core.progress import OnProgress
from explorer.core.word_lists import comma_list
from explorer.scoring.batches import ScoredBatch
from explorer.scoring.card_facts import ScoringModel, model_manifest, operating_points, scoring_classifier, scoring_vlm
from explorer.scoring.margins import Margins
from explorer.scoring.run import PART_FILMS, Scorer, check_place, check_roots, held_for_scoring, scored_parts
from explorer.scoring.score_files import ScoreOrigin, ScoreShards
from explorer.simulator.perturbations.exposed_again import exposed_again
from explorer.simulator.perturbations.kind import NeedsPatient, PhysicalPerturbation
from models.array_types import Float32
from models.classifier.ensemble import AnyClassifier
from models.perturbations.film import UNCHANGED, Level, Scale, perturbed, working_film
from models.radiograph import Radiograph
from models.vlm.model import VLM


@dataclass(frozen=True, slots=True)
class PerturbedRun:
    """The number of levels and of films that this run tried, and why films failed, by case."""

    levels: int
    tried: int
    failures: dict[str, str]


class PerturbedScorer:
    """A scorer whose films are working films, and whose scores are those of every level, one after another."""

    def __init__(self, scorer: Scorer, levels: Sequence[Level | None], scale: Scale) -> None:
        """`levels`, all of one scale: None stands for the unchanged film."""
        self.device = scorer.device
        self._scorer = scorer
        self._levels = levels
        self._scale = scale

    def boxed(self, radiograph: Radiograph) -> Radiograph:
        """Return the film at the size at which it is changed."""
        return working_film(radiograph, self._scale)

    def score_boxed(self, films: Sequence[Radiograph]) -> tuple[Float32, Float32]:
        """Return scores (n, levels x findings), and no features (n, 0)."""
        scores = [self._scored(films, level) for level in self._levels]
        return np.concatenate(scores, axis=1), np.empty((len(films), 0), np.float32)

    def _scored(self, films: Sequence[Radiograph], level: Level | None) -> Float32:
        changed = films if level is None else [_changed(film, level) for film in films]
        return self._scorer.score_boxed([self._scorer.boxed(film) for film in changed])[0]


def _changed(film: Radiograph, level: Level) -> Radiograph:
    """Return a working film at a level: its pixels changed, or its simulated patient drawn again."""
    if isinstance(level.kind, PhysicalPerturbation):
        return exposed_again(film, level)
    return perturbed(film, level, film.sha256)


def score_perturbed(
    folder: Folder,
    model: AnyClassifier | VLM,
    images: Images,
    levels: Sequence[Level],
    progress: OnProgress = lambda done, of: None,
    part: int = PART_FILMS,
) -> PerturbedRun:
    """Score the films of `folder` at each of `levels`, all of one scale, and unchanged, where scores are missing.

    Finished parts count at once, so an interrupted run resumes. Raises the errors of `score_cohort`, and NeedsPatient
    for a physical level of films that are not simulated.
    """
    with held_for_scoring(folder):
        return _score_levels(folder, model, images, levels, progress, part)


def _score_levels(
    folder: Folder, model: AnyClassifier | VLM, images: Images, levels: Sequence[Level], progress: OnProgress, part: int
) -> PerturbedRun:
    about = scoring_vlm(model.card, model.scale) if isinstance(model, VLM) else scoring_classifier(model.card)
    check_cohort(folder)
    cases = read_table(folder.cases, ["case", "root", "file", "center"]).to_pydict()
    check_roots(folder, set(cases["root"]), images)
    _check_patients(folder, set(cases["root"]), levels)
    target = perturbed_folder(additions_folder(folder), about.name)
    target.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    check_place(target, about.name)
    files = dict(zip(cases["case"], zip(cases["root"], cases["file"], strict=True), strict=True))
    centers = sorted(set(cases["center"]))
    failures: dict[str, str] = {}
    with ExitStack() as locks:
        stored = [_stored(locks, target, about, level, levels[0].scale) for level in (None, *levels)]
        missing = [each for each in stored if not files.keys() <= each.done]
        left = sorted(case for case in files if any(case not in each.done for each in missing))
        scorer = PerturbedScorer(
            Margins(model) if isinstance(model, VLM) else model,
            [each.level for each in missing],
            levels[0].scale,
        )
        for scored in scored_parts(scorer, {case: files[case] for case in left}, images, progress, part):
            failures |= scored.failures
            for each, own in zip(missing, _by_level(scored, len(about.findings)), strict=True):
                each.write(own)
        for each in stored:
            each.close(centers, files, failures)
    return PerturbedRun(len(levels), len(left), failures)


def _check_patients(folder: Folder, roots: set[str | None], levels: Sequence[Level]) -> None:
    physical = dict.fromkeys(level.kind.name for level in levels if isinstance(level.kind, PhysicalPerturbation))
    if physical and roots != {PHANTOM}:
        raise NeedsPatient(
            f"{folder.name} has films that are not simulated",
            f"A patient cannot be imaged again: {comma_list(physical)} need a simulated cohort, such as phantom. "
            "Choose perturbations of pixels, or all.",
        )


@dataclass(frozen=True, slots=True)
class _StoredLevel:
    """A level's shards, locked, and the cases that have scores; `level` is None for the unchanged films."""

    level: Level | None
    about: ScoringModel
    shards: ScoreShards
    done: set[str]

    def write(self, scored: ScoredBatch) -> None:
        """Write the films that have no scores of this level yet."""
        new = [row for row, case in enumerate(scored.cases) if case not in self.done]
        cases = [scored.cases[row] for row in new]
        self.shards.write(
            self.about.findings, replace(scored, cases=cases, scores=scored.scores[new], features=scored.features[new])
        )
        self.done.update(cases)

    def close(self, centers: Sequence[str], files: Collection[str], failures: Mapping[str, str]) -> None:
        """Write the failures and the manifest."""
        done = len(self.done.intersection(files))
        self.shards.write_failed({case: reason for case, reason in failures.items() if case not in self.done})
        manifest = model_manifest(self.about, centers, done, len(files) - done)
        self.shards.close(manifest, operating_points(self.about))


def _stored(locks: ExitStack, target: Folder, about: ScoringModel, level: Level | None, scale: Scale) -> _StoredLevel:
    """Return a level's scores, which no other process can write until the stack is closed."""
    own = _at_level(about, level, scale)
    shards = ScoreShards(target, own.name, own.maker)
    locks.enter_context(shards.exclusive())
    return _StoredLevel(level, own, shards, shards.done())


def _at_level(about: ScoringModel, level: Level | None, scale: Scale) -> ScoringModel:
    """Describe the model at a level: scores of another dial, or of other weights, are never mixed with its own."""
    name = UNCHANGED[scale] if level is None else level.name
    change = "" if level is None else f", {level.kind.name} at {level.dial:g}"
    maker = ScoreOrigin(about.maker.sha256, f"{about.maker.preprocessing}, perturbed{change}")
    return replace(about, name=name, maker=maker)


def _by_level(scored: ScoredBatch, findings: int) -> Iterator[ScoredBatch]:
    for start in range(0, scored.scores.shape[1], findings):
        yield replace(scored, scores=scored.scores[:, start : start + findings])
