"""A model's scores and calls of a cohort as arrays over all films, read directly from its Parquet files.

Tables of pairs are for queries with filters; comparing twenty models should not require twenty of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.store.queries.cohort_tables import Numbers
from explorer.store.queries.cursor import Cursor
from explorer.store.queries.labels import label_rows
from explorer.store.queries.scores import film_cuts, read_cuts, read_scores
from explorer.store.results import FilmFacts, Grid

_LABEL = "CASE label WHEN 'present' THEN 1 WHEN 'absent' THEN 0 ELSE -1 END::TINYINT"


@dataclass(frozen=True, slots=True, eq=False)
class FilmLabels:
    """Model-independent facts of a cohort's films: numbers by name, splits, and labels.

    `labels` (films, findings): 1 present, 0 absent, -1 neither.
    """

    numbers: Numbers
    splits: pa.DictionaryArray
    findings: tuple[str, ...]
    labels: NDArray[np.int8]

    @property
    def nbytes(self) -> int:
        return self.labels.nbytes + 200 * len(self.splits)  # bytes per name and number, measured


def film_labels(cursor: Cursor, cohort: str, source: str | None) -> FilmLabels:
    """Return the labels of one source if given, otherwise those that count by default."""
    films = cursor.arrow(f"SELECT split FROM {cohort}.cases ORDER BY film")
    (findings,) = cursor.row(f"SELECT enum_range(NULL::{cohort}.finding)::VARCHAR[]")
    demand, parameters = ("whole", []) if source is None else ("source::VARCHAR = ?", [source])
    found = cursor.arrow(
        f"""SELECT film, enum_code(finding)::INTEGER AS finding, {_LABEL} AS label
        FROM ({label_rows(cohort)}) WHERE {demand}""",
        parameters,
    )
    labels = np.full((len(films), len(findings)), -1, np.int8)
    labels[found["film"].to_numpy(), found["finding"].to_numpy()] = found["label"].to_numpy()
    splits = pa.array(films["split"].to_pylist(), pa.string()).dictionary_encode()
    return FilmLabels(Numbers(cursor, f"{cohort}.cases"), splits, tuple(findings), labels)


def grid(folder: Folder, model: str, shards: Sequence[Path], films: FilmLabels) -> Grid:
    """Return labels, scores and calls (films, findings) of a model's findings. Raises DamagedCohort."""
    scores, cuts = read_scores(folder, model, shards, films.numbers), read_cuts(folder, model)
    shape = scores.values.shape
    label, called = np.full(shape, np.nan), np.full(shape, -1, np.int8)
    places = {finding: place for place, finding in enumerate(films.findings)}
    for row, (finding, score) in enumerate(zip(scores.findings, scores.values, strict=True)):
        there = ~np.isnan(score)
        if finding in places:
            known = there & (films.labels[:, places[finding]] >= 0)
            label[row, known] = films.labels[known, places[finding]]
        own = film_cuts(films.splits, finding, cuts)
        cut = there & (own.number >= 0)
        called[row, cut] = score[cut] >= own.threshold[cut]
    return Grid(scores.findings, label.T, scores.values.T, called.T)


def film_facts(cursor: Cursor, cohort: str) -> FilmFacts:
    """Return center, patient, weight and split of every film."""
    found = cursor.arrow(
        f"""SELECT center::VARCHAR AS center, patient, coalesce(weight, 1) AS weight, split
        FROM {cohort}.cases ORDER BY film"""
    )
    return FilmFacts(*(found[name].to_numpy() for name in ("center", "patient", "weight", "split")))
