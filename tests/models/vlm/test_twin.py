"""A model that shares a classifier's tower: one pass for both, equal to the whole model as open_clip loads it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from models import load
from models.cards.card import UnusableModel, local_path
from models.prompts.templates import PromptSet, prompt_set
from models.vlm.model import VLM
from tests.support.model_builders import random_film
from tests.support.vlm_builders import plain, write_twin, write_twin_card
from tests.support.wording import Wording

FILMS = [random_film(200, 150, seed=1), random_film(90, 170, seed=2), random_film(160, 160, seed=3)]
ASKED = [prompt_set("pleural effusion"), prompt_set("large heart"), prompt_set("mass")]
DOWNLOAD = {"megabytes": 1, "address": "there", "command": "fetch"}


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_twin(tmp_path_factory.mktemp("weights"))


@pytest.fixture(scope="module")
def twin(weights: Path) -> VLM:
    return load.vlm(str(write_twin_card(weights.parent, weights)), "cpu")


@pytest.mark.slow
@pytest.mark.parametrize("bias", [True, False])
def test_it_is_the_whole_model_of_open_clip(tmp_path: Path, bias: bool) -> None:
    weights = write_twin(tmp_path, bias=bias)
    twin = load.vlm(str(write_twin_card(tmp_path, weights)), "cpu")
    model, tokenizer = plain(weights)
    tower = load.classifier("nih-mini", "cpu")
    inputs = tower.inputs(FILMS).expand(-1, 3, -1, -1)
    texts = [text for each in ASKED for text in (*each.positive, *each.negative)]
    with torch.no_grad():
        images = model.encode_image(inputs, normalize=True).numpy()
        words = model.encode_text(tokenizer(texts), normalize=True).numpy()
    np.testing.assert_allclose(twin.embed_images(FILMS), images, atol=1e-5)
    np.testing.assert_allclose(twin.embed_texts(texts), words, atol=1e-5)
    assert twin.scale == pytest.approx(float(model.logit_scale.exp()), rel=1e-3)


def test_features_of_the_classifier_are_enough(twin: VLM) -> None:
    tower = load.classifier("nih-mini", "cpu")
    films = [tower.boxed(film) for film in FILMS]
    _, features = tower.score_boxed(films)
    np.testing.assert_allclose(twin.project(features), twin.embed_images(FILMS), atol=1e-6)
    np.testing.assert_array_equal(twin.embed_boxed(films), twin.embed_images(FILMS))
    assert twin.project(features[:0]).shape == twin.embed_images([]).shape == (0, 32)


def test_its_text_tower_waits_for_the_first_text(tmp_path: Path, weights: Path) -> None:
    twin = load.vlm(str(write_twin_card(tmp_path, weights)), "cpu")
    twin.embed_images(FILMS)
    twin.embed_texts([])
    assert twin._texts._opened is None
    (weights / "config.json").rename(tmp_path / "kept.json")
    try:
        with pytest.raises(UnusableModel, match="is incomplete"):
            twin.embed_texts(["mass"])
    finally:
        (tmp_path / "kept.json").rename(weights / "config.json")
    assert twin.embed_texts(["mass"]).shape == (1, 32), "mended, it opens without a new start"
    assert twin._texts._opened is not None


def test_its_map_sums_to_the_margin_where_nothing_is_cut_off(twin: VLM, weights: Path) -> None:
    # The head is pool + linear: shares of the margin by their definition, less what the bias gives to every film.
    tower, (model, _) = load.classifier("nih-mini", "cpu"), plain(weights)
    question = PromptSet("turned", ASKED[0].negative, ASKED[0].positive)  # this way round it has positive shares
    heat = twin.explain(FILMS[0], question)
    direction = torch.from_numpy(twin.directions([question])[0])
    projection = model.visual.head.proj
    with torch.no_grad():
        maps = tower.maps([tower.boxed(FILMS[0])])[0]
        length = projection(maps.mean((1, 2))).norm()
        shares = torch.einsum("d,dc,chw->hw", direction, projection.weight, maps) / maps[0].numel() / length
    margin = float(shares.sum() + direction @ projection.bias / length)
    np.testing.assert_allclose(heat.map, shares.relu().numpy(), rtol=1e-4, atol=1e-7)
    assert heat.map.max() > 0
    np.testing.assert_allclose(twin.score(twin.embed_images(FILMS[:1]), [question]).margin, [[margin]], atol=1e-5)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"size": 192}, "tower of nih-mini"),
        ({"resize": "longest"}, "tower of nih-mini"),
        ({"tower": "no-such-model"}, "model 'no-such-model'"),
        ({"sha256": "0" * 64}, "ones its card names"),
        ({"source": "local-dir:gone"}, "file of twin"),
        ({"source": "local-dir:."}, "open_clip model"),
        ({"weights": "twin.toml", "sha256": None, "download": DOWNLOAD}, "safetensors file"),
        ({"weights": "other.safetensors", "sha256": None, "download": DOWNLOAD}, "contains no projection"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_does_not_fit_says_why(
    tmp_path: Path, weights: Path, changes: dict[str, object], words: str, wording: Wording
) -> None:
    save_file({"weight": torch.zeros(1)}, tmp_path / "other.safetensors")
    path = write_twin_card(tmp_path, weights, **changes)
    with pytest.raises(UnusableModel) as caught:
        load.vlm(str(path), "cpu")
    assert words in caught.value.title
    wording(caught.value.title)
    assert len(caught.value.detail) > 20


@pytest.mark.slow
def test_the_shipped_twin_is_what_open_clip_loads() -> None:
    twin, tower = load.vlm("nih-mini-vlm", "cpu"), load.classifier("nih-mini", "cpu")
    model, tokenizer = plain(local_path(twin.card.name, twin.card.folder, twin.card.source.partition(":")[2]))
    texts = ["pleural effusion", "no fluid around the lung"]
    images = model.encode_image(tower.inputs(FILMS).expand(-1, 3, -1, -1), normalize=True).numpy()
    np.testing.assert_allclose(twin.embed_images(FILMS), images, atol=1e-5)
    np.testing.assert_allclose(
        twin.embed_texts(texts), model.encode_text(tokenizer(texts), normalize=True).numpy(), atol=1e-5
    )
