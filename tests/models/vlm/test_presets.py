"""The presets end to end: their architectures with random weights in exactly the files they are published as.

WhyXrayCLIP: open_clip_config.json and open_clip_pytorch_model.bin of open_clip's ViT-L-14. BiomedCLIP: the same two of
a timm ViT-B/16 with PubMedBERT, a tokenizer, and the text tower's config.json. CheXzero: a plain state dict, a .pt
file. Weights are written in 16 bits, one model at a time, and deleted. Of 24 or 12 layers that are alike the first few
do, where a file beside the weights says how many there are.
"""

from __future__ import annotations

import copy
import gc
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import open_clip
import pytest
import torch
from open_clip.model import CLIP, CustomTextCLIP
from torch import Tensor, nn

from models import load
from models.cards.registry import REGISTRY
from models.cards.vlm_card import vlm_card
from models.classifier.normalizer import Normalizer
from models.prompts.templates import Template, prompt_set
from models.unfilled import skip_random_init
from models.vlm.model import VLM
from models.vlm.open_model import open_vlm
from tests.support.model_builders import random_film
from tests.support.vlm_builders import plain, write_text_files

pytestmark = pytest.mark.large
FILM = random_film(260, 200, seed=1)
ASKED = prompt_set("pleural effusion", [Template("{}", "no {}"), Template("there is {}", "there is no {}")])

BIOMEDBERT = "microsoft/BiomedNLP-BiomedBERT-base-uncased-abstract"
BIOMEDCLIP: dict[str, Any] = {
    "embed_dim": 512,
    "vision_cfg": {
        "timm_model_name": "vit_base_patch16_224",
        "timm_model_pretrained": False,
        "timm_pool": "",
        "timm_proj": "linear",
        "image_size": 224,
    },
    "text_cfg": {
        "hf_model_name": BIOMEDBERT,
        "hf_tokenizer_name": BIOMEDBERT,
        "hf_proj_type": "mlp",
        "hf_pooler_type": "cls_last_hidden_state_pooler",
        "context_length": 256,
    },
}
PUBMEDBERT = {"vocab_size": 30522, "hidden_size": 768, "num_hidden_layers": 3, "num_attention_heads": 12}
OPENAI = {"mean": [0.48145466, 0.4578275, 0.40821073], "std": [0.26862954, 0.26130258, 0.27577711]}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that is emptied of gigabytes: pytest keeps the folders of three runs."""
    yield tmp_path
    for path in (*tmp_path.rglob("*.bin"), *tmp_path.glob("weights.*")):
        path.unlink()
    gc.collect()


def random_state(model: nn.Module) -> dict[str, Tensor]:
    """A state dict in 16 bits of small random numbers, drawn from one bag; norms keep to about 1."""
    generator = torch.Generator().manual_seed(0)
    bag, state = torch.empty(4_000_037).uniform_(-0.06, 0.06, generator=generator), {}
    about_0, about_1 = bag.half(), (bag + 1).half()
    for name, tensor in model.state_dict().items():
        drawn = about_1 if name.endswith("weight") and tensor.ndim == 1 else about_0
        if tensor.numel() > len(bag):
            drawn = drawn.repeat(tensor.numel() // len(bag) + 1)
        state[name] = drawn[: tensor.numel()].clone().view(tensor.shape)
    return state | {"logit_scale": torch.tensor(2.5).half()}


def published(folder: Path, config: dict[str, Any], state: dict[str, Tensor]) -> None:
    """open_clip's two files of a model."""
    (folder / "open_clip_config.json").write_text(json.dumps({"model_cfg": config, "preprocess_cfg": OPENAI}))
    torch.save(state, folder / "open_clip_pytorch_model.bin")


def answers(ours: VLM) -> dict[str, Any]:
    """All that a model says of the film and the question, and the input it saw."""
    films = ours.embed_images([FILM])
    scores, heat = ours.score(films, [ASKED]), ours.explain(FILM, ASKED)
    return {
        "inputs": Normalizer(ours.card, "cpu")([ours.boxed(FILM)]),
        "film": films[0],
        "texts": ours.embed_texts([*ASKED.positive, *ASKED.negative]),
        "margin": float(scores.margin[0, 0]),
        "score": float(scores.score[0, 0]),
        "spread": scores.spread[0, 0],
        "heat": heat.map,
        "scale": ours.scale,
    }


def check(said: dict[str, Any], model: nn.Module, tokenizer: Any, scale: float) -> None:  # noqa: ANN401
    """What was said is what open_clip's own model gives, and what a loop makes of it."""
    encode: Any = model.eval().requires_grad_(False)
    film = encode.encode_image(said["inputs"], normalize=True).numpy()[0]
    words = encode.encode_text(tokenizer([*ASKED.positive, *ASKED.negative]), normalize=True).numpy()
    np.testing.assert_allclose(said["film"], film, atol=1e-5)
    np.testing.assert_allclose(said["texts"], words, atol=1e-5)
    assert np.abs(words - words[0]).max() > 1e-3, "texts that are all the same would prove nothing"
    positive, negative = words[:2], words[2:]
    first, second = (each.mean(0) / np.linalg.norm(each.mean(0)) for each in (positive, negative))
    margin = float(film @ first - film @ second)
    alone = [pair_softmax(scale * film @ p, scale * film @ n) for p, n in zip(positive, negative, strict=True)]
    assert said["scale"] == pytest.approx(scale, rel=1e-3)
    assert said["margin"] == pytest.approx(margin, abs=1e-5)
    assert said["score"] == pytest.approx(pair_softmax(scale * film @ first, scale * film @ second), abs=1e-4)
    np.testing.assert_allclose(said["spread"], alone, atol=1e-4)


def pair_softmax(first: float, second: float) -> float:
    return float(np.exp(first) / (np.exp(first) + np.exp(second)))


def kinds(model: nn.Module) -> dict[str, tuple[int, ...]]:
    """The shapes of a model's tensors by their names, those of any layer as one."""
    return {re.sub(r"\d+", "n", name): tuple(tensor.shape) for name, tensor in model.state_dict().items()}


def test_whyxrayclip(folder: Path) -> None:
    whole = open_clip.get_model_config("ViT-L-14")
    config = whole | {part: whole[part] | {"layers": 3} for part in ("vision_cfg", "text_cfg")}
    with torch.device("meta"):
        shapes = CLIP(**copy.deepcopy(config))
        assert kinds(shapes) == kinds(CLIP(**copy.deepcopy(whole)))
    published(folder, config, random_state(shapes))
    said = answers(open_vlm(f"local-dir:{folder}", "cpu", load.classifier))  # not kept, as `load.vlm` would
    gc.collect()
    assert said["heat"].shape == (16, 16)
    model, _ = plain(folder)
    check(said, model, open_clip.get_tokenizer("ViT-L-14"), np.exp(2.5))


def test_biomedclip(folder: Path) -> None:
    write_text_files(folder, intermediate_size=3072, **PUBMEDBERT)  # its shape; a vocabulary of a few words does
    config = copy.deepcopy(BIOMEDCLIP)
    config["text_cfg"] |= {"hf_model_name": str(folder), "hf_model_pretrained": False}
    with skip_random_init():
        shapes = CustomTextCLIP(**config)
    state = random_state(shapes)
    # Saved with a transformers that still stored the positions.
    published(folder, BIOMEDCLIP, state | {"text.transformer.embeddings.position_ids": torch.arange(512)[None]})
    said = answers(open_vlm(f"local-dir:{folder}", "cpu", load.classifier))
    assert said["heat"].shape == (14, 14)
    check(said, *plain(folder), np.exp(2.5))


def test_chexzero(folder: Path) -> None:
    with torch.device("meta"):
        shapes = CLIP(**open_clip.get_model_config("ViT-B-32-quickgelu"))
    file = folder / "weights.pt"
    torch.save(random_state(shapes), file)
    card = folder / "chexzero.toml"
    shipped = (REGISTRY / "chexzero.toml").read_text(encoding="utf-8")
    card.write_text(shipped.replace(vlm_card("chexzero").weights or "", str(file)), encoding="utf-8")
    said = answers(open_vlm(str(card), "cpu", load.classifier))
    assert said["heat"].shape == (7, 7)
    with skip_random_init():
        model = open_clip.create_model("ViT-B-32-quickgelu", str(file))
    check(said, model, open_clip.get_tokenizer("ViT-B-32-quickgelu"), 1.0)
