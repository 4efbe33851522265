"""On a GPU: scores like the CPU's, two models resident, and a sentence when memory runs out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from models import load
from models.card import UnusableModel
from tests.models.builders import random_film, write_model

pytestmark = [
    pytest.mark.cuda,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here"),
]
FILMS = [random_film(300, 250, seed) for seed in range(20)]


def test_scores_and_maps_are_the_cpus() -> None:
    gpu, cpu = load.classifier("nih-mini", "cuda"), load.classifier("nih-mini", "cpu")
    assert np.abs(gpu.score(FILMS) - cpu.score(FILMS)).max() < 0.01
    ours, theirs = gpu.explain(FILMS[0]).maps, cpu.explain(FILMS[0]).maps
    assert np.abs(ours - theirs).max() < 0.05 * theirs.max()


def test_auto_takes_the_gpu_and_two_models_stay_resident(tmp_path: Path) -> None:
    first = load.classifier("nih-mini", "auto")
    second = load.classifier(str(write_model(tmp_path, "vit_tiny_patch16_224")), "auto")
    assert first.device == second.device == "cuda"
    before = first.score(FILMS)
    second.score(FILMS)
    np.testing.assert_array_equal(before, first.score(FILMS))


def test_a_full_gpu_gives_a_sentence() -> None:
    model = load.classifier("nih-mini", "cuda")
    model.score(FILMS[:1])
    torch.cuda.empty_cache()
    free, total = torch.cuda.mem_get_info()
    torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_reserved() + 2**20) / total)
    try:
        with pytest.raises(UnusableModel, match="not enough memory"):
            model.score([random_film(2000, 2000, seed) for seed in range(16)])
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    assert model.score(FILMS[:1]).shape == (1, len(model.findings))
