"""Embeddings, margins and scores of a tiny model, against open_clip itself and a plain loop."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import open_clip
import pytest
import torch
from safetensors.torch import save_file

from models import load
from models.array_types import Float32
from models.cards.card import UnusableModel
from models.classifier.normalizer import Normalizer
from models.prompts.templates import PromptSet, Template, prompt_set
from models.vlm import text as text_tower
from models.vlm.model import VLM
from tests.models.cards.test_vlm_card import VALUES
from tests.support.model_builders import random_film, write_card
from tests.support.vlm_builders import LITE0, TRANSFORMER, plain, write_bert_clip, write_clip
from tests.support.wording import Wording

FILMS = [random_film(80, 60 + seed, seed) for seed in range(19)]  # more than one batch, the last one short
ASKED = [prompt_set("pleural effusion"), prompt_set("large heart"), prompt_set("mass")]
VISION: dict[str, dict[str, object] | None] = {
    "ViT": None,
    "ViT, mean of patches": TRANSFORMER | {"pool_type": "avg"},
    "ResNet": {"image_size": 64, "layers": [1, 1, 1, 1], "width": 16, "head_width": 32, "patch_size": None},
    "timm lite0": LITE0,
    "timm ViT": {"timm_model_name": "test_vit", "timm_pool": "", "timm_proj": "linear", "image_size": 160},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_clip(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def tiny(folder: Path) -> VLM:
    return load.vlm(f"local-dir:{folder}", "cpu")


def looped(model: VLM, films: Float32, asked: PromptSet) -> tuple[list[float], list[float], list[list[float]]]:
    """Margins, scores and spread of one question, film by film and prompt by prompt."""
    positive, negative = ([model.embed_texts([text])[0] for text in each] for each in (asked.positive, asked.negative))
    first, second = (np.mean(each, axis=0) / np.linalg.norm(np.mean(each, axis=0)) for each in (positive, negative))
    margins, scores, spread = [], [], []
    for film in films:
        agreement, disagreement = float(film @ first), float(film @ second)
        margins.append(agreement - disagreement)
        scores.append(pair_softmax(model.scale * agreement, model.scale * disagreement))
        pairs = zip(positive, negative, strict=True)
        spread.append([pair_softmax(model.scale * float(film @ p), model.scale * float(film @ n)) for p, n in pairs])
    return margins, scores, spread


def pair_softmax(first: float, second: float) -> float:
    return math.exp(first) / (math.exp(first) + math.exp(second))


@pytest.mark.parametrize("vision", VISION.values(), ids=VISION.keys())
def test_embeddings_are_open_clips(tmp_path: Path, vision: dict[str, object] | None) -> None:
    path = write_clip(tmp_path / "model", vision=vision)
    ours, (model, tokenizer) = load.vlm(f"local-dir:{path}", "cpu"), plain(path)
    inputs = Normalizer(ours.card, "cpu")([ours.boxed(film) for film in FILMS])
    texts = [text for each in ASKED for text in (*each.positive, *each.negative)]
    with torch.no_grad():
        images, words = model.encode_image(inputs, normalize=True), model.encode_text(tokenizer(texts), normalize=True)
    assert inputs.shape == (19, 3, ours.card.size, ours.card.size)
    np.testing.assert_allclose(ours.embed_images(FILMS), images.numpy(), atol=1e-5)
    np.testing.assert_allclose(ours.embed_texts(texts), words.numpy(), atol=1e-5)
    assert ours.embed_images([]).shape == (0, 48)
    assert ours.scale == pytest.approx(float(model.logit_scale.exp()))


def test_a_transformers_text_tower_is_open_clips_though_padding_is_left_out(tmp_path: Path) -> None:
    path = write_bert_clip(tmp_path / "model")
    ours, (model, tokenizer) = load.vlm(f"local-dir:{path}", "cpu"), plain(path)
    texts = ["mass", "there is no evidence of pleural effusion", "mass " * 30]
    assert tokenizer(texts[:1]).shape == (1, 24)
    with torch.no_grad():
        np.testing.assert_allclose(
            ours.embed_texts(texts), model.encode_text(tokenizer(texts), normalize=True).numpy(), atol=1e-5
        )


@pytest.mark.slow
def test_a_built_in_architecture_takes_a_file_of_weights(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = open_clip.create_model("ViT-S-32-alt").eval().requires_grad_(False)
    save_file(model.state_dict(), tmp_path / "weights.safetensors")
    own = {
        "source": "open_clip:ViT-S-32-alt",
        "weights": "weights.safetensors",
        "mean": [0.5],
        "std": [0.25],
        "scale": 7,
    }
    own |= {"sha256": hashlib.sha256((tmp_path / "weights.safetensors").read_bytes()).hexdigest()}
    ours = load.vlm(str(write_card(tmp_path / "own.toml", VALUES | own)), "cpu")
    inputs = Normalizer(ours.card, "cpu")([ours.boxed(FILMS[0])])
    np.testing.assert_allclose(ours.embed_images(FILMS[:1]), model.encode_image(inputs, normalize=True), atol=1e-5)
    assert ours.scale == 7, "the card's, where it has one"


def test_scores_are_those_of_a_plain_loop(tiny: VLM) -> None:
    embeddings = tiny.embed_images(FILMS[:4])
    found = tiny.score(embeddings, ASKED)
    assert found.margin.shape == found.score.shape == (4, 3)
    assert found.spread.shape == (4, 3, 6)
    assert all(each.dtype == np.float32 for each in (embeddings, found.margin, found.score, found.spread))
    for column, asked in enumerate(ASKED):
        margins, scores, spread = looped(tiny, embeddings, asked)
        np.testing.assert_allclose(found.margin[:, column], margins, atol=1e-5)
        np.testing.assert_allclose(found.score[:, column], scores, atol=1e-5)
        np.testing.assert_allclose(found.spread[:, column], spread, atol=1e-5)
    assert np.ptp(found.margin) > 1e-3, "equal numbers would prove nothing"


def test_a_margin_is_linear_in_the_embedding(tiny: VLM) -> None:
    embeddings = tiny.embed_images(FILMS[:4])
    np.testing.assert_allclose(embeddings @ tiny.directions(ASKED).T, tiny.score(embeddings, ASKED).margin, atol=1e-6)


def test_one_template_spreads_to_the_score_itself(tiny: VLM) -> None:
    found = tiny.score(tiny.embed_images(FILMS[:2]), [prompt_set("mass", [Template("{}", "no {}")])])
    np.testing.assert_allclose(found.spread[:, :, 0], found.score, atol=1e-6)


def test_a_text_that_a_film_is_wholly_against_scores_zero(tiny: VLM) -> None:
    asked = prompt_set("edema")
    direction = tiny.directions([asked])
    against = VLM(tiny.card, tiny.device, 1e4, tiny._images, tiny._texts).score(-direction, [asked])
    assert against.score == 0 and against.margin < 0


def test_questions_of_one_call_have_as_many_templates(tiny: VLM) -> None:
    with pytest.raises(ValueError, match="same number of templates"):
        tiny.score(tiny.embed_images(FILMS[:1]), [ASKED[0], prompt_set("mass", [Template("{}", "no {}")])])


def test_films_and_boxed_films_and_batches_agree(tiny: VLM) -> None:
    together = tiny.embed_images(FILMS)
    alone = np.concatenate([tiny.embed_images([film]) for film in FILMS])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_array_equal(together, tiny.embed_boxed([tiny.boxed(film) for film in FILMS]))
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)


def test_a_text_is_encoded_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    model = load.vlm(f"local-dir:{folder}/.", "cpu")  # of its own: another test may have asked the shared one
    encoded: list[int] = []
    encode = model._texts._opened[0].encode_text  # type: ignore[index]
    monkeypatch.setattr(model._texts._opened[0], "encode_text", counted(encode, encoded))  # type: ignore[index]
    first = model.embed_texts(["mass", "heart", "mass"])
    assert encoded == [2]
    np.testing.assert_array_equal(first[0], first[2])
    np.testing.assert_array_equal(model.embed_texts(["heart", "mass"]), first[[1, 0]])
    assert encoded == [2]
    monkeypatch.setattr(text_tower, "MAX_CACHED_TEXTS", 2)
    model.embed_texts(["mass"])
    model.embed_texts(["nodule"])  # the oldest, heart, is let go
    model.embed_texts(["mass"])
    model.embed_texts(["heart"])
    assert encoded == [2, 1, 1]


def counted(encode: Callable[..., torch.Tensor], calls: list[int]) -> Callable[..., torch.Tensor]:
    def encode_text(tokens: torch.Tensor, normalize: bool = False) -> torch.Tensor:
        calls.append(len(tokens))
        return encode(tokens, normalize=normalize)

    return encode_text


def test_threads_share_a_model(tiny: VLM) -> None:
    films = tiny.embed_images(FILMS[:3])
    alone = [tiny.score(films, [each]).margin for each in ASKED]
    shared = load.vlm(f"local-dir:{tiny.card.folder / tiny.card.source.partition(':')[2]}/./.", "cpu")
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda each: shared.score(shared.embed_images(FILMS[:3]), [each]).margin, ASKED * 4))
    for index, margin in enumerate(together):
        np.testing.assert_allclose(margin, alone[index % 3], atol=1e-6)


def test_memory_that_runs_out_gets_a_sentence(tiny: VLM, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object, **__: object) -> torch.Tensor:
        raise torch.OutOfMemoryError("no memory")  # what a full GPU raises; there is none to fill here

    monkeypatch.setattr(tiny._images, "embed", exhausted)
    monkeypatch.setattr(tiny._images, "heat", exhausted)
    monkeypatch.setattr(tiny._texts, "_encoded", exhausted)
    calls: tuple[Callable[[], object], ...] = (
        lambda: tiny.embed_images(FILMS),
        lambda: tiny.explain(FILMS[0], ASKED[0]),
        lambda: tiny.embed_texts(["a new text"]),
    )
    for call in calls:
        with pytest.raises(UnusableModel, match="not enough memory"):
            call()


def test_another_models_features_are_refused(tiny: VLM, wording: Wording) -> None:
    with pytest.raises(UnusableModel) as caught:
        tiny.project(np.zeros((1, 1280), dtype=np.float32))
    wording(caught.value, "image tower")


def test_a_model_is_loaded_once_and_says_what_it_is(tiny: VLM, folder: Path) -> None:
    assert load.vlm(f"local-dir:{folder}", "cpu") is tiny
    assert (tiny.card.name, tiny.device) == ("tiny", "cpu")
    assert tiny._texts._opened is not None
    assert (tiny.card.size, tiny.card.mean) == (64, (0.48, 0.46, 0.41)), "as its own files say"


def test_what_prompts_say_of_a_film_does_not_depend_on_the_films_beside_it(tiny: VLM) -> None:
    embeddings = tiny.embed_images(FILMS[:4])[[0, 1, 2, 3, 1, 0, 2, 2, 1]]
    together, columns = tiny.score(embeddings, ASKED), tiny.score(embeddings, ASKED[1:2])
    for row in range(len(embeddings)):
        alone = tiny.score(embeddings[row : row + 1], ASKED)
        np.testing.assert_array_equal(alone.margin[0], together.margin[row])
        np.testing.assert_array_equal(alone.score[0], together.score[row])
        np.testing.assert_array_equal(alone.spread[0], together.spread[row])
    np.testing.assert_array_equal(columns.spread[:, 0], together.spread[:, 1])
    np.testing.assert_array_equal(columns.margin[:, 0], together.margin[:, 1])
