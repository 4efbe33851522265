"""What asking needs of an image-text model; `models.vlm.model.VLM` is one. Embeddings are unit vectors of length d."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from explorer.reading.reader import InputBox
from explorer.runtime.memory import keep_for_good
from models.array_types import Float32
from models.cards.vlm_card import VlmCard
from models.prompts.templates import PromptSet
from models.radiograph import Radiograph


class Heat(Protocol):
    """Where the margin comes from: raw map (g, g) in margin units, 0 or more, over the square model input."""

    @property
    def map(self) -> Float32: ...
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
    def embed_images(self, radiographs: Sequence[Radiograph]) -> Float32: ...  # (n, d)
    def project(self, features: Float32) -> Float32: ...  # (n, d) of the features of `card.tower`
    def embed_texts(self, texts: Sequence[str]) -> Float32: ...  # (t, d)
    def directions(
        self, prompt_sets: Sequence[PromptSet]
    ) -> Float32: ...  # (q, d): the margins are `row_products` with them
    def explain(self, radiograph: Radiograph, prompts: PromptSet) -> Heat: ...


def load_text_model(name: str, device: str) -> TextModel:
    """The image-text model of a name. Raises UnusableModel."""
    from models.load import vlm  # brings torch, for which no page waits

    model = vlm(name, device)
    keep_for_good()
    return model
