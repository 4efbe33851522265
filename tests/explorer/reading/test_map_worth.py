"""What is said of a finding's heat maps follows from the counts of the model's card."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.stats import binomtest

from explorer.reading.finding_json import map_payload
from explorer.reading.map_worth import (
    brief_map_words,
    map_accuracy,
    map_unit,
    map_words,
    method_words,
    similar_maps_words,
)
from models.cards.heat_method import HeatMethod
from models.cards.map_card import MapCard, MapHits
from models.statistics import wilson
from tests.support.wording import Wording, line_with

METHOD = HeatMethod("HiResCAM", ("blocks.2", "blocks.4"), 192, contrastive=True)
CARD = MapCard(METHOD, 0.5, "others", "100 test films", 0.1, MapHits(15, 30, 9, 6), {"Mass": MapHits(18, 30, 9, 8)})


def test_a_map_that_beats_the_usual_place_is_shown_with_both_counts(wording: Wording) -> None:
    worth = map_accuracy(CARD, "Mass")
    low, high = wilson(18, 30)
    assert worth is not None and worth.shown
    rate = f"60 % [{100 * low:.0f}\u2013{100 * high:.0f}]"
    wording(map_words(worth, "Mass"), "Mass", "18 of 30 hits", rate, "9", "30 %", "100 test")
    wording(brief_map_words(worth), rate, "30 hits", "30 %")


@pytest.mark.parametrize(("usual", "both"), [(15, 15), (20, 10), (14, 12), (9, 3), (12, 12), (15, 0)])
def test_one_that_may_not_is_not_shown_and_says_why(usual: int, both: int, wording: Wording) -> None:
    worth = map_accuracy(replace(CARD, findings={"Mass": MapHits(15, 30, usual, both)}), "Mass")
    assert worth is not None and not worth.shown
    words = "A map of Mass may be no better than its usual place. It points to it in 15 of 30 hits"
    assert map_words(worth, "Mass").startswith(words)
    wording(line_with(map_words(worth, "Mass"), usual))


@pytest.mark.parametrize("map_alone", range(13))
@pytest.mark.parametrize("usual_alone", range(6))
def test_a_map_is_shown_where_the_sign_test_says_that_it_is_better(map_alone: int, usual_alone: int) -> None:
    counts = MapHits(map_alone + 3, 40, usual_alone + 3, 3)
    worth = map_accuracy(replace(CARD, findings={"Mass": counts}), "Mass")
    n = map_alone + usual_alone
    better = n > 0 and bool(binomtest(map_alone, n, alternative="greater").pvalue <= 0.025)
    assert worth is not None and worth.shown is better


@pytest.mark.parametrize(("card", "n"), [(CARD, 0), (replace(CARD, findings={"Hernia": MapHits(9, 9, 0, 0)}), 9)])
def test_what_was_measured_on_too_few_is_not_known(card: MapCard, n: int, wording: Wording) -> None:
    worth = map_accuracy(card, "Hernia")
    assert worth is not None and worth.shown is None
    wording(map_words(worth, "Hernia"), "10 hits", n, "100 test")
    wording(brief_map_words(worth), n)


def test_what_was_never_measured_is_not_called_measured_on_too_few(wording: Wording) -> None:
    assert map_accuracy(None, "Hernia") is None
    answer = map_payload(None, "Hernia")
    assert (answer["found"], answer["measured"], answer["shown"]) == (None, None, None)
    assert "hits" not in answer["says"]
    wording(line_with(answer["says"], "never measured"))
    wording(answer["brief"], "never measured")


def test_the_legend_names_the_method(wording: Wording) -> None:
    wording(method_words(METHOD), "HiResCAM", "blocks.2", "blocks.4")
    assert method_words(HeatMethod()) == "GradCAM, last feature map"
    assert method_words(HeatMethod("MaskHead")) == "mask head"
    assert (map_unit(METHOD), map_unit(HeatMethod("MaskHead"))) == ("logit", "share")


@pytest.mark.parametrize(("similarity", "said"), [(None, False), (0.5, False), (0.51, True)])
def test_maps_that_are_alike_are_said_to_be(similarity: float | None, said: bool) -> None:
    assert bool(similar_maps_words(similarity)) is said
