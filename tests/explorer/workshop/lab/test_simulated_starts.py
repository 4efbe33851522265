"""Starts are compared as the classifiers of the same films are; what ships and what the docs print is that."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest

from explorer.workshop.lab import simulated_starts
from explorer.workshop.lab.real_films import MACRO_MEAN, compare_models, read_out_of_fold
from explorer.workshop.lab.simulated_starts import compare_starts, starts_table
from models.cards.card import PROJECT
from models.cards.start_probes import ProbedStarts, probed_starts, start_figures, starting_networks
from models.training.lab_recipe import WrongRecipe
from tests.support.same_values import assert_same_numbers
from tests.support.wording import Wording


def test_figures_are_those_of_the_probes_logits() -> None:
    found, probed = compare_starts(resamples=20), probed_starts()
    films = replace(read_out_of_fold(("nih-mini",)), logits=probed.logits)
    others = [each for each in compare_models(films, 20) if each.finding == MACRO_MEAN]
    assert [each.start for each in found] == [each.model for each in others] == list(starting_networks())
    for each, other in zip(found, others, strict=True):
        assert (each.value, each.low, each.high) == other.value
        assert other.ahead is None or (each.ahead, each.ahead_low, each.ahead_high) == other.ahead
    first = starting_networks()[found[0].start]
    assert first.films == 0 and not first.masks and others[0].ahead is None


def test_another_start_to_compare_with_comes_first() -> None:
    usual, turned = compare_starts(resamples=20), compare_starts("phantom-6000", resamples=20)
    assert [each.start for each in turned] == [
        "phantom-6000",
        *(name for name in starting_networks() if name != "phantom-6000"),
    ]
    value = {each.start: each.value for each in usual}
    assert {each.start: each.value for each in turned} == value
    for each in turned[1:]:
        assert each.ahead == pytest.approx(value[each.start] - value["phantom-6000"])
    imagenet, phantom = turned[1], next(each for each in usual if each.start == "phantom-6000")
    assert (imagenet.ahead, imagenet.ahead_low) == pytest.approx((-phantom.ahead, -phantom.ahead_high))


def test_a_start_that_was_not_probed_is_refused(wording: Wording) -> None:
    with pytest.raises(WrongRecipe) as caught:
        compare_starts("phantom-600", resamples=2)
    wording(caught.value, "'phantom-600'", "phantom-6000")


@pytest.mark.processor
@pytest.mark.slow
def test_what_ships_is_what_the_command_writes() -> None:
    for shipped, made in zip(start_figures(), compare_starts(), strict=True):
        assert shipped.start == made.start
        assert_same_numbers(astuple(made)[1:], astuple(shipped)[1:], made.start)


def test_probes_of_other_films_are_refused(monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    real = probed_starts()
    turned = ProbedStarts(tuple(reversed(real.image_ids)), real.logits)
    monkeypatch.setattr(simulated_starts, "probed_starts", lambda: turned)
    with pytest.raises(ValueError) as caught:
        compare_starts(resamples=2)
    wording(caught.value, "nih-mini")


def test_the_docs_print_the_figures() -> None:
    docs = (PROJECT / "docs" / "lab-figures.md").read_text(encoding="utf-8")
    for line in starts_table(start_figures()).splitlines():
        assert line in docs
