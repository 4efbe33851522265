"""The labels that a recipe trains on, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.workshop.lab.recipe_labels import keep_shares, settle_uncertain, teach

NAN = np.nan
LABELS = np.array([[1, 0], [0, NAN], [1, 1]], np.float32)
UNCERTAIN = np.array([[True, False], [False, True], [False, False]])


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("", LABELS),
        ("ones", [[1, 0], [0, 1], [1, 1]]),
        ("zeros", [[0, 0], [0, 0], [1, 1]]),
        ("ignore", [[NAN, 0], [0, NAN], [1, 1]]),
        ("self-trained", [[NAN, 0], [0, NAN], [1, 1]]),
        ("three-class", [[NAN, 0], [0, NAN], [1, 1]]),
    ],
)
def test_a_policy_settles_what_is_uncertain(policy: str, expected: list[list[float]]) -> None:
    np.testing.assert_array_equal(settle_uncertain(LABELS, UNCERTAIN, policy), np.array(expected, np.float32))


def test_films_without_an_uncertain_label_are_refused() -> None:
    for uncertain in (None, np.zeros_like(UNCERTAIN)):
        with pytest.raises(ValueError, match="No label of these films is uncertain"):
            settle_uncertain(LABELS, uncertain, "ones")


def test_findings_are_kept_by_their_share() -> None:
    prevalence = np.array([0.02, 0.5], np.float32)
    np.testing.assert_array_equal(keep_shares(LABELS, prevalence, (0.0, 0.1))[:, 1], [NAN] * 3)
    np.testing.assert_array_equal(keep_shares(LABELS, prevalence, (0.1, 1.0))[:, 0], [NAN] * 3)
    np.testing.assert_array_equal(keep_shares(LABELS, np.array([0.3, 1.0], np.float32), (0.2, 1.0)), LABELS)
    with pytest.raises(ValueError, match="No finding is on 60 % to 70 %"):
        keep_shares(LABELS, prevalence, (0.6, 0.7))


def test_a_teacher_gives_probabilities() -> None:
    found = teach(LABELS, UNCERTAIN, np.log(np.array([[3, 9], [9, 1 / 4], [9, 9]], np.float32)))
    np.testing.assert_allclose(found, [[0.75, 0], [0, 0.2], [1, 1]], rtol=1e-6)
