"""Counts correctly ranked pairs of films in any resample without ranking them again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class RankedPairs:
    """Columns of scores, each sorted once within each folder's films."""

    def __init__(
        self, labels: NDArray[np.floating], scores: NDArray[np.floating], folders: NDArray[np.generic]
    ) -> None:
        """Labels and scores are (n, columns); only pairs of films from the same folder (n,) count."""
        names, codes = np.unique(folders, return_inverse=True)
        self._films, self._columns = scores.shape
        order = np.stack([np.lexsort((column, codes)) for column in scores.T])  # (columns, n): by folder, then score
        parts = codes[order] + len(names) * np.arange(self._columns)[:, None]  # one number per column and folder
        ordered = np.take_along_axis(scores.T, order, axis=1).ravel()
        present = np.take_along_axis(labels.T, order, axis=1).ravel() > 0.5
        self._order, self._negative, parts = order.ravel(), ~present, parts.ravel()
        new = np.append(True, (np.diff(ordered) != 0) | (np.diff(parts) != 0))  # the first of each tie
        ties = np.append(np.flatnonzero(new), len(parts))
        self._starts = np.searchsorted(parts, np.arange(len(names) * self._columns + 1))
        self._positive = np.flatnonzero(present)
        tie = np.cumsum(new)[self._positive] - 1
        self._below, self._above, self._part = ties[tie], ties[tie + 1], parts[self._positive]

    def auroc(self, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """Return the share of correctly ranked pairs per column (columns,), of the drawn films or all; ties count half.

        NaN if there is no pair of one film with and one without the finding. Counts of pairs are multiples of one half,
        so the order of summation does not change the result.
        """
        times = np.ones(self._films, dtype=np.intp) if rows is None else np.bincount(rows, minlength=self._films)
        drawn = times[self._order]
        negatives = np.append(0, np.cumsum(drawn * self._negative))  # counted before each position
        positives = drawn[self._positive]
        lower = (negatives[self._below] + negatives[self._above]) / 2 - negatives[self._starts[self._part]]
        right = self._by_part(positives * lower).sum(axis=1)
        of_part = np.diff(negatives[self._starts]).reshape(self._columns, -1)
        pairs = (self._by_part(positives) * of_part).sum(axis=1)
        shares: NDArray[np.float64] = np.divide(right, pairs, out=np.full(self._columns, np.nan), where=pairs > 0)
        return shares

    def _by_part(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """Return sums over the positives of each column and folder (columns, folders)."""
        sums = np.bincount(self._part, values, minlength=len(self._starts) - 1).astype(np.float64)
        return sums.reshape(self._columns, -1)
