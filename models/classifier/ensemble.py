"""Ensembles of classifiers: the weighted mean of the members' logits and heat maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.special import expit
from torch import Tensor
from torch.nn import functional

from models.array_types import Float32
from models.cards.card import Card
from models.cards.heat_method import HeatMethod
from models.classifier.classifier import Classifier, Explanation, HeatMaps
from models.radiograph import Radiograph

BoxedFilm = tuple[Tensor, ...]  # a film at each member's input size


class Ensemble:
    """A card's `members` as one model, with the interface of `models.classifier.classifier.Classifier`.

    Its features are the first member's. It has no state between calls, so several threads may use it.
    """

    def __init__(self, card: Card, members: Sequence[Classifier]) -> None:
        """`members` must be the card's members, in the card's order, all on one device."""
        weights = np.array([member.weight for member in card.members])
        self.card = card
        self.members = tuple(members)
        self.device = members[0].device
        self.findings = card.findings
        self._shares: NDArray[np.float64] = weights / weights.sum()

    def score(self, radiographs: Sequence[Radiograph]) -> Float32:
        """Return scores (n, findings): the sigmoid of the mean logit."""
        return self.score_boxed([self.boxed(film) for film in radiographs])[0]

    def features(self, radiographs: Sequence[Radiograph]) -> Float32:
        """Return pooled features (n, d) of the first member."""
        return self.members[0].features(radiographs)

    def explain(self, radiograph: Radiograph) -> Explanation:
        """Return scores, features and the mean Grad-CAM of every finding; the film passes through each member once."""
        explained = [member.explain(radiograph) for member in self.members]
        logits = self._mean_logits([each.logits for each in explained])
        maps = self._mean_map([each.maps for each in explained])
        first = explained[0]
        return Explanation(logits.astype(np.float32), _sigmoid(logits), maps, first.features, first.box)

    def heat(self, radiograph: Radiograph, findings: Sequence[str], method: HeatMethod | None = None) -> HeatMaps:
        """Return the members' mean heat maps of some findings, by default with the ensemble card's method.

        Raises ValueError for a finding, a layer or a size that a member does not have.
        """
        method = method or self.card.heat_method
        heat = [member.heat(radiograph, findings, method) for member in self.members]
        return HeatMaps(self._mean_map([each.maps for each in heat]), heat[0].box)

    def boxed(self, radiograph: Radiograph) -> BoxedFilm:
        """Return the film at each member's input size, in [0, 1], on the CPU: the input of `score_boxed`."""
        by_size = {member.card.size: member for member in self.members}  # most members share one size
        films = {size: member.boxed(radiograph) for size, member in by_size.items()}
        return tuple(films[member.card.size] for member in self.members)

    def score_boxed(self, films: Sequence[BoxedFilm]) -> tuple[Float32, Float32]:
        """Return scores (n, findings) and the first member's pooled features (n, d) of `boxed` films."""
        answers = [member.logits_boxed([film[k] for film in films]) for k, member in enumerate(self.members)]
        return _sigmoid(self._mean_logits([logits for logits, _ in answers])), answers[0][1]

    def read(self, radiograph: Radiograph) -> tuple[Float32, Float32]:
        """Return scores (findings,) and the first member's pooled features (d,) of one film."""
        scores, features = self.score_boxed([self.boxed(radiograph)])
        return scores[0], features[0]

    def _mean_logits(self, logits: Sequence[Float32]) -> NDArray[np.float64]:
        """Return the weighted mean of the members' logits."""
        mean: NDArray[np.float64] = np.einsum("m,m...->...", self._shares, np.stack(logits).astype(np.float64))
        return mean

    def _mean_map(self, maps: Sequence[Float32]) -> Float32:
        """Return the weighted mean of maps (k, g, g) of the same square, on the finest of their grids."""
        finest = max(each.shape[-1] for each in maps)
        mean = np.zeros((len(maps[0]), finest, finest))
        for share, each in zip(self._shares, maps, strict=True):
            if each.shape[-1] != finest:
                each = functional.interpolate(torch.from_numpy(each)[None], size=(finest, finest), mode="bilinear")[
                    0
                ].numpy()
            mean += share * each
        return mean.astype(np.float32)


def _sigmoid(logits: NDArray[np.float64]) -> Float32:
    scores: Float32 = expit(logits).astype(np.float32)
    return scores


AnyClassifier = Classifier | Ensemble
