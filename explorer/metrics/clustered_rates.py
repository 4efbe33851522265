"""Rates, their 95 % intervals and their differences in closed form, where films of one patient are not independent.

The variance of a rate k / n is that of a ratio of sums over patients (linearization: Cochran, Sampling Techniques,
1977, section 9A): g / (g - 1) * sum over patients of (k_i - n_i k / n)^2, over n^2. It gives the number of independent
films that would be as informative; the interval is Wilson's for that number (Korn and Graubard, Survey Methodology
1998; 24: 193-201, who use Clopper and Pearson's). `python -m tests.benchmarks.rate_intervals` compares it with others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray

from explorer.core.arrays import Floats
from explorer.core.rates import PatientSums, Rate
from models.array_types import Bools

NORMAL_95 = 1.959964  # standard normal quantile, as in `models.statistics.wilson`
_UPPER = 0.975
_ROUNDING = 1e-9  # of a sum of squares, relative to its largest possible value
_LARGEST_Z, _HALVINGS = 8.0, 30  # p is computed down to 1e-15


@dataclass(frozen=True, slots=True, eq=False)
class RateDifferences:
    """Differences (m,) of two rates with their 95 % intervals and two-sided p; NaN if a rate has no films."""

    value: Floats
    low: Floats
    high: Floats
    p: Floats


@dataclass(frozen=True, slots=True, eq=False)
class RateSums:
    """The sums that determine `s` rates, such as those of several centers or models, and how they vary together.

    `films` (s, 2) counts the films that are hits of each rate, and the others. `products` (s, 2, s, 2) sums over
    patients the product of two such counts of one patient. `patients` (s,) have a film that counts. If films have
    weights, these are summed instead, and `squares` (s,) sums their squares.
    """

    films: NDArray[np.int64] | Floats
    products: Floats
    patients: NDArray[np.int64]
    squares: Floats | None = None

    @classmethod
    def of(cls, hits: Bools, counted: Bools, patients: NDArray[np.int64], weights: Floats | None = None) -> RateSums:
        """Sum over films: `hits` and `counted` (n, s) by rate, each film's patient and its weight (n,), if any."""
        names, numbers = np.unique(patients, return_inverse=True)
        sides = hits.shape[1]
        kinds = np.stack([counted & hits, counted & ~hits], axis=2).reshape(len(patients), 2 * sides)
        counts = np.empty((len(names), kinds.shape[1]))
        for place, kind in enumerate(kinds.T):
            counts[:, place] = np.bincount(numbers[kind], None if weights is None else weights[kind], len(names))
        squares = None if weights is None else np.square(weights) @ counted
        return replace(cls.of_counts(counts.reshape(len(names), sides, 2)), squares=squares)

    @classmethod
    def of_counts(cls, counts: Floats) -> RateSums:
        """Sum over patients: `counts` (patients, s, 2) has each one's films that are hits of a rate, and the others."""
        patients, sides, _ = counts.shape
        flat = counts.reshape(patients, 2 * sides)
        return cls(
            counts.sum(axis=0),
            (flat.T @ flat).reshape(sides, 2, sides, 2),
            (counts.sum(axis=2) > 0).sum(axis=0),
        )

    @property
    def values(self) -> Floats:
        """The rates (s,); NaN without films."""
        n = self.films.sum(axis=1)
        found: Floats = np.divide(self.films[:, 0], n, out=np.full(len(n), np.nan), where=n > 0)
        return found

    @property
    def residuals(self) -> Floats:
        """Sums over patients of products of what two rates leave over there, k_i - n_i k / n, (s, s)."""
        pulls = np.stack([1 - self.values, -self.values], axis=1)
        found: Floats = np.einsum("ia,iajb,jb->ij", pulls, self.products, pulls)
        return found

    @property
    def effective(self) -> Floats:
        """The number of independent films (s,) that are as informative as these: between patients and films.

        Student's t replaces the normal quantile, because one patient with many films makes the variance itself
        uncertain. Its degrees of freedom are those of Kish's number of patients, squared films over the sum of the
        patients' squared films, which is also the least possible: all films of a patient would be alike. Where all
        films agree the variance is unknown, and each patient counts once.
        """
        total, value, patients = (
            self.films.sum(axis=1).astype(np.float64),
            self.values,
            self.patients.astype(np.float64),
        )
        every = range(len(total))
        alike = self.products.sum(axis=(1, 3))[every, every]  # sum of squared films per patient
        squares = self.residuals[every, every]
        with np.errstate(divide="ignore", invalid="ignore"):
            n = total if self.squares is None else total**2 / self.squares  # Kish's number of films
            films = total**2 * n / (n - 1) * value * (1 - value) * (patients - 1) / (patients * squares)
            least = total**2 / alike
            shrunk = np.minimum(films, n) * (_student(n - 1) / _student(least - 1)) ** 2
        known = (squares > _ROUNDING * alike) & (patients > 1)
        found = np.where(known, np.maximum(shrunk, least), np.minimum(patients, n))
        effective: Floats = np.where(least > n * (1 - _ROUNDING), n, found)
        return effective

    def rate(self, side: int = 0) -> Rate:
        """Return one rate."""
        hits, rest = (int(films) for films in self.films[side])
        effective = float(self.effective[side])
        return Rate(hits, hits + rest, None if effective == hits + rest else effective)

    def differences(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> RateDifferences:
        """Return the rates `first` (m,) minus the rates `second` (m,)."""
        every = np.arange(len(self.films))
        return self.combined((first[:, None] == every) - (second[:, None] == every).astype(np.float64))

    def combined(self, weights: Floats) -> RateDifferences:
        """Return sums of the rates times `weights` (m, s), such as differences, means and differences of means.

        p is the level at which an interval like those of `limits` would touch 0.
        """
        mixed = self._mixed(weights)
        low, high = mixed.limits
        ends, sign = (np.zeros(len(low)), np.full(len(low), _LARGEST_Z)), np.where(mixed.value < 0, 1, -1)
        for _ in range(_HALVINGS):
            middle = (ends[0] + ends[1]) / 2
            apart = np.abs(mixed.value) > mixed.reach(middle, sign)  # the limit next to 0
            ends = np.where(apart, middle, ends[0]), np.where(apart, ends[1], middle)
        found = mixed.value, scipy.special.erfc(ends[0] / np.sqrt(2))
        value, p = (np.where(mixed.undefined, np.nan, each) for each in found)
        return RateDifferences(value, low, high, p)

    def limits(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the 95 % limits (low, high) of sums of the rates times `weights` (m, s); NaN if a rate has no films.

        They come by the method of variance estimates recovery from all rates' intervals (MOVER: Zou and Donner,
        Statistics in Medicine 2008; 27: 1693-1702), with the correlation over patients, so they suit rates of disjoint
        films, of shared patients and of the same films.
        """
        return self._mixed(weights).limits

    def _mixed(self, weights: Floats) -> _Combinations:
        residuals = self.residuals
        sizes = np.sqrt(np.maximum(0, np.diag(residuals)))
        spread = np.outer(sizes, sizes)
        together = np.clip(np.divide(residuals, spread, out=np.eye(len(sizes)), where=spread > _ROUNDING), -1, 1)
        alike = (together > 1 - _ROUNDING) & (self.values[:, None] == self.values)
        np.fill_diagonal(alike, True)
        # The same rate twice counts once, so that a difference of identical calls is exactly 0.
        merged = weights @ np.eye(len(sizes))[alike.argmax(axis=1)]
        undefined = (weights[:, np.isnan(self.values)] != 0).any(axis=1)
        values = np.where(np.isnan(self.values), 0, self.values)
        return _Combinations(merged, values, self.effective, together, undefined)


@dataclass(frozen=True, slots=True, eq=False)
class _Combinations:
    """Sums of rates (s,) times `weights` (m, s), with the rates' numbers of independent films and correlations.

    `undefined` (m,) are those with a rate without films.
    """

    weights: Floats
    values: Floats
    films: Floats
    together: Floats
    undefined: Bools

    @property
    def limits(self) -> tuple[Floats, Floats]:
        low, high = self.value - self.reach(NORMAL_95, -1), self.value + self.reach(NORMAL_95, 1)
        return np.where(self.undefined, np.nan, low), np.where(self.undefined, np.nan, high)

    @property
    def value(self) -> Floats:
        found: Floats = self.weights @ self.values
        return found

    def reach(self, z: float | Floats, sign: int | NDArray[np.int64]) -> Floats:
        """Return how far the limits (m,) below (`sign` -1) or above (1) are from the sums."""
        below, above = wilson_bounds(self.values, self.films, np.reshape(z, (-1, 1)))
        upward = self.weights * np.reshape(sign, (-1, 1)) > 0
        steps = self.weights * np.where(upward, above - self.values, self.values - below)
        steps = np.where(self.weights == 0, 0, steps)
        found: Floats = np.sqrt(np.maximum(0, ((steps @ self.together) * steps).sum(axis=1)))
        return found


def clustered_rate(hits: Bools, patients: NDArray[np.int64]) -> Rate:
    """Return the rate of `hits` (n,) among films of these patients (n,)."""
    return RateSums.of(hits[:, None], np.ones((len(hits), 1), dtype=np.bool_), patients).rate()


def rate_of_sums(sums: PatientSums) -> Rate:
    """Return the rate with these sums over patients."""
    hits, rest, squared, mixed, rest_squared, patients = sums
    products = np.array([squared, mixed, mixed, rest_squared], dtype=np.float64).reshape(1, 2, 1, 2)
    return RateSums(np.array([[hits, rest]]), products, np.array([patients])).rate()


def wilson_bounds(value: Floats, films: Floats, z: float | Floats = NORMAL_95) -> tuple[Floats, Floats]:
    """Return Wilson's limits (low, high) of rates for these numbers of independent films."""
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.square(z) / films
        center = (value + spread / 2) / (1 + spread)
        half = np.sqrt(value * (1 - value) * spread + spread**2 / 4) / (1 + spread)
    return np.maximum(0, center - half), np.minimum(1, center + half)


def _student(freedom: Floats) -> Floats:
    """Return Student's quantiles of a 95 % interval; below one degree of freedom, those of one."""
    found: Floats = scipy.special.stdtrit(np.maximum(freedom, 1), _UPPER)
    return found
