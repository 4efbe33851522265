"""In-sample, internal, external: the words of centers."""

from __future__ import annotations

from explorer.core.in_sample import OPTIMISTIC, ORIGIN_MEANINGS, ORIGINS, optimistic_centers, origin_words

CENTERS = {"B": "internal", "A": "internal", "NIH": "possibly in-sample", "Own": "in-sample", "Jos": "external"}


def test_centers_are_named_by_word_the_optimistic_ones_first() -> None:
    words = "in-sample at Own, possibly in-sample at NIH, internal at A and B, external at Jos"
    assert origin_words(CENTERS) == words  # type: ignore[arg-type]
    assert origin_words(CENTERS, ["A", "elsewhere"]) == "internal at A"  # type: ignore[arg-type]
    assert origin_words({}) == "" and origin_words(CENTERS, []) == ""  # type: ignore[arg-type]


def test_only_films_that_may_have_been_fitted_on_are_optimistic() -> None:
    assert optimistic_centers(CENTERS) == ["NIH", "Own"]  # type: ignore[arg-type]
    assert set(OPTIMISTIC) < set(ORIGINS) == set(ORIGIN_MEANINGS)
