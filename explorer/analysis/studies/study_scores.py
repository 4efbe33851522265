"""Combines the scores of a study's films into the study's score, and writes a model's files of a study cohort."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from explorer.analysis.studies.study_films import StudyFilms
from explorer.cohorts.schema import PREDICTIONS
from explorer.core.progress import OnShare
from explorer.store.prepared.parquet_batches import batches
from explorer.store.prepared.scores import FilmScores
from models.cards.card import StudyRule


def study_score(scores: NDArray[np.float32], films: StudyFilms, rule: StudyRule) -> NDArray[np.float32]:
    """Return the scores (m,) of the studies from those (n,) of the films; NaN: not scored.

    By the rule "maximum" that is the maximum over the scored films (CheXpert: Irvin et al., AAAI 2019, section
    "Model": "the maximum probability of the observations across the views"), by "mean" their mean.
    """
    ordered = scores[films.order]
    if rule == "maximum":
        highest: NDArray[np.float32] = np.fmax.reduceat(ordered, films.starts)
        return highest
    scored = ~np.isnan(ordered)
    counted = np.add.reduceat(scored.astype(np.int64), films.starts)
    total = np.add.reduceat(np.where(scored, ordered, 0).astype(np.float64), films.starts)
    mean = np.full(len(total), np.nan, np.float32)
    np.divide(total, counted, out=mean, where=counted > 0, casting="same_kind")
    return mean


def count_scored(scores: FilmScores, films: StudyFilms) -> int:
    """Return how many studies have a score of any finding."""
    scored = np.asarray(~np.isnan(scores.values).all(axis=0))
    return int(np.logical_or.reduceat(scored[films.order], films.starts).sum())


def prediction_rows(
    scores: FilmScores, films: StudyFilms, names: pa.Array, rule: StudyRule, on_share: OnShare
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the studies' scores, a batch per finding; `names` (m,) are the cases of the studies.

    `on_share` gets the share of the findings done.
    """
    for number, (finding, of_films) in enumerate(zip(scores.findings, scores.values, strict=True), 1):
        combined = study_score(of_films, films, rule)
        scored = np.flatnonzero(~np.isnan(combined))
        columns = [
            names.take(pa.array(scored)),
            pa.DictionaryArray.from_arrays(np.zeros(len(scored), np.int32), [finding]),
            pa.array(combined[scored]),
        ]
        yield pa.RecordBatch.from_arrays(columns, schema=PREDICTIONS)
        on_share(number / len(scores.findings))


def rows_of_cases(paths: Sequence[Path], schema: pa.Schema, cases: pa.Array) -> Iterator[pa.RecordBatch]:
    """Yield the rows of files that are about these cases, a batch at a time. Raises DamagedCohort."""
    for path in paths:
        for batch in batches(path, schema):
            yield batch.filter(pc.is_in(batch["case"], cases))
