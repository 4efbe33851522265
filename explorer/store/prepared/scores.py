"""Reads a model's scores and operating points from their Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.chosen_thresholds import points_file
from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.schema import OPERATING_POINTS, PREDICTIONS
from explorer.core.threshold_rules import is_chosen
from explorer.store.prepared.film_tables import Numbers
from explorer.store.prepared.parquet_batches import batches, words


@dataclass(frozen=True, slots=True, eq=False)
class FilmScores:
    """Scores (findings, films), findings sorted; NaN: not scored."""

    findings: tuple[str, ...]
    values: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ScoreThreshold:
    """An operating point for the films of a split, or for all other films if that is None."""

    finding: str
    split: str | None
    threshold: float
    rule: str

    @property
    def chosen(self) -> bool:
        """Whether it was chosen for its finding, rather than one number for all findings."""
        return is_chosen(self.rule)


def read_scores(folder: Folder, model: str, shards: Sequence[Path], numbers: Numbers) -> FilmScores:
    """Return the scores of the cohort's films; raises DamagedCohort."""
    findings = words(shards, PREDICTIONS.field("finding"))
    rows = {finding: row for row, finding in enumerate(findings)}
    values = np.full((len(findings), len(numbers)), np.nan, np.float32)
    n = 0
    for path in shards:
        for batch in batches(path, PREDICTIONS, once=("case",)):
            film, score = numbers.of(batch["case"]), batch["score"].to_numpy()
            if not np.isfinite(score).all():
                raise DamagedCohort(
                    f"Scores of {model} in {folder.name} are not finite ({path.name})",
                    "Score the cohort again, or correct the table that the scores came from.",
                )
            known = film >= 0
            values[_rows_of(batch["finding"], rows)[known], film[known]] = score[known]
            n += int(known.sum())
    if n > np.count_nonzero(~np.isnan(values)):
        raise DamagedCohort(
            f"{model} has several scores of a finding for one film in {folder.name}",
            "Remove the predictions and score the cohort again.",
        )
    return FilmScores(tuple(findings), values)


@dataclass(frozen=True, slots=True, eq=False)
class FilmCuts:
    """One finding's operating point for each film, by its split, arrays (films,)."""

    number: NDArray[np.int32]  # -1: none
    threshold: NDArray[np.float64]  # NaN: none
    chosen: NDArray[np.bool_]


def film_cuts(splits: pa.DictionaryArray, finding: str, cuts: Sequence[ScoreThreshold]) -> FilmCuts:
    """Return a finding's operating points for films of these splits."""
    own = {cut.split: number for number, cut in enumerate(cuts) if cut.finding == finding}
    every = own.get(None, -1)
    by_split = np.array([own.get(split, every) for split in [*splits.dictionary.to_pylist(), None]], np.int32)
    number = by_split[splits.indices.fill_null(len(by_split) - 1).to_numpy()]
    thresholds = np.array([*(cut.threshold for cut in cuts), np.nan])
    chosen = np.array([*(cut.chosen for cut in cuts), False])
    return FilmCuts(number, thresholds[number], chosen[number])


def read_cuts(folder: Folder, model: str) -> tuple[ScoreThreshold, ...]:
    """Return the operating points in force, possibly none; raises DamagedCohort."""
    found = [
        ScoreThreshold(row["finding"], row["split"], row["threshold"], row["rule"])
        for batch in batches(points_file(folder, model), OPERATING_POINTS)
        for row in batch.to_pylist()
    ]
    places = [(cut.finding, cut.split) for cut in found]
    if len(set(places)) < len(places) or not all(np.isfinite(cut.threshold) for cut in found):
        raise DamagedCohort(
            f"{model} has ambiguous or infinite thresholds in {folder.name}",
            "A finding has one finite threshold, or one per split. Score the cohort again.",
        )
    return tuple(found)


def _rows_of(findings: pa.DictionaryArray, rows: dict[str, int]) -> NDArray[np.int32]:
    numbers = [rows[name] for name in findings.dictionary.to_pylist()]
    found: NDArray[np.int32] = np.array(numbers, np.int32)[findings.indices.to_numpy()]
    return found
