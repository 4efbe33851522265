"""Lets an image-text model score films like a classifier: a margin per finding, and embeddings as features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from models.array_types import Float32
from models.exact_products import row_products
from models.prompts.standard import standard_prompts

if TYPE_CHECKING:
    from torch import Tensor

    from models.vlm.model import VLM


class Margins:
    """The interface of a scorer for an image-text model. Prompts are embedded once, because they never change."""

    def __init__(self, model: VLM) -> None:
        """Load the text tower and embed the prompts; raises UnusableModel if it is unavailable."""
        self.device = model.device
        self.boxed = model.boxed
        self._embed = model.embed_boxed
        self._directions = model.directions(list(standard_prompts(model.card.templates).values()))

    def score_boxed(self, films: Sequence[Tensor]) -> tuple[Float32, Float32]:
        """Return margins (n, findings) and unit embeddings (n, d) of `boxed` films."""
        embeddings = self._embed(films)
        return row_products(embeddings, self._directions), embeddings
