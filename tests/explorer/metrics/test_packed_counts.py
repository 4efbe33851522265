"""Counts that share a word come out as they went in."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from explorer.metrics.packed_counts import words_of


@given(st.lists(st.lists(st.integers(0, 2**20), min_size=3, max_size=3), min_size=1, max_size=9), st.integers(1, 2**35))
def test_sums_of_words_are_the_sums_of_each_resample(rows: list[list[int]], scale: int) -> None:
    counts = np.array(rows, dtype=np.int64) * scale
    twice = [words.unpack(np.cumsum(words.of_cases) * 2) for words in words_of(counts)]
    assert np.concatenate(twice).tolist() == (np.cumsum(counts, axis=1) * 2.0).tolist()


def test_three_resamples_of_a_challenge_share_a_word_and_five_of_a_small_cohort() -> None:
    for n, fields in ((75_422, 3), (1_000, 5)):
        assert [words.fields for words in words_of(np.ones((fields + 1, n), dtype=np.int64))] == [fields, 1]


def test_two_resamples_of_weighted_cases_share_a_word() -> None:
    weights = np.array([[0.5, 1.5], [0.25, 0.0], [0.1, 0.2]])
    words = list(words_of(weights))
    assert [each.fields for each in words] == [2, 1]
    assert np.concatenate([each.unpack(each.of_cases) for each in words]).tolist() == weights.tolist()
