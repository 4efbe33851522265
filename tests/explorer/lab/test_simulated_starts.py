"""Starts are compared as the classifiers of the same films are; what ships and what the docs print is that."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest

from explorer.lab import simulated_starts
from explorer.lab.real_films import MACRO, compared, out_of_fold
from explorer.lab.simulated_starts import compared_starts, text_of
from models.cards.card import PROJECT
from models.training.nih.start_probes import ProbedStarts, probed_starts, start_figures, starts


def test_figures_are_those_of_the_probes_logits() -> None:
    found, probed = compared_starts(resamples=20), probed_starts()
    films = replace(out_of_fold(("nih-mini",)), logits=probed.logits)
    others = [each for each in compared(films, 20) if each.finding == MACRO]
    assert [each.start for each in found] == [each.model for each in others] == list(starts())
    for each, other in zip(found, others, strict=True):
        assert (each.value, each.low, each.high) == other.value
        assert other.ahead is None or (each.ahead, each.ahead_low, each.ahead_high) == other.ahead
    first = starts()[found[0].start]
    assert first.films == 0 and not first.masks and others[0].ahead is None


@pytest.mark.slow
def test_what_ships_is_what_the_command_writes() -> None:
    for shipped, made in zip(start_figures(), compared_starts(), strict=True):
        assert shipped.start == made.start
        assert astuple(shipped)[1:] == pytest.approx(astuple(made)[1:], abs=5.1e-5)


def test_probes_of_other_films_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    real = probed_starts()
    turned = ProbedStarts(tuple(reversed(real.image_ids)), real.logits)
    monkeypatch.setattr(simulated_starts, "probed_starts", lambda: turned)
    with pytest.raises(ValueError, match="The probes are of other films than nih-mini"):
        compared_starts(resamples=2)


def test_the_docs_print_the_figures() -> None:
    docs = (PROJECT / "docs" / "lab.md").read_text(encoding="utf-8")
    for line in text_of(start_figures()).splitlines():
        assert line in docs
