"""Small real image-text models in the formats they are published in: folders of open_clip, random weights."""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import open_clip
import torch
from open_clip.model import CLIP, CustomTextCLIP
from safetensors.torch import save_file
from torch import nn
from transformers import BertConfig, BertTokenizer

from models import load
from models.unfilled import skip_random_init
from tests.support.model_builders import write_card

MEAN, STD = [0.48, 0.46, 0.41], [0.27, 0.26, 0.28]
TEXT = {"context_length": 77, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 2}
LITE0 = {"timm_model_name": "tf_efficientnet_lite0", "timm_pool": "avg", "timm_proj": "linear", "image_size": 64}
TRANSFORMER = {"image_size": 64, "layers": 2, "width": 64, "head_width": 32, "patch_size": 16}
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] there is no evidence of chest radiograph with without the film shows does not "
WORDS += "show findings are consistent pleural effusion mass heart large"


def write_clip(folder: Path, *, vision: dict[str, Any] | None = None, seed: int = 0, **changes: Any) -> Path:  # noqa: ANN401
    """A folder with a tiny CLIP of open_clip, whose vision_cfg may be another; `changes` replace model_cfg keys."""
    config = {"embed_dim": 48, "vision_cfg": vision or TRANSFORMER, "text_cfg": TEXT} | changes
    torch.manual_seed(seed)
    return write_folder(folder, config, CLIP(**copy.deepcopy(config)))


def write_folder(folder: Path, config: dict[str, Any], model: nn.Module, *, half: bool = False) -> Path:
    """A model as open_clip's local-dir reads it; `half` stores it in 16 bits."""
    folder.mkdir(exist_ok=True)
    described = {"model_cfg": config, "preprocess_cfg": {"mean": MEAN, "std": STD}}
    (folder / "open_clip_config.json").write_text(json.dumps(described))
    state = {key: (tensor.half() if half else tensor).contiguous() for key, tensor in model.state_dict().items()}
    save_file(state, folder / "open_clip_model.safetensors")
    return folder


def write_text_files(folder: Path, **changes: int) -> None:
    """A tiny BERT's config.json and the files of a tokenizer of a few words."""
    folder.mkdir(exist_ok=True)
    words = WORDS.split()
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    BertConfig(**({"vocab_size": len(words)} | sizes | changes)).save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(words) + "\n")
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)


def write_bert_clip(folder: Path, **text: object) -> Path:
    """A folder with a tiny model whose text tower is a BERT of transformers; `text` adds text_cfg keys."""
    write_text_files(folder)
    described = {"hf_model_name": str(folder), "hf_tokenizer_name": "any", "hf_proj_type": "mlp", "context_length": 24}
    described |= {"hf_pooler_type": "cls_last_hidden_state_pooler", "hf_model_pretrained": False}
    vision = {"image_size": 64, "layers": 1, "width": 32, "head_width": 32, "patch_size": 16}
    config = {"embed_dim": 48, "vision_cfg": vision, "text_cfg": described}
    return write_folder(folder, config | {"text_cfg": described | text}, CustomTextCLIP(**copy.deepcopy(config)))


def write_twin(folder: Path, *, bias: bool = True) -> Path:
    """The folder `twin`: nih-mini's tower with a random projection and a tiny text tower, in 16 bits."""
    weights = folder / "twin"
    write_text_files(weights)
    text = {"hf_model_name": "twin", "hf_tokenizer_name": "twin", "hf_pooler_type": "mean_pooler", "hf_proj_type": None}
    config = {
        "embed_dim": 32,
        "vision_cfg": LITE0 | {"image_size": 160, "timm_proj_bias": bias},
        "text_cfg": text | {"context_length": 24},
    }
    torch.manual_seed(0)
    built = copy.deepcopy(config)
    built["text_cfg"] |= {"hf_model_name": str(weights), "hf_model_pretrained": False}
    model = CustomTextCLIP(**built)
    _give_tower(model.visual.trunk)
    return write_folder(weights, config, model, half=True)


def write_twin_card(folder: Path, weights: Path, /, **changes: object) -> Path:
    """A card in `folder` for what `write_twin` wrote; its path. `changes` replace card keys."""
    file = weights / "open_clip_model.safetensors"
    values: dict[str, object] = {
        "kind": "vlm",
        "name": "twin",
        "title": "A twin for tests",
        "architecture": "tf_efficientnet_lite0 and a tiny BERT",
        "source": f"local-dir:{weights}",
        "weights": str(file),
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "tower": "nih-mini",
        "size": 160,
        "resize": "letterbox",
        "training": [],
        "licence": "Apache-2.0",
        "citation": "none",
    } | changes
    return write_card(folder / "twin.toml", values)


def _give_tower(trunk: nn.Module) -> None:
    """nih-mini's tower with three channels: its stem in the first, zeros in the others."""
    state = {
        key: tensor.clone() for key, tensor in load.classifier("nih-mini", "cpu").backbone.network.state_dict().items()
    }
    stem = state["conv_stem.weight"]
    state["conv_stem.weight"] = torch.cat([stem, torch.zeros_like(stem), torch.zeros_like(stem)], 1)
    trunk.load_state_dict({key: tensor for key, tensor in state.items() if not key.startswith("classifier.")})


def plain(folder: Path) -> tuple[nn.Module, Any]:
    """The folder's model and tokenizer as open_clip alone gives them."""
    config = json.loads((folder / "open_clip_config.json").read_text())["model_cfg"]["text_cfg"]
    options = (
        {"text_cfg": config | {"hf_model_name": str(folder), "hf_model_pretrained": False}}
        if "hf_model_name" in config
        else {}
    )
    with skip_random_init():  # all is loaded
        model = open_clip.create_model(f"local-dir:{folder}", require_pretrained=True, **options)
    return model.eval().requires_grad_(False), open_clip.get_tokenizer(f"local-dir:{folder}")
