"""Computes how far a score lies above the usual one of its finding, for findings without a chosen threshold."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import shards_in
from explorer.cohorts.schema import LABELS
from explorer.core.worst_first import above_usual
from explorer.store.queries.cohort_tables import Numbers
from explorer.store.queries.cursor import Cursor
from explorer.store.queries.labels import labels_of
from explorer.store.queries.scores import FilmScores, read_scores

PRESENT, ABSENT = LABELS.index("present"), LABELS.index("absent")


class UsualScores:
    """All scores of one model, read on first use, because most models have all thresholds and never need them."""

    def __init__(self, cursor: Cursor, cohort: str, folder: Folder, model: str) -> None:
        self._cursor, self._cohort, self._folder, self._model = cursor, cohort, folder, model

    def above(self, finding: str, score: float) -> float:
        """Return `above_usual` relative to all films with a score of the finding. Raises DamagedCohort."""
        values = self._scores.values[self._scores.findings.index(finding)]
        scored = np.flatnonzero(~np.isnan(values)).astype(np.int32)
        labels = labels_of(self._cursor, self._cohort, finding).on(scored, len(values))
        present, absent = (int((labels.label[labels.whole] == code).sum()) for code in (PRESENT, ABSENT))
        return float(above_usual(np.array([score], np.float32), values[scored], present, present + absent)[0])

    @cached_property
    def _scores(self) -> FilmScores:
        shards = list(shards_in(self._folder.predictions(self._model)))
        return read_scores(self._folder, self._model, shards, Numbers(self._cursor, f"{self._cohort}.cases"))
