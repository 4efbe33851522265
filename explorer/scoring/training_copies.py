"""Detects scored films that are copies of the model's training films, whatever their center is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from explorer.analysis.cases.neighbors import Neighbors
from explorer.cohorts.layout import Folder, shipped_with
from explorer.cohorts.listing import shards_in
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.metrics.patient_ids import patient_numbers
from explorer.store.prepared.features import features


@dataclass(frozen=True, slots=True)
class CopyCount:
    """Of a center's scored `films`, `found` are copies of training films."""

    found: int
    films: int


def training_copies(cohort: Folder, target: Folder, model: str, sha256: str | None) -> Mapping[str, CopyCount]:
    """Return copies by center, judged by the features in `target`; empty if no shipped cohort has the training films.

    A copy may have another format or size; the model's own features identify it. Raises DamagedCohort.
    """
    training = _training_films(model, sha256)
    if training is None:
        return {}
    scored = features(target, model, shards_in(target.embeddings(model)))
    cases = read_table(cohort.cases, ["case", "center"])
    center = dict(zip(cases["case"].to_pylist(), cases["center"].to_pylist(), strict=True))
    here = np.array([case in center for case in scored.cases], np.bool_)  # others have been removed from the cohort
    centers = [center[case] for case in scored.cases if case in center]
    copied = training.are_copies(scored.vectors[here])
    found = Counter(name for name, copy in zip(centers, copied, strict=True) if copy)
    return {name: CopyCount(found[name], films) for name, films in Counter(centers).items()}


def _training_films(model: str, sha256: str | None) -> Neighbors | None:
    """Return the films of a shipped cohort that the weights were trained on: those with out-of-fold scores."""
    for folder in shipped_with(model):
        made = read_model_manifest(folder.model(model))
        if made.sha256 == sha256 and made.out_of_fold:
            known = features(folder, model, shards_in(folder.embeddings(model)))
            cases = read_table(folder.cases, ["case", "patient"])
            patient = dict(zip(cases["case"].to_pylist(), cases["patient"].to_pylist(), strict=True))
            return Neighbors(known, patient_numbers(patient.get(case) for case in known.cases))
    return None
