"""Scores a cohort's films with a model and stores the scores with the cohort."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any, Protocol

import torch

from explorer.cohorts.film_source import FilmSource
from explorer.cohorts.folder_lock import locked_folder
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder, NoCohort, additions_folder, checked_name
from explorer.cohorts.listing import check_cohort
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.study_cohorts import refuse_study_cohort
from explorer.core.progress import OnProgress
from explorer.scoring.batches import FilmToScore, ScoredBatch, concatenated, overlapped
from explorer.scoring.card_facts import model_manifest, operating_points, scoring_classifier, scoring_vlm
from explorer.scoring.margins import Margins
from explorer.scoring.score_files import ScoreShards
from explorer.scoring.training_copies import training_copies
from models.array_types import Float32
from models.classifier.classifier import BATCH_SIZE
from models.classifier.ensemble import AnyClassifier
from models.radiograph import Radiograph
from models.vlm.model import VLM
from models.whole_file import check_writable

PART_FILMS = 1024  # films per written part, the most that an interrupted run loses


class Scorer(Protocol):
    """What scoring needs from a model; `score_boxed` takes what `boxed` returns."""

    @property
    def device(self) -> str: ...
    def boxed(self, radiograph: Radiograph) -> Any: ...  # noqa: ANN401 - a model's own
    def score_boxed(self, films: Sequence[Any]) -> tuple[Float32, Float32]: ...


@dataclass(frozen=True, slots=True)
class ScoringRun:
    """The stored result, and the number of films that this run tried."""

    manifest: ModelManifest
    target: Folder  # the cohort's folder, or the overlay of a shipped one
    tried: int
    failures: dict[str, str]  # case -> reason


def score_cohort(
    folder: Folder,
    model: AnyClassifier | VLM,
    images: Images,
    progress: OnProgress = lambda done, of: None,
    part: int = PART_FILMS,
) -> ScoringRun:
    """Score the films of `folder` that have no scores of `model` yet; earlier failures are tried last.

    Finished parts count at once, so an interrupted run resumes. A part is `part` films, rounded up to whole batches. An
    image-text model gives margins. Its films pass through its image tower even if a classifier has stored features of
    the same tower: those have half precision and perhaps other preprocessing, and would not equal the embedding
    computed when the film is opened. Raises NoCohort if there is nothing to score, or the cohort is being replaced,
    DamagedCohort if the cohort or earlier scores cannot be read, NoStudies for a study cohort.
    """
    with held_for_scoring(folder):
        return _score(folder, model, images, progress, part)


@contextmanager
def held_for_scoring(folder: Folder) -> Iterator[None]:
    """Keep a cohort from being replaced in the meantime. Raises NoCohort if it is, NoStudies for a study cohort."""
    if not folder.path.exists():
        raise NoCohort(f"{folder.name} is gone", "It was removed or renamed in the meantime.")
    refuse_study_cohort(folder, "scores")
    with locked_folder(folder.path, exclusive=False) as locked:
        if not locked:
            raise NoCohort(f"{folder.name} is being replaced", "Score it once that has finished.")
        yield


def _score(folder: Folder, model: AnyClassifier | VLM, images: Images, progress: OnProgress, part: int) -> ScoringRun:
    scoring_model = scoring_vlm(model.card, model.scale) if isinstance(model, VLM) else scoring_classifier(model.card)
    target = scores_folder(folder, checked_name(scoring_model.name))
    check_cohort(folder)
    cases = read_table(folder.cases, ["case", "root", "file", "center"]).to_pydict()
    check_roots(folder, set(cases["root"]), images)
    parts = ScoreShards(target, scoring_model.name, scoring_model.maker)
    with parts.exclusive():
        scorer = Margins(model) if isinstance(model, VLM) else model
        films = dict(zip(cases["case"], zip(cases["root"], cases["file"], strict=True), strict=True))
        done = parts.done() & films.keys()
        failures = {case: reason for case, reason in parts.failed().items() if case in films and case not in done}
        left = sorted((case for case in films if case not in done), key=lambda case: case in failures)
        for scored in scored_parts(scorer, {case: films[case] for case in left}, images, progress, part):
            parts.write(scoring_model.findings, scored)
            done |= set(scored.cases)
            failures = {case: reason for case, reason in failures.items() if case not in done} | scored.failures
            parts.write_failed(failures)
        copies = training_copies(folder, target, scoring_model.name, scoring_model.sha256)
        manifest = model_manifest(scoring_model, sorted(set(cases["center"])), len(done), len(failures), copies)
        manifest = parts.close(manifest, operating_points(scoring_model))
    return ScoringRun(manifest, target, len(left), failures)


def scored_parts(
    scorer: Scorer, films: Mapping[str, tuple[str | None, str | None]], images: Images, progress: OnProgress, part: int
) -> Iterator[ScoredBatch]:
    """Yield the results of films in their order, `part` films at a time, rounded up to whole batches.

    `films` are root and file by case.
    """
    cases = list(films)
    batches = (
        [FilmToScore(case, images.film(*films[case])) for case in cases[start : start + BATCH_SIZE]]
        for start in range(0, len(cases), BATCH_SIZE)
    )
    yield from _in_parts(_with_progress(_through(scorer, batches), len(cases), progress), -(-part // BATCH_SIZE))


def check_place(target: Folder, model: str) -> None:
    """Raise NoCohort if scores cannot be stored, before they are computed."""
    place = target.predictions(model) if target.predictions(model).is_dir() else target.path
    try:
        check_writable(place)
    except OSError as error:
        raise NoCohort(
            f"Scores of {model} cannot be stored in {place}",
            f"{error.strerror}. Make it writable and free some disk space, then try again.",
        ) from error


def scores_folder(folder: Folder, model: str) -> Folder:
    """Return where scores are written: this machine's additions for a shipped cohort.

    Raises NoCohort for a model whose scores are shipped, and if nothing can be written.
    """
    if folder.path.parent == CACHE and (folder.path / "models" / f"{model}.json").is_file():
        raise NoCohort(
            f"{folder.name} already has shipped scores of {model}",
            "They are out of fold; new ones would be in-sample. Import the films as a cohort of your own instead.",
        )
    target = additions_folder(folder)
    check_place(target, model)
    return target


def check_roots(folder: Folder, roots: set[str | None], images: Images) -> None:
    named = sorted(root for root in roots if root is not None)
    if not named:
        raise NoCohort(f"{folder.name} has no films", "Its table lists none, so there is nothing to score.")
    missing = [root for root in named if not images.has(root)]
    if missing:
        raise NoCohort(
            f"The films of {folder.name} were not found",
            "Say where they are: " + " ".join(f"--images {root}=DIR" for root in missing),
        )


def _with_progress(batches: Iterator[ScoredBatch], of: int, progress: OnProgress) -> Iterator[ScoredBatch]:
    done = 0
    for batch in batches:
        done += len(batch.cases) + len(batch.failures)
        progress(done, of)
        yield batch


def _in_parts(batches: Iterator[ScoredBatch], size: int) -> Iterator[ScoredBatch]:
    """Merge each group of `size` batches."""
    collected: list[ScoredBatch] = []
    for batch in batches:
        collected.append(batch)
        if len(collected) == size:
            yield concatenated(collected)
            collected = []
    if collected:
        yield concatenated(collected)


def _through(model: Scorer, batches: Iterator[Sequence[FilmToScore]]) -> Iterator[ScoredBatch]:
    """Score batches with decoding and inference overlapped.

    On a CPU each core takes a batch from file to scores: two cores on two batches are faster than both on one. On other
    devices, the device scores one batch at a time while the cores decode.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    inference_slots = BoundedSemaphore(cores if model.device == "cpu" else 1)

    def read(source: FilmSource) -> Any:  # noqa: ANN401 - what `boxed` returns
        return model.boxed(source.radiograph())

    def infer(films: Sequence[Any]) -> tuple[Float32, Float32]:
        with inference_slots:
            return model.score_boxed(films)

    with _one_thread_each():
        yield from overlapped(batches, read, infer, cores)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Limit torch to one thread per call."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
