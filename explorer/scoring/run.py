"""Score a cohort's films with a model and keep the scores beside it. Brings models and cohorts together."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any, Protocol

import torch

from explorer.cohorts.film_source import FilmSource
from explorer.cohorts.folder_lock import held
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder, NoCohort, checked_name, place_of_additions
from explorer.cohorts.listing import check_cohort
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.parquet_files import read_table
from explorer.core.progress import OnProgress
from explorer.scoring.batches import FilmToScore, ScoredBatch, joined, overlapped
from explorer.scoring.card_facts import about, about_vlm, model_manifest, operating_points
from explorer.scoring.margins import Margins
from explorer.scoring.score_files import Parts
from explorer.scoring.training_copies import training_copies
from models.array_types import Float32
from models.classifier.classifier import BATCH
from models.classifier.ensemble import AnyClassifier
from models.radiograph import Radiograph
from models.vlm.model import VLM
from models.whole_file import check_writable

PART = 1024  # films whose scores are written at once: what is lost at most when scoring is broken off


class Scorer(Protocol):
    """What scoring needs of a model; `score_boxed` takes what `boxed` gives."""

    @property
    def device(self) -> str: ...
    def boxed(self, radiograph: Radiograph) -> Any: ...  # noqa: ANN401 - a model's own
    def score_boxed(self, films: Sequence[Any]) -> tuple[Float32, Float32]: ...


@dataclass(frozen=True, slots=True)
class Run:
    """What is beside the cohort now, and how many films this run tried."""

    manifest: ModelManifest
    target: Folder  # where it is: the cohort's folder, or the overlay of a shipped one
    tried: int
    failures: dict[str, str]  # case -> reason


def score(
    folder: Folder,
    model: AnyClassifier | VLM,
    images: Images,
    progress: OnProgress = lambda done, of: None,
    part: int = PART,
) -> Run:
    """Score the films of `folder` that have no scores of `model` yet, those that failed before last.

    What is written counts from then on: a run that is broken off is taken up where it was by the next. A part is
    `part` films, rounded up to whole batches. An image-text model gives margins; its films pass through its image
    tower even where a classifier's features of the same tower are there: kept in half precision, and of whatever
    preprocessing, they would not give the embedding that the film has when it is asked about. Raises NoCohort where
    there is nothing that could be scored, or the cohort is just being replaced, DamagedCohort where the cohort or
    earlier scores cannot be read.
    """
    if not folder.path.exists():
        raise NoCohort(f"{folder.name} is gone", "It was removed or renamed in the meantime.")
    with held(folder.path, alone=False) as ours:
        if not ours:
            raise NoCohort(f"{folder.name} is being replaced", "Score it once that has finished.")
        return _score(folder, model, images, progress, part)


def _score(folder: Folder, model: AnyClassifier | VLM, images: Images, progress: OnProgress, part: int) -> Run:
    said = about_vlm(model.card, model.scale) if isinstance(model, VLM) else about(model.card)
    target = place_for(folder, checked_name(said.name))
    check_cohort(folder)
    cases = read_table(folder.cases, ["case", "root", "file", "center"]).to_pydict()
    _check_roots(folder, set(cases["root"]), images)
    parts = Parts(target, said.name, said.maker)
    with parts.alone():
        scorer = Margins(model) if isinstance(model, VLM) else model
        films = dict(zip(cases["case"], zip(cases["root"], cases["file"], strict=True), strict=True))
        done = parts.done() & films.keys()
        failures = {case: reason for case, reason in parts.failed().items() if case in films and case not in done}
        left = sorted((case for case in films if case not in done), key=lambda case: case in failures)
        batches = (
            [FilmToScore(case, images.film(*films[case])) for case in left[start : start + BATCH]]
            for start in range(0, len(left), BATCH)
        )
        for scored in _in_parts(_counted(_through(scorer, batches), len(left), progress), -(-part // BATCH)):
            parts.write(said.findings, scored)
            done |= set(scored.cases)
            failures = {case: reason for case, reason in failures.items() if case not in done} | scored.failures
            parts.write_failed(failures)
        copies = training_copies(folder, target, said.name, said.sha256)
        manifest = model_manifest(said, sorted(set(cases["center"])), len(done), len(failures), copies)
        manifest = parts.close(manifest, operating_points(said))
    return Run(manifest, target, len(left), failures)


def _check_place(target: Folder, model: str) -> None:
    """Raises NoCohort where scores cannot be kept, before they are computed."""
    place = target.predictions(model) if target.predictions(model).is_dir() else target.path
    try:
        check_writable(place)
    except OSError as error:
        raise NoCohort(
            f"Scores of {model} cannot be kept in {place}",
            f"{error.strerror}. Make it writable, with room on its disk, then try again.",
        ) from error


def place_for(folder: Folder, model: str) -> Folder:
    """Where scores are written: beside a shipped cohort, never into it. Raises NoCohort for a shipped model's, and
    where nothing can be written.
    """
    if folder.path.parent == CACHE and (folder.path / "models" / f"{model}.json").is_file():
        raise NoCohort(
            f"{folder.name} brings scores of {model}",
            "They are out of fold; new ones would be in-sample. Ingest the films as a cohort of your own instead.",
        )
    target = place_of_additions(folder)
    _check_place(target, model)
    return target


def _check_roots(folder: Folder, roots: set[str | None], images: Images) -> None:
    named = sorted(root for root in roots if root is not None)
    if not named:
        raise NoCohort(f"{folder.name} has no films", "Its table names none: there is nothing to score.")
    missing = [root for root in named if not images.has(root)]
    if missing:
        raise NoCohort(
            f"The films of {folder.name} are not here",
            "Say where they are: " + " ".join(f"--images {root}=DIR" for root in missing),
        )


def _counted(batches: Iterator[ScoredBatch], of: int, progress: OnProgress) -> Iterator[ScoredBatch]:
    done = 0
    for batch in batches:
        done += len(batch.cases) + len(batch.failures)
        progress(done, of)
        yield batch


def _in_parts(batches: Iterator[ScoredBatch], size: int) -> Iterator[ScoredBatch]:
    """Every `size` batches as one."""
    held: list[ScoredBatch] = []
    for batch in batches:
        held.append(batch)
        if len(held) == size:
            yield joined(held)
            held = []
    if held:
        yield joined(held)


def _through(model: Scorer, batches: Iterator[Sequence[FilmToScore]]) -> Iterator[ScoredBatch]:
    """Batches through the model, decoding and inference overlapped.

    On a CPU each core takes a batch from file to scores: two cores on two batches are faster than both on one, and
    none waits for the other. Elsewhere the device takes one batch at a time and the cores decode.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    turns = BoundedSemaphore(cores if model.device == "cpu" else 1)

    def read(source: FilmSource) -> Any:  # noqa: ANN401 - what `boxed` gives
        return model.boxed(source.radiograph())

    def infer(films: Sequence[Any]) -> tuple[Float32, Float32]:
        with turns:
            return model.score_boxed(films)

    with _one_thread_each():
        yield from overlapped(batches, read, infer, cores)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Torch computes each call on the thread that asks."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
