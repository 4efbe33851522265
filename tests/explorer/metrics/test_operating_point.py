"""Counts at a threshold are those of the metrics, ready for PPV and NPV."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.rates import Rate
from explorer.metrics.metrics import sensitivity, specificity
from explorer.metrics.operating_point import rates_at
from explorer.metrics.predictive_values import predictive_values
from tests.support.arrays import Cases, cases

NAN = np.nan


def test_an_example_worked_by_hand() -> None:
    labels = [[1, 1], [1, 0], [0, NAN], [0, 0], [NAN, 1]]
    scores = [[0.9, 0.3], [0.4, 0.5], [0.5, 0.9], [0.1, 0.2], [0.9, 0.5]]
    points = rates_at(labels, scores, 0.5)
    assert points == ((Rate(1, 2), Rate(1, 2)), (Rate(1, 2), Rate(1, 2)))
    assert rates_at(labels, scores, np.array([0.1, NAN])) == ((Rate(2, 2), Rate(0, 2)), (Rate(0, 0), Rate(0, 0)))
    values = predictive_values(*points[0], prevalence=0.2)
    assert values.ppv is not None and values.ppv.value == pytest.approx(0.2)


@given(drawn=cases(), threshold=st.sampled_from([0.0, 0.2, 0.5, 1.0]))
def test_rates_are_the_metrics(drawn: Cases, threshold: float) -> None:
    points = rates_at(drawn.labels, drawn.scores, threshold)
    for place, metric in enumerate((sensitivity, specificity)):
        values = [NAN if point[place].value is None else point[place].value for point in points]
        expected = metric(drawn.labels, drawn.scores, threshold=threshold)
        assert values == pytest.approx(expected.tolist(), nan_ok=True)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="one for each of the 1 findings"):
        rates_at([[1], [0]], [[0.2], [0.1]], np.array([0.5, 0.5]))
    with pytest.raises(ValueError, match="finite score"):
        rates_at([[1]], [[NAN]])
