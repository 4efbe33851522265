"""Uncertain labels under three policies; what is unknown stays unknown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.uncertainty import POLICIES, uncertainty_views
from tests.support.wording import Wording

NAN = np.nan


def test_an_example_worked_by_hand() -> None:
    labels = [[1, 0], [NAN, NAN], [0, NAN], [NAN, 1]]
    uncertain = np.array([[False, False], [True, False], [False, True], [True, False]])
    views = uncertainty_views(labels, uncertain)
    assert tuple(views) == POLICIES == ("ignore", "zeros", "ones")
    np.testing.assert_array_equal(views["ignore"].labels, labels)
    np.testing.assert_array_equal(views["zeros"].labels, [[1, 0], [0, NAN], [0, 0], [0, 1]])
    np.testing.assert_array_equal(views["ones"].labels, [[1, 0], [1, NAN], [0, 1], [1, 1]])
    left = {
        policy: [view.present.tolist(), view.absent.tolist(), view.left_out.tolist()] for policy, view in views.items()
    }
    assert left == {
        "ignore": [[1, 1], [1, 1], [2, 2]],
        "zeros": [[1, 1], [3, 2], [0, 1]],
        "ones": [[3, 2], [1, 1], [0, 1]],
    }


@given(st.lists(st.sampled_from([1.0, 0.0, NAN, -1.0]), min_size=1, max_size=30))
def test_policies_differ_where_a_label_is_uncertain_and_nowhere_else(coded: list[float]) -> None:
    column = np.array(coded)[:, None]
    uncertain = column == -1
    views = uncertainty_views(np.where(uncertain, NAN, column), uncertain)
    for view in views.values():
        np.testing.assert_array_equal(view.labels[~uncertain], column[~uncertain])
        assert view.present + view.absent + view.left_out == len(coded)
    moved = int(uncertain.sum())
    assert views["ones"].present - views["ignore"].present == views["zeros"].absent - views["ignore"].absent == moved
    assert views["ignore"].left_out - views["ones"].left_out == moved


@pytest.mark.parametrize(
    ("labels", "uncertain", "message"),
    [
        ([[1.0]], [[True]], "NaN"),
        ([[-1.0]], [[False]], "neither 1"),
        ([[1.0, 0.0]], [[False]], "do not fit"),
        ([[1.0]], [[0]], "do not fit"),
        ([1.0], [False], "do not fit"),
    ],
)
def test_arrays_that_cannot_be_are_refused(labels: object, uncertain: object, message: str, wording: Wording) -> None:
    with pytest.raises(ValueError) as refused:
        uncertainty_views(labels, uncertain)
    wording(refused.value, message)
