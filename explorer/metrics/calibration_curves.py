"""Calibration curves, and how each is fitted to one finding's labels and logits, both (n,)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.core.arrays import Floats
from explorer.core.figures import lacking_class
from models.statistics import platt_targets

_ROUNDING = 1e-14  # of a loss: a smaller fall is lost in its rounding


class NoCurve(ValueError):
    """No curve can be fitted to these cases; the message is the reason, in a few words."""


@dataclass(frozen=True, slots=True)
class Sigmoid:
    """sigmoid(slope * x + intercept)."""

    slope: float
    intercept: float

    def __call__(self, x: Floats) -> Floats:
        return sigmoid(self.slope * x + self.intercept)


@dataclass(frozen=True, slots=True)
class PiecewiseLinear:
    """Linear between the knots (x, y), constant outside them."""

    x: tuple[float, ...]
    y: tuple[float, ...]

    def __call__(self, x: Floats) -> Floats:
        return np.interp(x, self.x, self.y)


Curve = Sigmoid | PiecewiseLinear


def curve_from_dict(table: dict[str, Any]) -> Curve:
    """Return the curve with these fields."""
    return Sigmoid(**table) if "slope" in table else PiecewiseLinear(tuple(table["x"]), tuple(table["y"]))


def temperature(labels: Floats, x: Floats) -> Sigmoid:
    """Fit sigmoid(x / T) by maximum likelihood: temperature scaling (Guo et al., ICML 2017, section 4.2).

    Raises NoCurve with one class or one distinct score, if every case is already on the right side of 0 (T would go to
    0), and if no positive T is best.
    """
    _need_two_classes(labels, x)
    signed = np.where(labels == 1, x, -x)
    if signed.sum() <= 0:  # the likelihood falls as 1 / T moves away from 0
        raise NoCurve("no temperature helps: cases on the wrong side of 0.5 outweigh the others")
    if signed.min() >= 0:
        raise NoCurve("every case is on the right side of 0.5, so no temperature is best")
    (slope,) = logistic_coefficients(x[:, None], labels)
    return Sigmoid(float(slope), 0.0)


def platt(labels: Floats, x: Floats) -> Sigmoid:
    """Fit sigmoid(slope * x + intercept) by maximum likelihood: Platt scaling (Adv. in Large Margin Classifiers, 1999).

    The targets are (P + 1) / (P + 2) for P positives and 1 / (N + 2) for N negatives in place of 1 and 0. Raises
    NoCurve with one class or one distinct score, and if the slope is not above 0.
    """
    _need_two_classes(labels, x)
    slope, intercept = logistic_coefficients(np.stack([x, np.ones_like(x)], axis=1), platt_targets(labels == 1))
    if slope <= 0:
        raise NoCurve("scores do not rise with the finding")
    return Sigmoid(float(slope), float(intercept))


def isotonic(labels: Floats, x: Floats) -> PiecewiseLinear:
    """Fit an increasing curve to the labels by least squares: isotonic regression (Zadrozny and Elkan, KDD 2002).

    It is linear between the logits of the fitted scores (so slightly curved between the scores), and constant outside
    them. It reaches 0 or 1, too extreme for any film, if the lowest or highest fitted scores are all of one class.
    Raises NoCurve with one class or one distinct score.
    """
    from sklearn.isotonic import IsotonicRegression  # takes over a second to import, and only fitting needs it

    _need_two_classes(labels, x)
    fitted = IsotonicRegression(y_min=0, y_max=1).fit(x, labels)
    knots = (tuple(float(each) for each in values) for values in (fitted.X_thresholds_, fitted.y_thresholds_))
    return PiecewiseLinear(*knots)


def _need_two_classes(labels: Floats, x: Floats) -> None:
    if lacking := lacking_class(int((labels == 1).sum()), int((labels == 0).sum())):
        raise NoCurve(lacking)
    if x.min() == x.max():
        raise NoCurve("all scores are the same")


def sigmoid(z: Floats) -> Floats:
    """1 / (1 + exp(-z)), without overflow."""
    return np.exp(-np.logaddexp(0, -z))


def logistic_coefficients(columns: Floats, targets: Floats) -> Floats:
    """Return logistic regression coefficients (k,) of targets (n,) in [0, 1] on columns (n, k), by Newton's method.

    The loss is convex with a finite minimum, which the callers ensure. Steps are halved until the loss falls, as in
    Lin, Lin and Weng, Machine Learning 2007; 68: 267-276.
    """
    scale = np.abs(columns).max(axis=0)  # makes the fit independent of the logits' scale
    columns = columns / scale

    def loss(at: Floats) -> float:
        z = columns @ at
        return float(np.sum(np.logaddexp(0, z) - targets * z))

    found, lowest = np.zeros(columns.shape[1]), loss(np.zeros(columns.shape[1]))
    for _ in range(200):
        p = sigmoid(columns @ found)
        gradient = columns.T @ (p - targets)
        hessian = (columns * (p * (1 - p))[:, None]).T @ columns
        step: Floats = np.asarray(np.linalg.lstsq(hessian, gradient, rcond=None)[0], dtype=np.float64)
        if gradient @ step <= _ROUNDING * lowest:
            found = found - step  # so close that the loss no longer shows whether it falls
            break
        size, lowest = _step_size(loss, found, step, lowest)
        if not size:
            break
        found = found - size * step
    coefficients: Floats = found / scale
    return coefficients


def _step_size(loss: Callable[[Floats], float], at: Floats, step: Floats, lowest: float) -> tuple[float, float]:
    """Return the largest of 1, 1/2, 1/4 ... of a step at which the loss falls, and the loss; 0 if none is found."""
    size = 1.0
    while size > 1e-10:
        if (there := loss(at - size * step)) < lowest:
            return size, there
        size /= 2
    return 0.0, lowest
