"""A threshold of a model for a finding is one number, wherever it is printed: Ask, Read, Explore, Simulate, lessons."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from explorer.asking.asker import Asker
from explorer.asking.model import load_text_model
from explorer.asking.question import checked_question
from explorer.asking.spread import score_of
from explorer.asking.validation import validation
from explorer.reading.finding_list import finding_rows
from explorer.school.preparing.model_scores import stored_thresholds
from models.cards.classifier_card import classifier_card
from tests.support.lasting_store import loaded_store

COHORT = "phantom"
SEEN, UNSEEN = ("Pneumoperitoneum", "Hydropneumothorax", "Cardiomegaly"), ("Osteopenia", "Scoliosis", "Goiter", "Edema")


@pytest.mark.slow
def test_ask_has_the_threshold_that_explore_lessons_and_classes_count_by() -> None:
    asker = Asker(partial(load_text_model, "phantom-vlm", "cpu"))
    made = next(each for each in loaded_store().models(COHORT) if each.model == asker.card.name)
    stored = stored_thresholds(loaded_store(), COHORT, made)
    assert made.scale is not None
    for finding in (*SEEN, *UNSEEN):
        analysis = asker.analyze(checked_question(finding.lower()))
        assert analysis.taken_for is not None and analysis.taken_for.finding == finding
        assert float(score_of(analysis.cutoff.margin, made.scale)) == pytest.approx(stored[finding], abs=1e-3), finding
        assert (stored[finding] == 0.5) == (finding in UNSEEN) != analysis.cutoff.fitted


@pytest.mark.slow
def test_the_rates_beside_an_unseen_findings_threshold_are_counted_at_it() -> None:
    asker = Asker(partial(load_text_model, "phantom-vlm", "cpu"))
    analysis = asker.analyze(checked_question("scoliosis"))
    films = validation(asker.card)
    labels = films.labels_of("Scoliosis") if films else None
    assert analysis.films is not None and labels is not None
    called = analysis.films[:, 0] >= 0
    for rate, right in ((analysis.cutoff.sensitivity, called[labels]), (analysis.cutoff.specificity, ~called[~labels])):
        assert rate is not None and (rate.hits, rate.n) == (int(right.sum()), len(right))


def test_read_has_the_threshold_that_explore_counts_by() -> None:
    about = classifier_card("phantom")
    made = next(each for each in loaded_store().models(COHORT) if each.model == about.name)
    stored = stored_thresholds(loaded_store(), COHORT, made)
    read = {row.finding: row.threshold for row in finding_rows(about, np.full(len(about.findings), 0.5, np.float32))}
    assert read == pytest.approx(stored, abs=1e-6)
