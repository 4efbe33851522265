"""The text tower of an image-text model: opened on first use, with a cache of embeddings."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from models.array_types import Float32
from models.classifier.classifier import BATCH_SIZE
from models.out_of_memory import refuse_out_of_memory
from models.vlm.source import Tokenizer

MAX_CACHED_TEXTS = 8192  # texts; at 512 numbers each, 16 MB
EncoderAndTokenizer = tuple[Any, Tokenizer]  # open_clip's model; its interface is a convention, not a type


class TextTower:
    """Embeds texts as unit vectors. Several threads may use it, in turns, because tokenizers are not thread-safe."""

    def __init__(self, name: str, device: str, opened: Callable[[], EncoderAndTokenizer]) -> None:
        """`opened` returns the encoder and its tokenizer; it is called once, and again only if it raised an error."""
        self._name = name
        self._device = device
        self._open = opened
        self._opened: EncoderAndTokenizer | None = None
        self._cache: OrderedDict[str, Float32] = OrderedDict()
        self._lock = threading.Lock()

    def open(self) -> None:
        """Open the tower now. Raises UnusableModel if it is unavailable."""
        with self._lock:
            self._opened = self._opened or self._open()

    def embed(self, texts: Sequence[str]) -> Float32:
        """Return unit vectors (t, d) in float32 for one or more texts. Raises UnusableModel if unavailable."""
        with self._lock, refuse_out_of_memory(self._name, self._device):
            cache = self._cache
            new = [text for text in dict.fromkeys(texts) if text not in cache]
            cache.update(zip(new, self._encoded(new), strict=True))
            rows = [cache[text] for text in texts]
            for text in texts:
                cache.move_to_end(text)
            while len(cache) > MAX_CACHED_TEXTS:
                cache.popitem(last=False)
        return np.concatenate(rows).reshape(len(rows), -1)

    def _encoded(self, texts: Sequence[str]) -> list[Float32]:
        if not texts:
            return []
        self._opened = self._opened or self._open()
        model, tokenize = self._opened
        parts: list[Float32] = []
        with torch.no_grad():
            for start in range(0, len(texts), BATCH_SIZE):
                tokens = _trimmed(model, tokenize(list(texts[start : start + BATCH_SIZE]))).to(self._device)
                parts.append(model.encode_text(tokens, normalize=True).float().cpu().numpy())
        return list(np.concatenate(parts))


def _trimmed(model: Any, tokens: Tensor) -> Tensor:  # noqa: ANN401
    """Drop token columns that are padding in every text, if the tower masks padding and accepts any length."""
    padding = getattr(getattr(getattr(model, "text", None), "config", None), "pad_token_id", None)
    if padding is None:
        return tokens
    used = (tokens != padding).any(0).nonzero()
    return tokens[:, : int(used.max()) + 1] if len(used) else tokens
