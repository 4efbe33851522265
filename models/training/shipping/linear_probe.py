"""A linear probe: logistic regression on the frozen features of a network pretrained on other films.

With few films it may rank better than the same network fine-tuned on them, because its features cannot overfit (Kumar
et al., Fine-tuning can distort pretrained features and underperform out-of-distribution, ICLR 2022, section 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from torch import Tensor, nn

from models.classifier.backbone import Backbone
from models.training.films import TrainingFilms
from models.training.network import started_backbone
from models.training.recipe import TrainingRecipe
from models.training.trained import pooled_features
from models.training.trainer import AfterEpoch

CONSTANT = 1e-5  # deviation of a feature that says nothing: that of rounding would be taken for a difference


@dataclass(frozen=True, slots=True, eq=False)
class LinearLayer:
    """Weights (k, d) and biases (k,) for pooled features, and the mean log loss of the fit."""

    weight: NDArray[np.float64]
    bias: NDArray[np.float64]
    loss: float

    def logits(self, pooled: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return logits (n, k) of features (n, d)."""
        logits: NDArray[np.float32] = (pooled @ self.weight.T + self.bias).astype(np.float32)
        return logits


def fit_layer(pooled: NDArray[np.floating], labels: NDArray[np.float32], inverse_penalty: float) -> LinearLayer:
    """Fit a layer to features (n, d) and labels (n, k) by logistic regression.

    Features are standardized for the fit, and the returned weights undo that; a constant feature has no weight. A
    finding that all films or none have gets a constant logit.
    """
    exact = pooled.astype(np.float64)
    mean, deviation = exact.mean(0), exact.std(0)
    deviation[deviation < CONSTANT] = np.inf  # its weight is 0
    standard = (exact - mean) / deviation
    fitted = [_fit(standard, present > 0.5, inverse_penalty) for present in labels.T]
    weight = np.stack([coefficients for coefficients, _, _ in fitted]) / deviation
    bias = np.array([intercept for _, intercept, _ in fitted]) - weight @ mean
    return LinearLayer(weight, bias, float(np.mean([loss for _, _, loss in fitted])))


def _fit(
    standard: NDArray[np.float64], present: NDArray[np.bool_], inverse_penalty: float
) -> tuple[NDArray[np.float64], float, float]:
    """Return coefficients (d,), intercept and mean loss."""
    share = float(present.mean())
    if share in (0, 1):
        return np.zeros(standard.shape[1]), float(np.log((share + 1e-6) / (1 - share + 1e-6))), 0.0
    fitted = LogisticRegression(C=inverse_penalty, max_iter=1000).fit(standard, present)
    loss = log_loss(present, fitted.predict_proba(standard)[:, 1])
    return fitted.coef_[0], float(fitted.intercept_[0]), float(loss)


def fit_probe(
    films: TrainingFilms,
    rows: NDArray[np.int64],
    recipe: TrainingRecipe,
    state: dict[str, Tensor],
    seed: int,
    after_epoch: AfterEpoch,
    last: int | None = None,
    *,
    inverse_penalties: Sequence[float],
) -> nn.Module:
    """Fit the last layer on `rows` of `films` with each inverse penalty in turn; `state` gives all other layers.

    `after_epoch` is called with the penalty's number from 1 on, the network and its mean log loss, as the trainer does
    after an epoch; `last` fits only the penalty with that number. The fit is deterministic, whatever the `seed`.

    Returns the last network, whose outputs are the findings.
    """
    labels = films.labels[rows]
    network = started_backbone(recipe, labels.shape[1], state).eval().requires_grad_(False)
    pooled = pooled_features(Backbone(network), films.pixels[rows])
    linear = cast(nn.Linear, cast(Any, network).get_classifier())
    for number, inverse_penalty in enumerate(inverse_penalties, start=1):
        if last in (None, number):
            layer = fit_layer(pooled, labels, inverse_penalty)
            linear.weight.copy_(torch.from_numpy(layer.weight))
            linear.bias.copy_(torch.from_numpy(layer.bias))
            after_epoch(number, network, layer.loss)
    return network
