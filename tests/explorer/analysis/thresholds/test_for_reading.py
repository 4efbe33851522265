"""Thresholds of Read where a card has none: those chosen on a cohort that the very weights scored, and no others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.thresholds.choice import choose_by_hand, choose_by_rule
from explorer.analysis.thresholds.for_reading import with_chosen_thresholds
from explorer.cohorts.layout import CACHE, Folder
from explorer.core.threshold_rules import BY_FOLD
from explorer.reading.finding_json import chosen_here_words
from explorer.reading.finding_list import finding_rows
from explorer.store.store import Store
from models.cards.card import Card
from models.cards.classifier_card import classifier_card
from tests.support.wording import Wording

COHORT = MODEL = "phantom"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """The shipped cohort, with a folder for what is chosen here."""
    return Store(lambda: (Folder(CACHE / COHORT, tmp_path / "own"),))


def without_points(*, of: str = "", **changes: object) -> Card:
    """The card of the model that scored it, without thresholds but that of one finding."""
    own = classifier_card(MODEL)
    points = {finding: point for finding, point in own.operating_points.items() if finding == of}
    return replace(own, operating_points=points, bands={}, **changes)


def test_what_was_chosen_is_used_and_says_on_which_films(store: Store, wording: Wording) -> None:
    bare = without_points(of="Mass")
    assert with_chosen_thresholds(store, bare) is bare, "nothing was chosen yet"
    store.keep_thresholds(COHORT, MODEL, choose_by_rule(store, COHORT, MODEL, "youden", "center=A"))
    found = with_chosen_thresholds(store, bare)
    chosen = store.chosen_thresholds(COHORT, MODEL)
    assert chosen is not None
    judged = {point.finding: point.threshold for point in chosen.points}
    judged = {finding: cut for finding, cut in judged.items() if finding not in bare.cannot_judge}
    assert found.operating_points["Mass"] == bare.operating_points["Mass"], "the model's own stays"
    assert found.chosen_here == judged.keys() - {"Mass"} and len(found.chosen_here) > 5
    assert {each: found.operating_points[each].threshold for each in judged.keys() - {"Mass"}} == {
        each: cut for each, cut in judged.items() if each != "Mass"
    }
    scores = np.random.default_rng(3).random(len(found.findings), np.float32)
    for row in finding_rows(found, scores):
        score = float(scores[found.findings.index(row.finding)])
        if row.finding in found.chosen_here:
            cut = judged[row.finding]
            assert (row.above, row.threshold, row.sensitivity) == (score >= cut, cut, None)
            assert row.chosen_here
        else:
            assert not row.chosen_here
    (rule,) = {row.rule for row in finding_rows(found, scores) if row.chosen_here}
    wording(rule, "Youden", "1,100 films")
    wording(chosen_here_words(found), len(found.chosen_here), "Youden", "1,100 films")
    assert chosen_here_words(bare) == ""
    store.keep_thresholds(COHORT, MODEL, choose_by_hand(store, COHORT, MODEL, {"Nodule": 0.25}))
    hand = with_chosen_thresholds(store, bare).operating_points["Nodule"]
    assert hand.threshold == 0.25 and not hand.counted
    wording(hand.rule, "by hand", "phantom")
    store.keep_thresholds(COHORT, MODEL, None)
    assert with_chosen_thresholds(store, bare) is bare


def test_what_is_for_other_films_or_weights_is_not_used(store: Store) -> None:
    store.keep_thresholds(COHORT, MODEL, choose_by_rule(store, COHORT, MODEL, "youden", ""))
    for other in (without_points(films="real"), without_points(sha256="0" * 64), without_points(name="another")):
        assert with_chosen_thresholds(store, other) is other
    whole = classifier_card(MODEL)
    assert not with_chosen_thresholds(store, whole).chosen_here & whole.operating_points.keys()


def test_thresholds_of_folds_are_for_no_other_film(store: Store) -> None:
    whole = choose_by_rule(store, COHORT, MODEL, "youden", "")
    points = tuple(replace(point, split="fold 1") for point in whole.points)
    store.keep_thresholds(COHORT, MODEL, replace(whole, points=points, about=replace(whole.about, where=BY_FOLD)))
    bare = without_points()
    assert store.chosen_thresholds(COHORT, MODEL) is not None and with_chosen_thresholds(store, bare) is bare
