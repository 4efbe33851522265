"""Calibration: turns scores into probabilities by a curve fitted on other cases.

Temperature and Platt scaling are sigmoid(slope * logit + intercept); isotonic regression is an increasing
piecewise-linear curve. The last two reproduce the prevalence of the cases they were fitted on; `prior_shift` moves
them to another. Temperature scaling has no intercept, so its mean need not match the prevalence, and it cannot be
moved. Reliability bins are in `reliability.py`, PPV and NPV at a prevalence in `predictive_values.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from explorer.core.arrays import Floats, checked_arrays, checked_fractions
from explorer.metrics.calibration_curves import Curve, NoCurve, curve_from_dict, isotonic, platt, sigmoid, temperature
from explorer.metrics.leakage import FittedOn, named_columns

Method = Literal["temperature", "platt", "isotonic"]
Scale = Literal["score", "logit"]

_FITS: dict[Method, Callable[[Floats, Floats], Curve]] = {
    "temperature": temperature,
    "platt": platt,
    "isotonic": isotonic,
}
# Scores are clipped to this range, because a logit must be finite. A 32-bit sigmoid rounds to 1 near the upper end.
# Near 0 it keeps order and distance, but a score that a file rounded to 0 must not pull a fit with a logit of -87.
_LOWEST, _HIGHEST = 1e-12, 1 - 1e-7


@dataclass(frozen=True, slots=True)
class FindingCurve:
    """One finding's curve, or None with the reason; `positives` and `negatives` count the cases of the fit."""

    finding: str
    curve: Curve | None
    reason: str | None
    positives: int
    negatives: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """A curve per finding, the cases of the fit, and whether it uses scores in [0, 1] or logits."""

    method: Method
    scale: Scale
    curves: tuple[FindingCurve, ...]
    fitted_on: FittedOn

    @property
    def prevalences(self) -> Floats:
        """Share of positives (findings,) among the cases of the fit, the prevalence that the curve reproduces.

        NaN without a curve, and for temperature scaling, which reproduces no particular prevalence.
        """
        known = [each.curve is not None and self.method != "temperature" for each in self.curves]
        shares = [each.positives / max(1, each.positives + each.negatives) for each in self.curves]
        return np.where(known, shares, np.nan)

    def apply(self, values: ArrayLike, case_ids: Sequence[object]) -> Floats:
        """Return probabilities (n, findings) for scores or logits of cases; NaN for a finding without a curve.

        Raises SameCases if any of the cases was used for the fit, ValueError if a value is infinite or not on the scale
        of the fit, or if the number of ids does not match.
        """
        given = np.asarray(values, dtype=np.float64)
        x = logits(checked_arrays(np.full(given.shape, np.nan), given)[1], self.scale)
        if len(case_ids) != len(x):
            raise ValueError(f"There are {len(case_ids)} ids for {len(x)} cases. Give one id per case.")
        self.fitted_on.refuse(f"The calibration ({self.method})", case_ids)
        probabilities = np.full(x.shape, np.nan)
        for k, _ in named_columns([each.finding for each in self.curves], x):
            if (curve := self.curves[k].curve) is not None:
                probabilities[:, k] = curve(x[:, k])
        return probabilities

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON; `from_dict` reads it back."""
        curves = [asdict(each) for each in self.curves]
        return {"method": self.method, "scale": self.scale, "curves": curves, "fitted_on": self.fitted_on.to_dict()}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Calibration:
        """Return the calibration that `to_dict` wrote."""
        curves = (
            FindingCurve(**{**each, "curve": curve_from_dict(each["curve"]) if each["curve"] else None})
            for each in table["curves"]
        )
        return cls(table["method"], table["scale"], tuple(curves), FittedOn.from_dict(table["fitted_on"]))


def fit_calibration(
    method: Method,
    labels: ArrayLike,
    values: ArrayLike,
    findings: Sequence[str],
    *,
    cohort: str,
    case_ids: Sequence[object],
    scale: Scale = "score",
) -> Calibration:
    """Fit a curve for each finding.

    `labels` (n, findings): 1 present, 0 absent, NaN unknown (ignored). `values` (n, findings): scores in [0, 1], or
    with `scale="logit"` any finite numbers that increase with the finding. `case_ids` (n,), of films or patients, see
    `FittedOn`. A finding with only one class has no curve. Raises ValueError if shapes or values do not fit.
    """
    truth, given = checked_arrays(labels, values)
    x = logits(given, scale)
    curves = tuple(_fit(method, name, truth[:, k], x[:, k]) for k, name in named_columns(findings, truth))
    return Calibration(method, scale, curves, FittedOn.of(cohort, case_ids, len(truth)))


def fit_curve(method: Method, labels: Floats, values: Floats, scale: Scale) -> Curve:
    """Fit one finding's curve to labels (n,), 1 or 0, and values (n,) as for `fit_calibration`; it takes logits.

    It does not know the cases of the fit: the caller keeps them apart. Raises NoCurve.
    """
    return _FITS[method](labels, logits(values, scale))


def prior_shift(probabilities: ArrayLike, fitted: ArrayLike, stated: ArrayLike) -> Floats:
    """Move calibrated probabilities from the prevalence they were fitted at to another.

    logit p' = logit p + logit s - logit f, where f is the fitted and s the stated prevalence. Valid if films with the
    finding look alike at both sites, and films without it too (Saerens, Latinne and Decaestecker, Neural Computation
    2002; 14: 21-41, section 2, for a known new prevalence). `probabilities` (n, findings), NaN stays NaN; `fitted` and
    `stated` (findings,) or one number, in (0, 1). Raises ValueError for other values, and for a probability without a
    fitted or stated prevalence, as after temperature scaling.
    """
    p, old, new = (np.asarray(each, dtype=np.float64) for each in (probabilities, fitted, stated))
    for prevalence in (old, new):
        if ((prevalence <= 0) | (prevalence >= 1)).any():
            raise ValueError("A prevalence lies strictly between 0 and 1. Give the share of films with the finding.")
    if ((p < 0) | (p > 1)).any():
        raise ValueError("A probability lies in [0, 1]. Calibrate the scores first.")
    if (~np.isnan(p) & (np.isnan(old) | np.isnan(new))).any():
        raise ValueError(
            "A probability has no fitted or stated prevalence. Temperature scaling has no intercept and reproduces no "
            "particular prevalence: fit Platt scaling or isotonic regression instead."
        )
    with np.errstate(divide="ignore", invalid="ignore"):  # 0, 1 and NaN map to themselves
        return sigmoid(_logit(p) + _logit(new) - _logit(old))


def logits(values: Floats, scale: Scale) -> Floats:
    """Return values as the logits that curves take; scores very close to 0 or 1 are moved away from them."""
    if scale == "logit":
        return values
    near = np.clip(checked_fractions(values, "A calibration of scores"), _LOWEST, _HIGHEST)
    return _logit(near)


def _logit(p: Floats) -> Floats:
    logits: Floats = np.log(p) - np.log1p(-p)
    return logits


def _fit(method: Method, finding: str, labels: Floats, x: Floats) -> FindingCurve:
    known = ~np.isnan(labels)
    labels, x = labels[known], x[known]
    positives, negatives = int((labels == 1).sum()), int((labels == 0).sum())
    try:
        return FindingCurve(finding, _FITS[method](labels, x), None, positives, negatives)
    except NoCurve as error:
        return FindingCurve(finding, None, str(error), positives, negatives)
