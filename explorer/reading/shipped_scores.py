"""Reads a model's scores from a shipped cohort, for models whose card names no score file."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from explorer.cohorts.layout import Folder, NoCohort, shipped_with
from explorer.cohorts.listing import shards_in
from explorer.cohorts.manifest import read_manifest, read_model_manifest
from explorer.reading.out_of_fold import AscendingScores, LabeledScores
from models.cards.card import Card

UNSEEN_ORIGINS = {"internal", "external"}
_KEYS = {"case": pa.string(), "finding": pa.string()}  # as text, because dictionary columns cannot be joined


def shipped_scores(card: Card) -> LabeledScores | None:
    """Return scores from the first shipped cohort that these weights were not trained on; None if there is none."""
    return _scores(card.name, card.sha256) if card.sha256 else None


@lru_cache(maxsize=4)
def _scores(name: str, sha256: str) -> LabeledScores | None:
    for folder in shipped_with(name):
        with suppress(NoCohort):
            made = read_model_manifest(folder.model(name))
            if made.sha256 == sha256 and made.unit == "score" and UNSEEN_ORIGINS.issuperset(made.origins.values()):
                return _of_cohort(folder, name)
    return None


def _of_cohort(folder: Folder, name: str) -> LabeledScores:
    """Return scores grouped by the default source's labels; films with an uncertain or unknown label do not count."""
    source = read_manifest(folder.manifest).default_source
    chosen = None if source is None else pc.field("source") == source
    labels = pq.read_table(folder.labels, columns=[*_KEYS, "label"], filters=chosen)
    scores = pq.read_table(shards_in(folder.predictions(name)), columns=[*_KEYS, "score"])
    typed_scores = scores.cast(pa.schema(_KEYS | {"score": pa.float64()}))
    both = typed_scores.join(labels.cast(pa.schema(_KEYS | {"label": pa.string()})), list(_KEYS), join_type="inner")
    findings, label, score = (both[column].to_numpy() for column in ("finding", "label", "score"))
    labeled = np.isin(label, ("present", "absent"))
    every: dict[str, AscendingScores] = {}
    having: dict[str, AscendingScores] = {}
    for finding in np.unique(findings):
        here = labeled & (findings == finding)
        every[finding] = np.sort(score[here])
        having[finding] = np.sort(score[here & (label == "present")])
    return LabeledScores(every, having, {})
