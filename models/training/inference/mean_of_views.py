"""Mean of views: all films of a study get the mean of its frontal and its other films' mean probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from models.array_types import Bools, Float32, Floating


def mean_of_views(logits: Float32, studies: NDArray[np.str_] | None, lateral: Bools | None) -> Float32:
    """Return the log odds (n, k) of each film's study, from logits (n, k) of films; a film alone keeps its own.

    A study's probability is the mean over its frontal films and the mean over its `lateral` (n,) films, averaged if it
    has both: two frontal films then count as much as one lateral film. `studies` (n,) names the films' studies.

    CXR-LT 2023 T7 (section 3.2.7) has "view-based post-processing" and does not print it. This is what its authors
    print a year later (Yamagishi and Hanaoka, View-Based Aggregation, arXiv 2410.10710, and their public code): the
    mean probability by study and view, then by study.
    """
    if studies is None:
        return logits
    _, study, films = np.unique(studies, return_inverse=True, return_counts=True)
    side = np.zeros(len(logits), dtype=np.int64) if lateral is None else lateral.astype(np.int64)
    view = 2 * study + side
    odds = np.log(_mean(expit(logits.astype(np.float64)), study, view))
    odds -= np.log(_mean(expit(-logits.astype(np.float64)), study, view))
    together: Float32 = np.where((films[study] > 1)[:, None], odds, logits).astype(np.float32)
    return together


def _mean(values: Floating, study: NDArray[np.int64], view: NDArray[np.int64]) -> Floating:
    """Return the mean (n, k), over a study's views, of the mean over a view's films (n, k)."""
    in_view = np.bincount(view, minlength=2 * (int(study.max()) + 1))
    views = (in_view.reshape(-1, 2) > 0).sum(1)
    weights = 1 / (in_view[view] * views[study])
    total = np.zeros((len(views), values.shape[1]))
    np.add.at(total, study, weights[:, None] * values)
    found: Floating = np.maximum(total[study], 1e-30)
    return found
