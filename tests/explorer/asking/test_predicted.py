"""How many such films have the finding, at any prevalence, in words."""

from __future__ import annotations

import pytest

from explorer.asking.predicted import WrongPrevalence, parse_prevalence, predict_share
from explorer.core.rates import Rate
from explorer.metrics.predictive_values import predictive_values
from tests.support.wording import Wording

SENSITIVITY, SPECIFICITY = Rate(24, 30), Rate(210, 300)


@pytest.mark.parametrize("flagged", [True, False])
def test_without_a_prevalence_the_share_is_counted_among_the_labeled_films(flagged: bool) -> None:
    found = predict_share(flagged, SENSITIVITY, SPECIFICITY)
    with_it, without = (24, 90) if flagged else (6, 210)
    assert found and found.share == pytest.approx(with_it / (with_it + without))
    assert found.prevalence == pytest.approx(30 / 330) and not found.typed
    assert found.low < found.share < found.high


@pytest.mark.parametrize("prevalence", [0.001, 0.2, 0.9])
def test_at_a_typed_prevalence_it_is_bayes_rule(prevalence: float) -> None:
    values = predictive_values(SENSITIVITY, SPECIFICITY, prevalence)
    above, below = (predict_share(flagged, SENSITIVITY, SPECIFICITY) for flagged in (True, False))
    assert above and below and values.ppv and values.npv
    high, low = above.at(prevalence), below.at(prevalence)
    assert high.typed and (high.share, (high.low, high.high)) == (values.ppv.value, values.ppv.interval)
    assert low.share == 1 - values.npv.value and low.low == 1 - values.npv.interval[1]


def test_where_one_class_was_not_counted_nothing_is_known() -> None:
    for rates in ((None, SPECIFICITY), (SENSITIVITY, None), (Rate(0, 0), SPECIFICITY), (Rate(0, 30), Rate(300, 300))):
        assert predict_share(True, *rates) is None


@pytest.mark.parametrize(
    ("sensitivity", "specificity", "flagged", "words"),
    [
        (Rate(24, 30), Rate(210, 300), True, "21 in 100 such films have it [17\u201325]"),
        (Rate(24, 30), Rate(210, 300), False, "3 in 100 such films have it [1\u20135]"),
        (Rate(9, 10), Rate(200_000, 200_500), False, "fewer than 1 in 10,000 such films have it [0\u20131]"),
        (Rate(300, 300), Rate(300, 300), False, "0 in 100 such films have it [0\u20131]"),
        (Rate(300, 300), Rate(300, 300), True, "100 in 100 such films have it [99\u2013100]"),
        (Rate(2990, 3000), Rate(2995, 3000), True, "more than 99 in 100 such films have it [99\u2013100]"),
    ],
)
def test_the_words_never_say_all_or_none_of_some(
    sensitivity: Rate, specificity: Rate, flagged: bool, words: str
) -> None:
    found = predict_share(flagged, sensitivity, specificity)
    assert found and found.words == words


def test_rare_ones_are_counted_among_more_films(wording: Wording) -> None:
    found = predict_share(True, SENSITIVITY, SPECIFICITY)
    assert found
    wording(found.at(0.0005).words, "1 in 1,000", "[1–2]")


@pytest.mark.parametrize(
    ("sent", "share"),
    [("12.5", 0.125), ("12,5 %", 0.125), (" 3% ", 0.03), (40, 0.4), ("", None), ("  ", None), (None, None)],
)
def test_a_prevalence_is_typed_in_percent(sent: object, share: float | None) -> None:
    assert parse_prevalence(sent) == share


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ("many", "not a number"),
        ([], "not a number"),
        (True, "not a number"),
        ("0", "0 % is not"),
        (100, "100 % is not"),
        ("-3", "-3 % is not"),
        ("nan", "nan % is not"),
        ("5e-324", "e-324 % is not"),
        ("1e999", "inf % is not"),
    ],
)
def test_a_wrong_prevalence_is_refused_in_words(sent: object, words: str, wording: Wording) -> None:
    with pytest.raises(WrongPrevalence) as refused:
        parse_prevalence(sent)
    wording(refused.value, words)
