"""Prepares a user's own cohort for the lab: its films and labels, split into three parts by patient."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.listing import check_cohort
from explorer.cohorts.manifest import read_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.core.findings import FINDINGS
from explorer.core.progress import OnProgress
from explorer.workshop.lab.films import LabFilms
from models.array_types import Float32
from models.classifier.letterbox import Letterbox
from models.radiograph import UnreadableRadiograph
from models.training.films import TrainingFilms
from models.training.network_at_size import shrink
from models.whole_file import atomic_write

PART_SHARES = {"training": 0.6, "validation": 0.2, "test": 0.2}
MIN_PART_POSITIVES = {"training": 10, "validation": 3, "test": 3}  # positives that a finding needs in each part
READER_THREADS = 4


@dataclass(frozen=True, slots=True, eq=False)
class OwnFilms:
    """A cohort's films, and what was left out: `failures` by case, and `rare` findings with their positive counts."""

    films: LabFilms
    failures: dict[str, str]
    rare: dict[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """The cases of a cohort with labels (n, findings), NaN where unknown."""

    findings: tuple[str, ...]  # the known findings, labeled or not, then the cohort's own
    cases: NDArray[np.str_]
    patients: NDArray[np.str_]
    studies: NDArray[np.str_]  # a film without a study is one of its own
    lateral: NDArray[np.bool_]
    centers: NDArray[np.str_]
    traits: Float32
    files: list[tuple[str | None, str | None]]
    labels: Float32
    uncertain: NDArray[np.bool_]  # (n, findings) whether a source calls the finding uncertain


def read_own_films(
    folder: Folder, images: Images, run: Path, size: int, progress: OnProgress = lambda done, of: None
) -> OwnFilms:
    """Return the films of a cohort for this network input size, read once and stored in `run`.

    Patients are assigned to parts by a hash of their names, so that a growing cohort keeps its parts. A finding is used
    if every part has enough positives and films without it; the others are left out and reported. Raises NoCohort if
    the films are missing or no finding is left.
    """
    check_cohort(folder)
    table = _table(folder)
    parts = np.array([patient_part(patient) for patient in table.patients.tolist()])
    known, pixels, failures = _pixels(folder, table, images, run, size, progress)
    names = table.findings
    counts = {part: np.nansum(table.labels[known & (parts == part)], axis=0) for part in PART_SHARES}
    absent = {part: (table.labels[known & (parts == part)] == 0).sum(axis=0) for part in PART_SHARES}
    chosen = [
        k
        for k in range(len(names))
        if all(counts[part][k] >= MIN_PART_POSITIVES[part] and absent[part][k] for part in PART_SHARES)
    ]
    positives = np.nansum(table.labels[known], axis=0)
    rare = {names[k]: int(positives[k]) for k in np.flatnonzero(positives) if k not in chosen}
    if not chosen:
        raise NoCohort(
            f"{folder.name} has no finding that can be learned",
            f"A finding needs {MIN_PART_POSITIVES['training']} films with it for training, "
            f"{MIN_PART_POSITIVES['validation']} for choosing the "
            f"epoch and {MIN_PART_POSITIVES['test']} for testing, from different patients, and films without it.",
        )

    def part(name: str) -> tuple[TrainingFilms, NDArray[np.str_]]:
        rows = np.flatnonzero(known & (parts == name))
        shown = pixels[np.searchsorted(np.flatnonzero(known), rows)]
        films = TrainingFilms(
            image_ids=tuple(table.cases[rows].tolist()),
            paths=(),
            pixels=shown if name == "training" else shrink(shown, size),
            labels=table.labels[rows][:, chosen],
            patients=table.patients[rows],
            folders=table.centers[rows],
            sharp=np.zeros(len(rows), dtype=bool),
            traits=table.traits[rows],
            uncertain=table.uncertain[rows][:, chosen],
            studies=table.studies[rows],
            lateral=table.lateral[rows],
        )
        return films, table.centers[rows]

    (training, one), (validation, two), (test, three) = (part(name) for name in PART_SHARES)
    found = LabFilms(folder.name, tuple(names[k] for k in chosen), training, validation, test, one, two, three)
    return OwnFilms(found, failures, rare)


def patient_part(patient: str) -> str:
    """Return the part to which a patient belongs; every center's films are split across the parts."""
    drawn = int(hashlib.sha256(patient.encode()).hexdigest()[:12], 16) / 16**12
    for name, share in PART_SHARES.items():
        if drawn < share:
            return name
        drawn -= share
    return "test"


def _table(folder: Folder) -> _Table:
    columns = read_table(folder.cases).to_pydict()
    cases = columns["case"]
    place = {case: row for row, case in enumerate(cases)}
    rows = read_table(folder.labels, ["case", "finding", "label"]).to_pydict()
    findings = (*FINDINGS, *sorted({*rows["finding"]} - FINDINGS.keys()))
    column = {finding: k for k, finding in enumerate(findings)}
    votes = np.zeros((len(cases), len(findings), 2), dtype=bool)
    uncertain = np.zeros(votes.shape[:2], dtype=bool)
    for case, finding, label in zip(rows["case"], rows["finding"], rows["label"], strict=True):
        if label in ("present", "absent"):
            votes[place[case], column[finding], int(label == "present")] = True
        uncertain[place[case], column[finding]] |= label == "uncertain"
    uncertain &= ~votes.any(axis=2)  # another source is certain
    labels = np.where(votes.sum(axis=2) == 1, votes[:, :, 1], np.nan).astype(np.float32)  # unknown if sources differ
    studies = _studies(columns)
    patients = [study if who is None else who for who, study in zip(columns["patient"], studies, strict=True)]
    people = zip(columns["view"], columns["sex"], columns["age"], strict=True)
    return _Table(
        findings,
        np.array(cases),
        np.array(patients),
        np.array(studies),
        np.array([view == "lateral" for view in columns["view"]]),
        np.array(columns["center"]),
        np.array([_traits(*who) for who in people], dtype=np.float32),
        list(zip(columns["root"], columns["file"], strict=True)),
        labels,
        uncertain,
    )


def _studies(columns: Mapping[str, list[Any]]) -> list[str]:
    """Return a name for each film's study: study numbers are unique only within a patient and center."""
    keys = zip(*(columns[name] for name in ("study", "patient", "center", "case")), strict=True)
    return [
        case if study is None else "\n".join((study, patient or "", center)) for study, patient, center, case in keys
    ]


def _traits(view: str, sex: str, age: int | None) -> tuple[float, float, float]:
    """Return traits in the form of `TrainingFilms.traits`, NaN where unknown."""
    years = np.nan if age is None else age / 100
    return {"AP": 1.0, "PA": 0.0}.get(view, np.nan), {"M": 1.0, "F": 0.0}.get(sex, np.nan), years


def _pixels(
    folder: Folder, table: _Table, images: Images, run: Path, size: int, progress: OnProgress
) -> tuple[NDArray[np.bool_], NDArray[np.uint8], dict[str, str]]:
    """Return which cases (n,) have a film, the films with more pixels for rotation, and why any are missing."""
    kept = run / f"films-{read_manifest(folder.manifest).version}-{size}.npz"
    if kept.exists():
        with np.load(kept) as file:
            failures = dict(zip(file["failed"].tolist(), file["reasons"].tolist(), strict=True))
            return file["known"], file["pixels"], failures
    missing = sorted({root for root, _ in table.files if root is not None and not images.has(root)})
    if missing:
        raise NoCohort(
            f"The films of {folder.name} are not on this machine",
            "Give their folders: " + " ".join(f"--images {root}=DIR" for root in missing),
        )
    found: list[NDArray[np.uint8]] = []
    known, failed = np.zeros(len(table.cases), dtype=bool), {}
    with ThreadPoolExecutor(READER_THREADS) as pool:
        for row, read in enumerate(pool.map(_reader(images, size * 9 // 8), table.files)):
            if isinstance(read, str):
                failed[str(table.cases[row])] = read
            else:
                known[row] = True
                found.append(read)
            progress(row + 1, len(table.files))
    if not found:
        raise NoCohort(f"No film of {folder.name} can be read", next(iter(failed.values()), "It has none."))
    pixels = np.stack(found)
    run.mkdir(parents=True, exist_ok=True)
    with atomic_write(kept) as partial, partial.open("wb") as file:
        np.savez(file, known=known, pixels=pixels, failed=list(failed), reasons=list(failed.values()))
    return known, pixels, failed


def _reader(images: Images, size: int) -> Callable[[Sequence[str | None]], NDArray[np.uint8] | str]:
    """Return a function that reads a film into a square of `size` pixels, or returns why it cannot be read."""

    def read(where: Sequence[str | None]) -> NDArray[np.uint8] | str:
        source = images.film(*where)
        if source is None:
            return "The film is missing."
        try:
            film = source.radiograph().pixels
        except UnreadableRadiograph as reason:
            return str(reason)
        boxed = Letterbox.of(film, size).fit(torch.tensor(film)) * 255
        counted: NDArray[np.uint8] = boxed.round().clamp(0, 255).byte().numpy()
        return counted

    return read
