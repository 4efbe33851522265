"""Pretraining on simulated films: it goes on where it was broken off, and what it leaves is a start for others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from explorer.simulator.cohort_sampling import SEEN_FINDINGS, Split, sample_cases
from explorer.workshop.shipping import pretraining
from explorer.workshop.shipping.pretraining import FIRST_SEED, PRETRAINING_RECIPE, pretrain, simulated_films
from models.training.films import FindingMasks
from models.training.start import start_state
from tests.support.few_films import SIZE, few_films

pytestmark = pytest.mark.training
SHORT = replace(PRETRAINING_RECIPE, size=SIZE, epochs=2, batch=8, mask_weight=1.0)


def test_a_run_that_was_broken_off_comes_to_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    films = few_films(16, 3)
    masks = FindingMasks(
        np.arange(16), np.zeros(16, dtype=np.int64), np.full((16, 8, 8), 128, np.uint8), np.ones(3, bool)
    )
    films = replace(films, masks=masks)
    for name in ("whole", "broken"):
        (tmp_path / name).mkdir()
    whole = load_file(pretrain(tmp_path / "whole", films, SHORT))

    def ends(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(pretraining.log, "info", ends)
        with pytest.raises(KeyboardInterrupt):
            pretrain(tmp_path / "broken", films, SHORT)
    again = load_file(pretrain(tmp_path / "broken", films, SHORT))
    assert whole.keys() == again.keys() and all(torch.equal(whole[name], again[name]) for name in whole)
    assert not list(tmp_path.rglob("*.kept.pt"))
    start = start_state(str(tmp_path / "whole" / "with-masks.safetensors"), SHORT.architecture)
    assert torch.equal(start["conv_stem.weight"], whole["conv_stem.weight"])


def test_simulated_films_come_with_exact_labels_and_masks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pretraining, "sample_cases", lambda split: sample_cases(split)[:6])
    films = simulated_films(tmp_path, 310, SIZE, 1, film_size=64)
    assert films.pixels.shape == (6, SIZE * 9 // 8, SIZE * 9 // 8)
    assert films.masks is not None and films.masks.located.sum() == 26 and len(films.masks.film)
    assert films.labels[films.masks.film, films.masks.finding].all(), "a mask is of a finding that the film has"
    drawn = sample_cases(Split("pretraining-310", (("A", 207), ("B", 103)), 5, SEEN_FINDINGS[1:], FIRST_SEED))[:6]
    for case, labels in zip(drawn, films.labels, strict=True):
        assert {SEEN_FINDINGS[k] for k in np.flatnonzero(labels)} == (
            set(case.findings) & set(SEEN_FINDINGS) or {"Normal"}
        )
