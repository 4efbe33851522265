"""The text tower of an image-text model: opened at the first question, its answers kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from models.array_types import Float32
from models.classifier.classifier import BATCH
from models.out_of_memory import memory_watched
from models.vlm.source import Tokenizer

KEPT = 8192  # texts; at 512 numbers each 16 MB
Opened = tuple[Any, Tokenizer]  # open_clip's model, whose interface is by convention, not by type


class TextTower:
    """Texts to unit vectors. Safe to call from several threads, which take turns: tokenizers are not."""

    def __init__(self, name: str, device: str, opened: Callable[[], Opened]) -> None:
        """`opened` gives the model that encodes and its tokenizer; it is called once, or again where it raised."""
        self._name = name
        self._device = device
        self._open = opened
        self._opened: Opened | None = None
        self._kept: OrderedDict[str, Float32] = OrderedDict()
        self._lock = threading.Lock()

    def open(self) -> None:
        """Open the tower now. Raises UnusableModel where it is unavailable."""
        with self._lock:
            self._opened = self._opened or self._open()

    def embed(self, texts: Sequence[str]) -> Float32:
        """Unit vectors (t, d) in float32 of one text or more. Raises UnusableModel where the tower is unavailable."""
        with self._lock, memory_watched(self._name, self._device):
            kept = self._kept
            new = [text for text in dict.fromkeys(texts) if text not in kept]
            kept.update(zip(new, self._encoded(new), strict=True))
            rows = [kept[text] for text in texts]
            for text in texts:
                kept.move_to_end(text)
            while len(kept) > KEPT:
                kept.popitem(last=False)
        return np.concatenate(rows).reshape(len(rows), -1)

    def _encoded(self, texts: Sequence[str]) -> list[Float32]:
        if not texts:
            return []
        self._opened = self._opened or self._open()
        model, tokenize = self._opened
        parts: list[Float32] = []
        with torch.no_grad():
            for start in range(0, len(texts), BATCH):
                tokens = _trimmed(model, tokenize(list(texts[start : start + BATCH]))).to(self._device)
                parts.append(model.encode_text(tokens, normalize=True).float().cpu().numpy())
        return list(np.concatenate(parts))


def _trimmed(model: Any, tokens: Tensor) -> Tensor:  # noqa: ANN401
    """Tokens without the columns that are padding in every text, where the tower masks padding and takes any length."""
    padding = getattr(getattr(getattr(model, "text", None), "config", None), "pad_token_id", None)
    if padding is None:
        return tokens
    used = (tokens != padding).any(0).nonzero()
    return tokens[:, : int(used.max()) + 1] if len(used) else tokens
