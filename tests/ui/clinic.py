"""A small cohort of a visitor's own, with names that would run if the page took them for markup."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import Manifest, ModelManifest, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import CASES, LABEL_ROWS, OPERATING_POINTS, PREDICTIONS
from explorer.cohorts.version import version_of

NAME = "clinic"
MODELS = ("first", "second")
FILMS = 60
FINDINGS = ("Mass", "Nodule", "Hernia")  # nobody has the last
RUN = "<img src=x onerror=window.ran=1>"  # what must stay text
CENTERS = ("North", RUN)


def write_clinic(place: Path, run: str = RUN) -> Folder:
    """Write the cohort below `place`: two centers, two models, no image."""
    folder, dice = Folder(place / NAME), np.random.default_rng(0)
    cases = [f"{run}{number:03}" for number in range(FILMS)]
    present = dice.random((FILMS, len(FINDINGS))) < np.array([0.3, 0.2, 0.0])
    write_table(folder.cases, _cases(cases))
    write_table(folder.labels, _labels(cases, present))
    for model in MODELS:
        scores = np.clip(0.3 + 0.25 * present + 0.2 * dice.standard_normal(present.shape), 0.01, 0.99)
        write_table(folder.predictions(model) / "part-00000.parquet", _predictions(cases, scores))
        write_table(folder.operating_points(model), _operating_points())
        write_manifest(folder.model(model), _model(model))
    write_manifest(
        folder.manifest,
        Manifest(
            name=NAME,
            title=f"{FILMS} films {RUN}",
            source=RUN,
            version=version_of(folder.cases, folder.labels),
            cases=FILMS,
            labelled=True,
            blank="absent",
            roots=("clinic",),
        ),
    )
    return folder


def _cases(cases: list[str]) -> pa.Table:
    turns = range(FILMS)
    return pa.table(
        {
            "case": cases,
            "patient": [f"patient {number}" for number in turns],
            "study": [None] * FILMS,
            "center": [CENTERS[number % 2] for number in turns],
            "view": [("PA", "AP", "lateral")[number % 3] for number in turns],
            "sex": [("F", "M")[number % 2] for number in turns],
            "age": [20 + number for number in turns],
            "split": [None] * FILMS,
            "root": ["clinic"] * FILMS,
            "file": [f"mass/{RUN}{number}.png" for number in turns],
            "width": [None] * FILMS,
            "height": [None] * FILMS,
            "weight": [None] * FILMS,
        },
        schema=CASES,
    )


def _labels(cases: list[str], present: np.ndarray) -> pa.Table:
    pairs = [(case, at, finding) for at, finding in enumerate(FINDINGS) for case in cases]
    return pa.table(
        {
            "case": [case for case, _, _ in pairs],
            "finding": [finding for _, _, finding in pairs],
            "label": ["present" if present[cases.index(case), at] else "absent" for case, at, _ in pairs],
            "source": [RUN if finding == "Nodule" else "reports" for _, _, finding in pairs],
        },
        schema=LABEL_ROWS,
    )


def _predictions(cases: list[str], scores: np.ndarray) -> pa.Table:
    names = {"case": cases * len(FINDINGS), "finding": [finding for finding in FINDINGS for _ in cases]}
    return pa.table(names | {"score": scores.T.ravel().astype(np.float32)}, schema=PREDICTIONS)


def _operating_points() -> pa.Table:
    count = len(FINDINGS)
    columns = {"finding": FINDINGS, "split": [None] * count, "threshold": [0.45] * count, "rule": [RUN] * count}
    return pa.table(columns, schema=OPERATING_POINTS)


def _model(name: str) -> ModelManifest:
    return ModelManifest(
        model=name,
        title=RUN,
        sha256=None,
        preprocessing="none",
        split=RUN,
        findings=FINDINGS,
        origins={"North": "in-sample"},
        scored=FILMS,
        failed=0,
        thresholds=RUN,
    )
