"""Films of a study get one score: the mean of its views' mean probabilities."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from models.training.inference.mean_of_views import mean_of_views

STUDIES = np.array(["b", "a", "b", "a", "b"])
LATERAL = np.array([False, False, True, False, False])
SCORES = np.array([[0.2], [0.5], [0.9], [0.7], [0.4]], np.float32)


def test_two_frontal_films_count_as_much_as_one_lateral_film() -> None:
    """Study b: frontal 0.2 and 0.4, lateral 0.9: (0.3 + 0.9) / 2 = 0.6. Study a: 0.5 and 0.7, both frontal: 0.6."""
    found = expit(mean_of_views(logit(SCORES), STUDIES, LATERAL))
    np.testing.assert_allclose(found[:, 0], [0.6] * 5, rtol=1e-6)
    without = expit(mean_of_views(logit(SCORES), STUDIES, None))
    np.testing.assert_allclose(without[:, 0], [0.5, 0.6, 0.5, 0.6, 0.5], rtol=1e-6)


def test_films_that_are_alone_keep_their_scores() -> None:
    logits = np.array([[200.0, -3.0], [-200.0, 0.1]], np.float32)
    assert np.array_equal(mean_of_views(logits, np.array(["x", "y"]), None), logits)
    assert np.array_equal(mean_of_views(logits, None, None), logits)
    together = mean_of_views(logits, np.array(["x", "x"]), None)
    assert np.isfinite(together).all() and abs(together[0, 0]) < 1e-6, "the mean of 1 and 0 is even odds"
