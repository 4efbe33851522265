"""Simulated films of rare findings: how many there are, their exact labels, and their place behind the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.simulator.cohort_sampling import TRAINING_SPLIT, has_finding, sample_cases
from explorer.workshop.lab import simulated_tail
from explorer.workshop.lab.simulated_tail import FIRST_SEED, add_simulated_tail, joined_films, tail_split
from models.training.films import FindingMasks
from tests.explorer.workshop.lab.test_run import FILMS
from tests.support.few_films import few_films

RARE = ("Pneumoperitoneum", "Hydropneumothorax", "Azygos Lobe")


def test_rare_findings_are_about_equally_frequent() -> None:
    cases = sample_cases(tail_split(RARE, 120))
    counts = [sum(has_finding(case, name) for case in cases) for name in RARE]
    assert len(cases) == 120 and min(counts) > 25 and max(counts) < 60
    last = max(case.film.seed for case in sample_cases(TRAINING_SPLIT))
    assert min(case.film.seed for case in cases) >= FIRST_SEED > last


def test_films_are_joined_with_their_masks_and_doubts() -> None:
    def with_mask(count: int, film: int) -> tuple[object, ...]:
        shares = np.full((1, 2, 2), 255, np.uint8)
        masks = FindingMasks(np.array([film]), np.array([1]), shares, np.array([True, True, False]))
        return replace(few_films(count, 3), masks=masks), masks

    first, _ = with_mask(4, 2)
    second, _ = with_mask(3, 1)
    first = replace(first, uncertain=np.ones((4, 3), dtype=bool))  # type: ignore[type-var]
    found = joined_films(first, second)  # type: ignore[arg-type]
    assert len(found) == 7 and found.pixels.shape[0] == 7 and found.masks is not None and found.uncertain is not None
    assert found.masks.film.tolist() == [2, 5] and found.masks.of(np.array([5]))[0, 1].min() == 1
    assert found.uncertain.sum(1).tolist() == [3, 3, 3, 3, 0, 0, 0]


@pytest.mark.training
def test_films_of_a_rare_finding_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_tail, "TRAINING_SIZE", 96)
    training = FILMS.training
    labels = training.labels.copy()
    labels[:, 1] = 0  # never noted
    names = ("Normal", "Pneumoperitoneum", "A finding of one's own", "Cardiomegaly")
    films = replace(FILMS, findings=names, training=replace(training, labels=labels))
    found = add_simulated_tail(tmp_path, films, 0.25)
    assert len(found.training) == 20 and found.training_centers[16:].tolist() == ["A", "A", "B", "B"]
    added = found.training.labels[16:]
    assert added[:, 1].sum() >= 2 and np.isnan(added[:, 2]).all() and not np.isnan(added[:, [0, 1, 3]]).any()
    assert found.training.pixels.shape[1:] == training.pixels.shape[1:]
    assert set(found.training.folders) == {"noise", "simulated tail"}
    with pytest.raises(ValueError, match="draws no finding"):
        add_simulated_tail(tmp_path, FILMS, 0.25)
