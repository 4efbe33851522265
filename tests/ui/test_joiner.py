"""Whether a film is unlike the test films is told with its first opinion, once its model's test films are measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from explorer.cohorts.images import Images
from explorer.reading.finding_list import finding_rows
from explorer.reading.headline import UNLIKE_TITLE
from explorer.reading.reader import Reading
from explorer.ui.read.film_answers import answer_payload
from explorer.ui.read.joiner import Joiner
from models.cards.classifier_card import classifier_card
from tests.support.answers import READABLE
from tests.support.small_cohort import Film, store_of, write_small


def test_the_first_opinion_says_it_or_waits_for_the_join(tmp_path: Path) -> None:
    about = classifier_card("nih-mini")
    features = np.random.default_rng(1).normal(size=(120, 1280))
    films = [Film(f"{n}", {}, {"Mass": 0.1}, features=(each + 20).tolist()) for n, each in enumerate(features)]
    store = store_of(write_small(tmp_path, films, {}, model="nih-mini", sha256=about.sha256))
    rows = finding_rows(about, np.full(len(about.findings), 0.99, np.float32))
    alike = Reading(READABLE, rows, np.full(1280, 20, np.float32), about, "cpu", 0.0, 0.0, 0.0)
    unlike = replace(alike, features=-alike.features)
    joiner = Joiner(store, Images({}, list))
    assert joiner.is_far(unlike, at_once=True) is None
    waiting = answer_payload(unlike, False, None)
    assert waiting["stage"] == "opinion" and waiting["far"] is None
    assert (joiner.is_far(unlike), joiner.is_far(alike)) == (True, False)
    assert joiner.is_far(unlike, at_once=True) is True
    told = answer_payload(unlike, False, True)
    assert told["stage"] == "opinion" and told["headline"]["title"].startswith(UNLIKE_TITLE)


def test_where_nothing_can_be_compared_no_film_is_far(tmp_path: Path) -> None:
    about = replace(classifier_card("nih-mini"), sha256="0" * 64)
    reading = Reading(READABLE, (), np.zeros(1280, np.float32), about, "cpu", 0.0, 0.0, 0.0)
    store = store_of(write_small(tmp_path, [Film("1", {}, {"Mass": 0.1})], {}))
    assert Joiner(store, Images({}, list)).is_far(reading, at_once=True) is False
