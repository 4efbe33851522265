"""Encodes the training captions and the card's questions in the locked text space, each text once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32, Float64
from models.prompts.templates import prompt_set
from models.training.shipping.vlm.captions import (
    CAPTION_TEMPLATES,
    Caption,
    caption_pairs,
    claim_matrix,
    film_captions,
    taught_phrases,
)
from models.training.shipping.vlm.lit import CaptionPairs, Directions, fit_directions


class SentenceEncoder(Protocol):
    """Embeds texts as unit vectors (t, d); `models.training.shipping.vlm.encoder.Encoder` provides it."""

    def embed(self, texts: Sequence[str]) -> Float32: ...


@dataclass(frozen=True, slots=True)
class EncodedCaptions:
    """Captions as vectors; `of` (m,) is the finding of each difference, `count` the number of findings."""

    differences: Float32  # (m, d) present minus absent caption
    of: NDArray[np.int64]
    weights: Float64  # (m,)
    captions: tuple[Caption, ...]  # captions with several claims
    vectors: Float32  # (t, d) embeddings of `captions`
    count: int

    def directions(self, kept: Sequence[int]) -> Directions:
        """Fit directions to the captions that name only the findings `kept`, in their order."""
        place = {k: row for row, k in enumerate(kept)}
        rows = np.array([k in place for k in self.of])
        claimed = claim_matrix(self.captions, self.count)
        allowed = (np.delete(claimed, list(kept), axis=1) == 0).all(1)
        mine = np.array([place[int(k)] for k in self.of[rows]])
        pairs = CaptionPairs(self.differences[rows], mine, self.weights[rows])
        return fit_directions(pairs, self.vectors[allowed], claimed[allowed][:, list(kept)])


def encode_captions(encoder: SentenceEncoder, labels: Float32, names: Sequence[str]) -> EncodedCaptions:
    """Encode the pairs of every finding, and a caption for every film of `labels` (n, findings named `names`)."""
    count = labels.shape[1]
    groups = [(k, caption_pairs(k, name, phrase)) for k, name in enumerate(names) for phrase in taught_phrases(name)]
    captions = tuple(film_captions(labels, names, np.random.default_rng(0)))
    texts = [caption.text for caption in captions]
    pairs = [caption.text for _, group in groups for pair in group for caption in pair]
    vectors = encoder.embed(texts + pairs)
    flat = vectors[len(texts) :].reshape(-1, 2, vectors.shape[1])
    rows, of, weights = [], [], []
    start = 0
    for k, group in groups:
        mine = flat[start : start + len(group)]
        start += len(group)
        # Queries use the ensemble of templates, so it weighs as much as all phrasings together.
        rows += [mean_difference(mine[: len(CAPTION_TEMPLATES)]), *(mine[:, 0] - mine[:, 1])]
        of += [k] * (len(group) + 1)
        weights += [float(len(group))] + [1.0] * len(group)
    return EncodedCaptions(np.array(rows), np.array(of), np.array(weights), captions, vectors[: len(texts)], count)


def question_directions(encoder: SentenceEncoder, words: Iterable[str]) -> Float32:
    """Return each question's direction (q, d) in the model's own templates, as models.vlm.model computes it."""
    sets = [prompt_set(each, CAPTION_TEMPLATES) for each in words]
    texts = [text for each in sets for pair in zip(each.positive, each.negative, strict=True) for text in pair]
    vectors = encoder.embed(texts)
    return np.stack([mean_difference(each) for each in vectors.reshape(len(sets), -1, 2, vectors.shape[1])])


def mean_difference(pairs: Float32) -> Float32:
    """Return the mean present minus the mean absent of pairs (templates, 2, d), both scaled to unit length."""
    means = pairs.mean(0)
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    difference: Float32 = means[0] - means[1]
    return difference
