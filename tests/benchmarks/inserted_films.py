"""Real films with and without a simulated finding, and how well scores tell them apart: for benchmarks of insertion."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.insertion.film_scale import FilmScale
from explorer.insertion.insertable import SIDES
from explorer.insertion.insertion import Insertion, Lungs, insert
from explorer.insertion.lung_outline import corresponding_points
from models.anatomy import anatomy
from models.array_types import Float32
from models.classifier.ensemble import AnyClassifier
from models.radiograph import Radiograph, read_radiograph
from models.refusal import Refusal
from models.statistics import patient_resamples
from models.training.nih.kept_numbers import KeptNumbers
from models.training.ranked_pairs import RankedPairs

DATA = Path(os.environ.get("TAILSCOPE_SHARED", Path(__file__).parents[3] / "shared")).resolve() / "data"
FINDINGS = ("Mass", "Nodule", "Pneumothorax", "Pleural Effusion")  # of 20 or more films of nih-oof
RESAMPLES = 1_000
Names = NDArray[np.str_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Host:
    """A film into which findings are put."""

    film: Radiograph
    lungs: Lungs
    patient: str
    row: int  # of the film in its table


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval over resampled patients."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, value: float, samples: Sequence[float] | Floats) -> Estimate:
        """Return a figure with the interval of its resamples."""
        low, high = np.nanquantile(np.asarray(samples), (0.025, 0.975))
        return cls(value, float(low), float(high))

    def __str__(self) -> str:
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


def hosts_of(
    files: Sequence[Path], patients: Sequence[str], rows: Sequence[int], read: Callable[[Path], Radiograph]
) -> Iterator[Host]:
    """Yield the films whose lungs are found, and which have contrast."""
    for file, patient, row in zip(files, patients, rows, strict=True):
        film = read(file)
        try:
            lungs = Lungs.outlined(anatomy(film), film)
            FilmScale.of(film.pixels, lungs.both)
            for side in SIDES:
                corresponding_points(lungs.on(side), side)
        except Refusal:
            continue
        yield Host(film, lungs, patient, row)


def hannover_hosts(count: int) -> list[Host]:
    """Return `count` films of Hannover at equal steps, from which no model here learned, without those left out."""
    table = pd.read_csv(DATA / "hannover" / "labels.csv").sort_values("file")
    rows = np.linspace(0, len(table) - 1, count).round().astype(int).tolist()
    some = table.iloc[rows]
    files = [DATA / "hannover" / each for each in some.file]
    return list(hosts_of(files, list(some.patient_id), rows, read_radiograph))


def normal_hosts(
    kept: KeptNumbers, folder: str, count: int, read: Callable[[Path], Radiograph] = read_radiograph, odd: bool = False
) -> list[Host]:
    """Return normal films of a folder of NIH at equal steps, of patients with an odd number if asked."""
    normal = kept.labels[:, kept.findings.index("Normal")] & (np.array(kept.folders) == folder)
    if odd:
        normal &= np.array([int(each) % 2 == 1 for each in kept.patients])
    rows = np.flatnonzero(normal)
    rows = rows[np.linspace(0, len(rows) - 1, min(count, len(rows))).round().astype(int)]
    files = [DATA / "nih_cxr14" / folder / kept.files[row] for row in rows]
    return list(hosts_of(files, [kept.patients[row] for row in rows], rows.tolist(), read))


def with_finding(hosts: Sequence[Host], finding: str, severity: float, first_patient: int = 0) -> list[Radiograph]:
    """Return the films with a finding, in turn right and left, each from another simulated patient."""
    return [one_with_finding(host, row, finding, severity, first_patient) for row, host in enumerate(hosts)]


def one_with_finding(host: Host, row: int, finding: str, severity: float, first_patient: int = 0) -> Radiograph:
    """Return the film number `row` with a finding."""
    wanted = Insertion(finding, SIDES[row % 2], severity, first_patient + row)
    return replace(host.film, pixels=insert(host.film.pixels, host.lungs, wanted).film)


def scores_of(model: AnyClassifier, films: Sequence[Radiograph]) -> Float32:
    """Return the scores (n, findings) of films, 32 at a time."""
    return np.concatenate([model.score(films[start : start + 32]) for start in range(0, len(films), 32)])


def ranked(columns: Mapping[str, tuple[Floats, Floats]], patients: Names) -> tuple[dict[str, float], dict[str, Floats]]:
    """Return AUROC and its resamples by name, of (absent, present) scores of the same films, (n,) each.

    Both films of a pair are drawn together, and so are all films of a patient.
    """
    scores = np.stack([np.concatenate(each) for each in columns.values()], axis=1)
    labels = np.repeat((0.0, 1.0), len(patients))[:, None].repeat(scores.shape[1], axis=1)
    return _sampled(list(columns), labels, scores, np.tile(patients, 2))


def ranked_real(
    scores: Floats, labels: NDArray[np.floating], names: Sequence[str], patients: Names
) -> tuple[dict[str, float], dict[str, Floats]]:
    """Return AUROC and its resamples by name, of scores and labels (n, names)."""
    return _sampled(list(names), labels, scores, patients)


def _sampled(
    names: list[str], labels: NDArray[np.floating], scores: Floats, patients: Names
) -> tuple[dict[str, float], dict[str, Floats]]:
    pairs = RankedPairs(labels, scores, np.zeros(len(scores)))
    samples = np.array([pairs.auroc(rows) for rows in patient_resamples(patients, RESAMPLES)])
    return dict(zip(names, map(float, pairs.auroc()), strict=True)), dict(zip(names, samples.T, strict=True))
