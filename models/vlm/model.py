"""An image-text model over radiographs: embeddings, what prompts score, and where a film meets a text."""

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
from models.classifier.classifier import BATCH
from models.classifier.letterbox import Letterbox
from models.exact_products import row_products
from models.out_of_memory import memory_watched
from models.prompts.templates import PromptSet
from models.radiograph import Radiograph
from models.vlm.image import ImageTower, SharedTower
from models.vlm.text import TextTower


@dataclass(frozen=True, slots=True, eq=False)
class PromptScores:
    """What prompts say of films. A margin is linear in the film's embedding: it is what is stored and thresholded.

    Margin and score are of all templates together, of the mean of their embeddings: they need be no template's own, nor
    the mean of theirs.
    """

    margin: Float32  # (n, q) cosine towards the positive prompts less that towards the negative ones, -2 to 2
    score: Float32  # (n, q) softmax of the pair at the model's own scale: sigmoid(scale * margin)
    spread: Float32  # (n, q, templates) the score of each template alone


@dataclass(frozen=True, slots=True, eq=False)
class TextHeat:
    """Where a film meets a text."""

    map: Float32  # (g, g), raw, 0 or more, over the square model input
    box: Letterbox

    def on_film(self, longest: int | None = None) -> Float32:
        """The map in film coordinates (h, w), the longer side bounded by `longest` pixels."""
        return self.box.restore(torch.from_numpy(self.map[None]), longest=longest)[0].numpy()


class VLM:
    """A model ready to be asked. Hooks nothing; what it keeps between calls are texts: safe to use from threads."""

    def __init__(self, card: VlmCard, device: str, scale: float, images: ImageTower, texts: TextTower) -> None:
        self.card = card
        self.device = device
        self.scale = scale
        self._images = images
        self._texts = texts

    def embed_images(self, radiographs: Sequence[Radiograph]) -> Float32:
        """Unit embeddings (n, d)."""
        return self._embedded(len(radiographs), lambda at: self.boxed(radiographs[at]))

    def boxed(self, radiograph: Radiograph) -> Tensor:
        """The film as large as the model sees it (size, size), in [0, 1] and on the CPU: what `embed_boxed` takes."""
        return self._images.boxed(radiograph)

    def embed_boxed(self, films: Sequence[Tensor]) -> Float32:
        """Unit embeddings (n, d) of `boxed` films."""
        return self._embedded(len(films), lambda at: films[at])

    def project(self, features: Float32) -> Float32:
        """Unit embeddings (n, d) of the pooled features (n, width) of the classifier `card.tower`.

        Raises UnusableModel where the model has an image tower of its own.
        """
        if not isinstance(self._images, SharedTower):
            raise UnusableModel(
                f"{self.card.name} has an image tower of its own",
                "It cannot read another model's features. Give it the film.",
            )
        return self._images.project(torch.as_tensor(features, dtype=torch.float32)).cpu().numpy()

    def embed_texts(self, texts: Sequence[str]) -> Float32:
        """Unit embeddings (t, d), kept for the next time. Raises UnusableModel where the text tower is unavailable."""
        return self._texts.embed(texts) if texts else np.empty((0, self._images.width), np.float32)

    def directions(self, prompt_sets: Sequence[PromptSet]) -> Float32:
        """Directions (q, d): `row_products(embeddings, directions)` are the margins.

        Each is the mean of the positive prompts less the mean of the negative ones, both of unit length; questions may
        have different numbers of templates.
        """
        sides = [side for each in prompt_sets for side in (each.positive, each.negative)]
        embedded = self.embed_texts([text for side in sides for text in side])
        ends = np.cumsum([len(side) for side in sides])
        parts = np.split(embedded, ends[:-1]) if sides else []
        return np.array(
            [_direction(one, other) for one, other in zip(parts[::2], parts[1::2], strict=True)], np.float32
        )

    def score(self, image_embeddings: Float32, prompt_sets: Sequence[PromptSet]) -> PromptScores:
        """Margins and scores of films (n, d) for questions (q). Every question has as many templates (ValueError)."""
        positive, negative = self._prompts(prompt_sets)
        margin = row_products(image_embeddings, _direction(positive, negative))
        each = positive - negative
        alone = row_products(image_embeddings, each.reshape(-1, each.shape[2]))
        alone = alone.reshape(len(image_embeddings), *each.shape[:2])
        return PromptScores(margin, self._sigmoid(margin), self._sigmoid(alone))

    def explain(self, radiograph: Radiograph, prompts: PromptSet, method: HeatMethod | None = None) -> TextHeat:
        """Where the margin comes from: by default the card's method, else Grad-CAM (Selvaraju et al., ICCV 2017).

        One pass, and one back. Maps are not stretched; what speaks against is cut off at 0. Raises UnusableModel where
        the tower has no feature map, ValueError for a layer or a size that it does not have.
        """
        direction = torch.from_numpy(self.directions([prompts])[0])
        with memory_watched(self.card.name, self.device):
            heat = self._images.heat(radiograph, direction, method or self.card.heat_method)
        return TextHeat(heat.maps[0], heat.box)

    def _embedded(self, count: int, film: Callable[[int], Tensor]) -> Float32:
        """Embeddings of `count` films, no more than a batch of them decoded to tensors at a time."""
        with memory_watched(self.card.name, self.device):
            parts = [
                self._images.embed([film(at) for at in range(start, min(start + BATCH, count))]).cpu().numpy()
                for start in range(0, count, BATCH)
            ]
        return np.concatenate(parts) if parts else np.empty((0, self._images.width), np.float32)

    def _prompts(self, prompt_sets: Sequence[PromptSet]) -> tuple[Float32, Float32]:
        """Embeddings (q, templates, d) of the positive and of the negative prompts."""
        counts = {len(each.positive) for each in prompt_sets} | {len(each.negative) for each in prompt_sets}
        if len(counts) > 1:
            raise ValueError("Every question of one call has as many templates as the others.")
        texts = [text for each in prompt_sets for text in (*each.positive, *each.negative)]
        embedded = self.embed_texts(texts).reshape(len(prompt_sets), 2, max(counts, default=1), -1)
        return embedded[:, 0], embedded[:, 1]

    def _sigmoid(self, margin: Float32) -> Float32:
        score: Float32 = expit(np.float32(self.scale) * margin)  # no overflow, however sure
        return score


def _direction(positive: Float32, negative: Float32) -> Float32:
    """Directions (..., d) of embedded prompts (..., templates, d)."""
    return _unit(positive.mean(-2)) - _unit(negative.mean(-2))


def _unit(vectors: Float32) -> Float32:
    unit: Float32 = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit
