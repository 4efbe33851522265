"""On a GPU: scores like the CPU's, two models resident, and a sentence when memory runs out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from models import load
from models.cards.card import UnusableModel
from models.cards.heat_method import HeatMethod
from models.prompts.templates import prompt_set
from tests.support.model_builders import random_film, write_model

pytestmark = [
    pytest.mark.cuda,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here"),
]
FILMS = [random_film(300, 250, seed) for seed in range(20)]


def test_scores_and_maps_are_the_cpus() -> None:
    gpu, cpu = load.classifier("nih-mini", "cuda"), load.classifier("nih-mini", "cpu")
    assert np.abs(gpu.score(FILMS) - cpu.score(FILMS)).max() < 0.01
    ours, theirs = gpu.explain(FILMS[0]).maps, cpu.explain(FILMS[0]).maps
    finding, method = gpu.findings[1], HeatMethod("HiResCAM", ("blocks.2", "blocks.4"), 192, contrastive=True)
    layered = [each.heat(FILMS[0], [finding], method).maps for each in (gpu, cpu)]
    assert np.abs(layered[0] - layered[1]).max() < 0.02 * layered[1].max()
    assert np.abs(ours - theirs).max() < 0.05 * theirs.max()


def test_auto_takes_the_gpu_and_two_models_stay_resident(tmp_path: Path) -> None:
    first = load.classifier("nih-mini", "auto")
    second = load.classifier(str(write_model(tmp_path, "vit_tiny_patch16_224")), "auto")
    assert first.device == second.device == "cuda"
    before = first.score(FILMS)
    second.score(FILMS)
    np.testing.assert_array_equal(before, first.score(FILMS))


def test_image_text_scores_and_maps_are_the_cpus() -> None:
    gpu, cpu = load.vlm("nih-mini-vlm", "cuda"), load.vlm("nih-mini-vlm", "cpu")
    asked = [prompt_set("pleural effusion"), prompt_set("enlarged heart")]
    np.testing.assert_allclose(gpu.embed_texts(asked[0].positive), cpu.embed_texts(asked[0].positive), atol=1e-3)
    ours, theirs = (each.score(each.embed_images(FILMS), asked) for each in (gpu, cpu))
    assert np.abs(ours.margin - theirs.margin).max() < 0.01
    assert np.abs(gpu.explain(FILMS[0], asked[0]).map - cpu.explain(FILMS[0], asked[0]).map).max() < 0.002


def test_a_vision_transformer_of_open_clip_is_the_cpus_and_stays_beside_the_twin(tmp_path: Path) -> None:
    from tests.support.vlm_builders import write_clip

    name = f"local-dir:{write_clip(tmp_path / 'model')}"
    twin, gpu, cpu = load.vlm("nih-mini-vlm", "auto"), load.vlm(name, "auto"), load.vlm(name, "cpu")
    assert twin.device == gpu.device == "cuda"
    before, asked = twin.embed_images(FILMS), [prompt_set("mass")]
    ours, theirs = (each.score(each.embed_images(FILMS), asked) for each in (gpu, cpu))
    assert np.abs(ours.margin - theirs.margin).max() < 0.02
    assert np.abs(gpu.explain(FILMS[0], asked[0]).map - cpu.explain(FILMS[0], asked[0]).map).max() < 0.01
    np.testing.assert_array_equal(before, twin.embed_images(FILMS))


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
