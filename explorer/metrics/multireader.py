"""Readers and models on the same cases: mean AUROC and its differences, for these readers or for readers like them.

Obuchowski and Rockette, Communications in Statistics 1995; 24: 285-308: a two-way analysis of variance of each reader's
AUROC in each modality, whose errors are correlated because all read the same cases. The covariances are DeLong's;
degrees of freedom are Hillis' (Statistics in Medicine 2007; 26: 596-619). One modality can be a model, which each
reader is compared with (Chakraborty, Observer Performance Methods for Diagnostic Imaging, CRC 2017, chapter 22).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from explorer.core.arrays import Floats
from explorer.metrics.delong import delong

Readers = Literal["random", "fixed"]  # like them: the population they are from; fixed: these readers alone


@dataclass(frozen=True, slots=True)
class MeanArea:
    """A mean AUROC over readers, or a difference of two, with its 95 % interval.

    `error` is the standard error, `freedom` the degrees of freedom, infinite for fixed readers; `p` tests a difference
    of 0 and is NaN for a mean. All are NaN if undefined.
    """

    value: float
    low: float
    high: float
    error: float
    freedom: float
    p: float = float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Multireader:
    """AUROC (modalities, readers) on the same cases, and the covariance (m * r, m * r) of its errors."""

    areas: Floats
    covariance: Floats

    @property
    def error_variance(self) -> float:
        """The mean error variance of a reader's AUROC in a modality."""
        return float(np.diagonal(self.covariance).mean())

    @property
    def covariances(self) -> tuple[float, float, float]:
        """Mean error covariances: of one reader in two modalities, of two readers in one, and of two in two.

        NaN where there are none.
        """
        modality, reader = (each.ravel() for each in np.indices(self.areas.shape))
        same_modality, same_reader = (each[:, None] == each[None] for each in (modality, reader))
        return (
            _mean_where(self.covariance, ~same_modality & same_reader),
            _mean_where(self.covariance, same_modality & ~same_reader),
            _mean_where(self.covariance, ~same_modality & ~same_reader),
        )

    @property
    def mean_squares(self) -> tuple[float, float, float]:
        """Mean squares of modalities, of readers, and of their interaction; NaN where there is one of them."""
        (modalities, readers), areas = self.areas.shape, self.areas
        by_modality, by_reader, whole = areas.mean(1), areas.mean(0), areas.mean()
        rest = areas - by_modality[:, None] - by_reader[None] + whole
        squares = readers * ((by_modality - whole) ** 2).sum(), modalities * ((by_reader - whole) ** 2).sum()
        return (
            _over(float(squares[0]), modalities - 1),
            _over(float(squares[1]), readers - 1),
            _over(float((rest**2).sum()), (modalities - 1) * (readers - 1)),
        )

    def mean(self, modality: int, readers: Readers = "random") -> MeanArea:
        """Return a modality's mean AUROC over readers, from this modality alone."""
        return replace(self._one(modality).difference_from_zero(readers), p=float("nan"))

    def difference(self, one: int, other: int, readers: Readers = "random") -> MeanArea:
        """Return modality `one`'s mean AUROC minus that of `other`; the error is estimated from all modalities."""
        value, count = float(self.areas[one].mean() - self.areas[other].mean()), self.areas.shape[1]
        first, second, third = self.covariances
        shared = count * max(second - third, 0) if count > 1 else 0.0
        if readers == "fixed":
            spread = self.error_variance - first + (shared * (count - 1) / count)
            return _tested(value, 2 / count * spread, np.inf)
        _, _, interaction = self.mean_squares
        spread = interaction + shared
        return _tested(value, 2 / count * spread, self._freedom(spread, interaction))

    def equality(self) -> tuple[float, float, float, float]:
        """Return F, its two degrees of freedom, and p of the test that all modalities are equal, for random readers."""
        between, _, interaction = self.mean_squares
        _, second, third = self.covariances
        spread = interaction + self.areas.shape[1] * max(second - third, 0)
        first, freedom = self.areas.shape[0] - 1, self._freedom(spread, interaction)
        ratio = between / spread if spread > 0 else float("nan")
        return ratio, float(first), freedom, float(scipy.stats.f.sf(ratio, first, freedom))

    def _freedom(self, spread: float, interaction: float) -> float:
        modalities, readers = self.areas.shape
        if not interaction > 0:
            return float("inf") if interaction == 0 else float("nan")
        return float(spread**2 / (interaction**2 / ((modalities - 1) * (readers - 1))))

    def _one(self, modality: int) -> _OneModality:
        readers = self.areas.shape[1]
        mine = slice(modality * readers, (modality + 1) * readers)
        return _OneModality(self.areas[modality], self.covariance[mine, mine])


@dataclass(frozen=True, slots=True, eq=False)
class _OneModality:
    """Values (readers,) of one kind, such as the AUROC of each reader minus a model's, and their covariance."""

    values: Floats
    covariance: Floats

    def difference_from_zero(self, readers: Readers) -> MeanArea:
        value, count = float(self.values.mean()), len(self.values)
        if readers == "fixed":
            return _tested(value, float(self.covariance.mean()), np.inf)
        square = _over(float(((self.values - value) ** 2).sum()), count - 1)
        spread = square + count * max(_mean_where(self.covariance, ~np.eye(count, dtype=bool)), 0)
        freedom = spread**2 / (square**2 / (count - 1)) if square > 0 else float("inf" if square == 0 else "nan")
        return _tested(value, spread / count, freedom)


def multireader(truth: npt.ArrayLike, ratings: npt.ArrayLike) -> Multireader:
    """Return the AUROC of readers in modalities, from the truth (n,) of cases and ratings (modalities, readers, n).

    Every reader reads every case in every modality. Raises ValueError if the shapes differ or a rating is NaN.
    """
    every = np.asarray(ratings, dtype=np.float64)
    if every.ndim != 3:
        raise ValueError(f"Ratings must be (modalities, readers, cases). They are {every.shape}.")
    found = delong(truth, every.reshape(-1, every.shape[2]))
    return Multireader(found.areas.reshape(every.shape[:2]), found.covariance)


def readers_against_model(
    truth: npt.ArrayLike, ratings: npt.ArrayLike, model: npt.ArrayLike, readers: Readers = "random"
) -> MeanArea:
    """Return the model's AUROC minus the mean of the readers', from ratings (readers, n) and the model's scores (n,).

    Raises ValueError if the shapes differ or a rating is NaN.
    """
    every = np.asarray(ratings, dtype=np.float64)
    found = delong(truth, np.concatenate([np.asarray(model, dtype=np.float64)[None], every]))
    to_model = np.hstack([np.ones((len(every), 1)), -np.eye(len(every))])
    return _OneModality(to_model @ found.areas, to_model @ found.covariance @ to_model.T).difference_from_zero(readers)


def _tested(value: float, variance: float, freedom: float) -> MeanArea:
    error = float(np.sqrt(variance)) if variance >= 0 else float("nan")
    reach = float(scipy.stats.t.ppf(0.975, freedom)) * error
    p = float(2 * scipy.stats.t.sf(abs(value) / error, freedom)) if error > 0 else float("nan")
    return MeanArea(value, value - reach, value + reach, error, float(freedom), p)


def _mean_where(covariance: Floats, wanted: npt.NDArray[np.bool_]) -> float:
    return float(covariance[wanted].mean()) if wanted.any() else float("nan")


def _over(square: float, freedom: int) -> float:
    return square / freedom if freedom else float("nan")
