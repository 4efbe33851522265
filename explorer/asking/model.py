"""What asking needs of an image-text model; `models.vlm.model.VLM` is one. Embeddings are unit vectors of length d."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.reading.reader import InputBox
from explorer.runtime.memory import keep_for_good
from models.cards.vlm_card import VlmCard
from models.prompts.templates import PromptSet
from models.radiograph import Radiograph

Floats = NDArray[np.float32]


class Heat(Protocol):
    """Where the margin comes from: raw map (g, g) in margin units, 0 or more, over the square model input."""

    @property
    def map(self) -> Floats: ...
    @property
    def box(self) -> InputBox: ...


class TextModel(Protocol):
    """An image-text model; `scale` turns a margin into the logit of a score."""

    @property
    def card(self) -> VlmCard: ...
    @property
    def device(self) -> str: ...
    @property
    def scale(self) -> float: ...
    def embed_images(self, radiographs: Sequence[Radiograph]) -> Floats: ...  # (n, d)
    def project(self, features: Floats) -> Floats: ...  # (n, d) of the features of `card.tower`
    def embed_texts(self, texts: Sequence[str]) -> Floats: ...  # (t, d)
    def directions(
        self, prompt_sets: Sequence[PromptSet]
    ) -> Floats: ...  # (q, d): the margins are `row_products` with them
    def explain(self, radiograph: Radiograph, prompts: PromptSet) -> Heat: ...


def load_text_model(name: str, device: str) -> TextModel:
    """The image-text model of a name. Raises UnusableModel."""
    from models.load import vlm  # brings torch, for which no page waits

    model = vlm(name, device)
    keep_for_good()
    return model
