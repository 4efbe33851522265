"""Films without any finding that score inside a finding's unsure band."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from explorer.core.rates import Rate
from explorer.reading.finding_json import row_payload
from explorer.reading.finding_list import finding_rows
from explorer.reading.out_of_fold import free_in_band, out_of_fold_scores
from models.cards.card import UnsureBand, UnusableModel
from models.cards.classifier_card import classifier_card
from models.training.nih.kept_numbers import kept_numbers

FINDINGS = ("Normal", "Mass", "Nodule", "Support Devices")


def written(path: Path, logits: np.ndarray, labels: np.ndarray | None) -> str:
    tensors = {"logits": logits.astype(np.float32)}
    if labels is not None:
        tensors["labels"] = labels.astype(np.uint8)
    save_file(tensors, path, {"findings": str(list(FINDINGS)).replace("'", '"')})
    return str(path)


def test_they_are_counted_over_films_that_show_nothing(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    logits, labels = random.normal(size=(400, 4)), random.random((400, 4)) < 0.2
    said = replace(
        classifier_card("nih-mini"),
        findings=FINDINGS,
        bands={"Mass": UnsureBand(0.3, 0.6)},
        cohort=written(tmp_path / "kept.safetensors", logits, labels),
        files={},
    )
    scores = 1 / (1 + np.exp(-logits.astype(np.float32).astype(float)))
    inside = [0.3 <= score[1] < 0.6 for score, label in zip(scores, labels, strict=True) if not (label[1] or label[2])]
    assert free_in_band(said, "Mass") == Rate(sum(inside), len(inside)) and 0 < sum(inside) < len(inside)
    assert free_in_band(said, "Nodule") is None  # it has no band


def test_nothing_is_said_without_labels_or_a_cohort_and_labels_of_another_shape_are_refused(tmp_path: Path) -> None:
    said = replace(classifier_card("nih-mini"), findings=FINDINGS, bands={"Mass": UnsureBand(0.3, 0.6)}, files={})
    bare = written(tmp_path / "bare.safetensors", np.zeros((5, 4)), None)
    assert free_in_band(replace(said, cohort=bare), "Mass") is None
    assert free_in_band(replace(said, cohort=None), "Mass") is None
    narrow = written(tmp_path / "narrow.safetensors", np.zeros((5, 4)), np.zeros((5, 3)))
    with pytest.raises(UnusableModel, match="not a cohort"):
        out_of_fold_scores(replace(said, cohort=narrow))


def test_the_shipped_ensemble_is_unsure_of_nodules_on_a_third_of_the_films_without_findings() -> None:
    said = classifier_card("nih-ensemble")
    kept, k = kept_numbers(said), said.findings.index("Nodule")
    normal = kept.labels[:, said.findings.index("Normal")]
    scores = 1 / (1 + np.exp(-kept.logits[normal, k].astype(float)))
    band = said.bands["Nodule"]
    found = free_in_band(said, "Nodule")
    assert found == Rate(int(((scores >= band.low) & (scores < band.high)).sum()), int(normal.sum()))
    assert found.value is not None and 0.3 < found.value < 0.35
    (row,) = (
        row for row in finding_rows(said, np.full(len(said.findings), 0.5, np.float32)) if row.finding == "Nodule"
    )
    answer = row_payload(row)["free_in_band"]
    assert answer is not None and (answer["hits"], answer["n"]) == (found.hits, found.n)
