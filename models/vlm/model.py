"""An image-text model for radiographs: embeddings, prompt scores, and heat maps for a text on a film."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from scipy.special import expit
from torch import Tensor

from models.array_types import Float32
from models.cards.card import UnusableModel
from models.cards.heat_method import HeatMethod
from models.cards.vlm_card import VlmCard
from models.classifier.classifier import BATCH_SIZE
from models.classifier.letterbox import Letterbox
from models.exact_products import row_products
from models.out_of_memory import refuse_out_of_memory
from models.prompts.templates import PromptSet
from models.radiograph import Radiograph
from models.vlm.image import ImageTower, SharedTower
from models.vlm.text import TextTower


@dataclass(frozen=True, slots=True, eq=False)
class PromptScores:
    """Films' scores for prompts. The margin is linear in the film's embedding, so it is what is stored and thresholded.

    Margin and score use the mean embedding of all templates, which need not equal any template's score or their mean.
    """

    margin: Float32  # (n, q) cosine with the positive prompts minus cosine with the negative ones, -2 to 2
    score: Float32  # (n, q) softmax of the pair at the model's own scale: sigmoid(scale * margin)
    spread: Float32  # (n, q, templates) the score of each template on its own


@dataclass(frozen=True, slots=True, eq=False)
class TextHeat:
    """Where a film matches a text."""

    map: Float32  # (g, g), raw, 0 or more, over the square model input
    box: Letterbox

    def on_film(self, longest: int | None = None) -> Float32:
        """Return the map in film coordinates (h, w), with at most `longest` pixels on the longer side."""
        return self.box.restore(torch.from_numpy(self.map[None]), longest=longest)[0].numpy()


class VLM:
    """A loaded image-text model. It caches only text embeddings, and several threads may use it."""

    def __init__(self, card: VlmCard, device: str, scale: float, images: ImageTower, texts: TextTower) -> None:
        self.card = card
        self.device = device
        self.scale = scale
        self._images = images
        self._texts = texts

    def embed_images(self, radiographs: Sequence[Radiograph]) -> Float32:
        """Return unit embeddings (n, d)."""
        return self._embedded(len(radiographs), lambda at: self.boxed(radiographs[at]))

    def boxed(self, radiograph: Radiograph) -> Tensor:
        """Return the film at the model's input size (size, size), in [0, 1], on the CPU: the input of `embed_boxed`."""
        return self._images.boxed(radiograph)

    def embed_boxed(self, films: Sequence[Tensor]) -> Float32:
        """Return unit embeddings (n, d) of `boxed` films."""
        return self._embedded(len(films), lambda at: films[at])

    def project(self, features: Float32) -> Float32:
        """Return unit embeddings (n, d) of pooled features (n, width) of the classifier `card.tower`.

        Raises UnusableModel if the model has its own image tower.
        """
        if not isinstance(self._images, SharedTower):
            raise UnusableModel(
                f"{self.card.name} has its own image tower",
                "It cannot use another model's features. Give it the film.",
            )
        return self._images.project(torch.as_tensor(features, dtype=torch.float32)).cpu().numpy()

    def embed_texts(self, texts: Sequence[str]) -> Float32:
        """Return unit embeddings (t, d), with a cache. Raises UnusableModel if the text tower is unavailable."""
        return self._texts.embed(texts) if texts else np.empty((0, self._images.width), np.float32)

    def directions(self, prompt_sets: Sequence[PromptSet]) -> Float32:
        """Return directions (q, d): `row_products(embeddings, directions)` gives the margins.

        Each is the mean of the positive prompts minus the mean of the negative ones, both scaled to unit length. The
        number of templates may differ between questions.
        """
        sides = [side for each in prompt_sets for side in (each.positive, each.negative)]
        embedded = self.embed_texts([text for side in sides for text in side])
        ends = np.cumsum([len(side) for side in sides])
        parts = np.split(embedded, ends[:-1]) if sides else []
        return np.array(
            [_direction(one, other) for one, other in zip(parts[::2], parts[1::2], strict=True)], np.float32
        )

    def score(self, image_embeddings: Float32, prompt_sets: Sequence[PromptSet]) -> PromptScores:
        """Return margins and scores of films (n, d) for questions (q) with equally many templates (else ValueError)."""
        positive, negative = self._prompts(prompt_sets)
        margin = row_products(image_embeddings, _direction(positive, negative))
        each = positive - negative
        single = row_products(image_embeddings, each.reshape(-1, each.shape[2]))
        single = single.reshape(len(image_embeddings), *each.shape[:2])
        return PromptScores(margin, self._sigmoid(margin), self._sigmoid(single))

    def explain(self, radiograph: Radiograph, prompts: PromptSet, method: HeatMethod | None = None) -> TextHeat:
        """Map where the margin comes from, by the card's method or, without one, Grad-CAM (Selvaraju et al., 2017).

        Takes one forward and one backward pass. Maps are not rescaled; negative evidence is clipped at 0. Raises
        UnusableModel if the tower has no feature map, ValueError for a layer or size that it does not have.
        """
        direction = torch.from_numpy(self.directions([prompts])[0])
        with refuse_out_of_memory(self.card.name, self.device):
            heat = self._images.heat(radiograph, direction, method or self.card.heat_method)
        return TextHeat(heat.maps[0], heat.box)

    def _embedded(self, count: int, film: Callable[[int], Tensor]) -> Float32:
        """Return embeddings of `count` films, loading at most one batch of them at a time."""
        with refuse_out_of_memory(self.card.name, self.device):
            parts = [
                self._images.embed([film(at) for at in range(start, min(start + BATCH_SIZE, count))]).cpu().numpy()
                for start in range(0, count, BATCH_SIZE)
            ]
        return np.concatenate(parts) if parts else np.empty((0, self._images.width), np.float32)

    def _prompts(self, prompt_sets: Sequence[PromptSet]) -> tuple[Float32, Float32]:
        """Return embeddings (q, templates, d) of the positive and the negative prompts."""
        counts = {len(each.positive) for each in prompt_sets} | {len(each.negative) for each in prompt_sets}
        if len(counts) > 1:
            raise ValueError("All questions of one call must have the same number of templates.")
        texts = [text for each in prompt_sets for text in (*each.positive, *each.negative)]
        embedded = self.embed_texts(texts).reshape(len(prompt_sets), 2, max(counts, default=1), -1)
        return embedded[:, 0], embedded[:, 1]

    def _sigmoid(self, margin: Float32) -> Float32:
        score: Float32 = expit(np.float32(self.scale) * margin)  # expit does not overflow
        return score


def _direction(positive: Float32, negative: Float32) -> Float32:
    """Return directions (..., d) of embedded prompts (..., templates, d)."""
    return _unit(positive.mean(-2)) - _unit(negative.mean(-2))


def _unit(vectors: Float32) -> Float32:
    unit: Float32 = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit
