"""The interface that an image-text model must have for asking; `models.vlm.model.VLM` has it.

Embeddings are unit vectors of length d.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from explorer.reading.model_loader import importing_torch
from explorer.reading.reader import InputBox
from explorer.runtime.memory import freeze_objects
from models.array_types import Float32
from models.cards.vlm_card import VlmCard
from models.prompts.templates import PromptSet
from models.radiograph import Radiograph


class Heat(Protocol):
    """A raw map (g, g) of the margin, in margin units, 0 or more, over the square model input."""

    @property
    def map(self) -> Float32: ...
    @property
    def box(self) -> InputBox: ...


class TextModel(Protocol):
    """An image-text model; `scale` converts a margin to the logit of a score."""

    @property
    def card(self) -> VlmCard: ...
    @property
    def device(self) -> str: ...
    @property
    def scale(self) -> float: ...
    def embed_images(self, radiographs: Sequence[Radiograph]) -> Float32: ...  # (n, d)
    def project(self, features: Float32) -> Float32: ...  # (n, d) from features of `card.tower`
    def embed_texts(self, texts: Sequence[str]) -> Float32: ...  # (t, d)
    def directions(
        self, prompt_sets: Sequence[PromptSet]
    ) -> Float32: ...  # (q, d); margins are `row_products` with these
    def explain(self, radiograph: Radiograph, prompts: PromptSet) -> Heat: ...


def load_text_model(name: str, device: str) -> TextModel:
    """Load an image-text model by name. Raises UnusableModel."""
    with importing_torch():
        from models.load import vlm

    model = vlm(name, device)
    freeze_objects()
    return model
