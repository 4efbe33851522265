"""One verdict on a flagged finding, and the headline made of it: what is likely, possible, or not to be said."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from explorer.core.rates import Rate
from explorer.metrics.calibration_curves import sigmoid
from explorer.reading.finding_list import FindingRow, finding_rows
from explorer.reading.flag_right import count_near, flag_right_near
from explorer.reading.flag_verdict import MIN_FLAGGED_FILMS, FlagRight, flag_right_by_rates, flag_verdict, verdict_by
from explorer.reading.headline import NONE_CONFIDENT, NOTHING_FLAGGED, UNLIKE_TITLE, headline
from models.cards.classifier_card import classifier_card as shipped_card
from models.statistics import wilson
from tests.support.cards import card_of
from tests.support.wording import Wording


@dataclass(frozen=True)
class Gate:
    readable: bool = True
    reason: str = ""


def flagged(finding: str, hits: int, n: int, warning: str | None = None) -> FindingRow:
    return FindingRow(finding, 0.9, 0.5, warning=warning, right=FlagRight(Rate(hits, n), "with the nearest scores"))


@pytest.mark.parametrize(
    ("hits", "n", "verdict"),
    [
        (24, 30, "likely"),
        (14, 24, "possible"),
        (7, 30, "possible"),
        (5, 30, "seldom correct"),
        (2, 10, "seldom correct"),
        (3, 15, "seldom correct"),
        (9, 9, "too few films"),
        (0, 0, "too few films"),
    ],
)
def test_a_verdict_follows_from_how_often_such_flags_were_right(hits: int, n: int, verdict: str) -> None:
    right = FlagRight(Rate(hits, n), "with the nearest scores")
    assert flag_verdict(right, unreliable=False) == verdict
    assert flag_verdict(right, unreliable=True) == "unreliable"


def test_where_nobody_counted_the_verdict_says_so_and_what_is_not_flagged_has_none() -> None:
    assert flag_verdict(None, unreliable=False) == "not known"
    assert FindingRow("Mass", 0.4, 0.5, right=FlagRight(Rate(9, 10), "flagged")).verdict is None
    assert FindingRow("Mass", 0.9, 0.5, judged=False).verdict is None


def test_the_sentence_has_the_count_its_interval_and_the_share_of_all_films(wording: Wording) -> None:
    right = FlagRight(Rate(14, 24), "with the nearest scores", Rate(14, 100))
    dash = "\N{EN DASH}"
    wording(right.words, "24 test", "14", "58 %", "39", dash, "76", "14 %")
    counted = flag_right_by_rates(Rate(30, 40), Rate(50, 60)).words
    wording(counted, "40 flagged", "30", "75 %")
    wording(FlagRight(Rate(1, 4), "flagged").words, "4")


def test_half_of_the_nearest_films_score_lower_and_half_higher() -> None:
    every = np.arange(100.0)
    assert count_near(every, every[50:], 0.0, 50.0).rate == Rate(15, 30)  # 35 to 64
    assert count_near(every, every[50:], 0.0, 99.0).rate == Rate(30, 30)
    assert count_near(every, every[50:], 0.0, -5.0).rate == Rate(0, 30)
    assert count_near(every[:20], every[15:20], 0.0, 3.0).rate == Rate(5, 20)


def test_films_with_the_same_score_count_together() -> None:
    """Whichever of them comes first in the cohort."""
    every = np.repeat([0.1, 0.5, 0.9], 40)
    assert count_near(every, np.repeat([0.5, 0.9], [8, 40]), 0.2, 0.5).rate == Rate(8, 80)


def test_where_few_are_flagged_only_they_are_counted(tmp_path: Path) -> None:
    logits, labels = np.arange(-10.0, 10.0)[:, None], (np.arange(20) % 2)[:, None]
    path = tmp_path / "cohort.safetensors"
    save_file({"logits": logits.astype(np.float32), "labels": labels.astype(np.uint8)}, path, {"findings": '["Mass"]'})
    often = flag_right_near(card_of(("Mass",), {"Mass": 0.1}, cohort=str(path)), "Mass", 0.5)
    assert often == FlagRight(Rate(10, 20), "with the nearest scores", Rate(10, 20))
    rare = card_of(("Mass",), {"Mass": 0.9}, cohort=str(path))
    few = flag_right_near(rare, "Mass", 0.9)
    assert (
        few is not None
        and few.rate.n < MIN_FLAGGED_FILMS
        and finding_rows(rare, np.array([0.95]))[0].verdict == "too few films"
    )


def test_the_headline_has_what_is_likely_and_possible_and_the_detail_the_rest(wording: Wording) -> None:
    rows = (
        flagged("Mass", 24, 30),
        flagged("Nodule", 14, 30),
        flagged("Edema", 1, 30),
        flagged("Fracture", 2, 4),
        flagged("Pneumonia", 24, 30, "Confounded."),
        FindingRow("Hernia", 0.1, 0.5),
    )
    said = headline(rows, ("Azygos Lobe",), Gate(), far=False)
    assert said.title == "Mass: likely. Nodule: possible."
    wording(said.detail, "Pneumonia", "Edema", "Fracture", "1", "1 finding")


def test_nothing_is_named_where_no_flag_is_to_be_believed() -> None:
    rows = (flagged("Fracture", 2, 4), flagged("Pneumonia", 24, 30, "Confounded."))
    said = headline(rows, (), Gate(), far=False)
    assert said.title == f"{NONE_CONFIDENT}." and said.detail.startswith("Pneumonia scored high, but")


def test_that_nothing_is_flagged_is_said_as_such() -> None:
    assert headline((FindingRow("Mass", 0.1, 0.5),), (), Gate(), far=False).title == f"{NOTHING_FLAGGED}."


def test_four_findings_are_named_and_of_five_two_counted(wording: Wording) -> None:
    rows = tuple(flagged(finding, 24, 30) for finding in ("Mass", "Nodule", "Edema", "Fracture", "Hernia"))
    wording(headline(rows[:4], (), Gate(), far=False).title, "Mass", "Nodule", "Edema", "Fracture")
    wording(headline(rows, (), Gate(), far=False).title, "Mass", "Nodule", "Edema", "2")


def test_a_film_unlike_the_test_films_and_a_refused_one_have_their_warning_alone(wording: Wording) -> None:
    rows = (flagged("Fibrosis", 24, 30), flagged("Normal", 24, 30))
    far = headline(rows, (), Gate(), far=True)
    refused = headline(rows, (), Gate(readable=False, reason="This is a knee."), far=True)
    assert far.title == f"{UNLIKE_TITLE}."
    wording(refused.title, "Refused", "This is a knee.")
    assert "Fibrosis" not in far.detail + refused.detail and "normal" not in far.detail
    assert far.detail.startswith("1 flagged. ") and refused.detail.startswith("1 flagged. ")


def test_normal_is_no_all_clear_beside_flags(wording: Wording) -> None:
    normal = FindingRow("Normal", 0.9, 0.5)
    both = headline((flagged("Nodule", 24, 30), normal), (), Gate(), far=False)
    assert both.title == "Nodule: likely." and "contradicts its flags" in both.detail
    alone = headline((normal,), (), Gate(), far=False)
    wording(alone.detail, "rule out")


def test_rows_go_by_how_often_such_flags_are_right_not_by_score() -> None:
    card = card_of(("Mass", "Edema"), {"Mass": 0.2, "Edema": 0.2}, warnings={"Mass": "Confounded."})
    assert [row.finding for row in finding_rows(card, np.array([0.9, 0.5]))] == ["Edema", "Mass"]


def test_the_cuts_part_what_is_right_from_what_is_not_on_the_shipped_films() -> None:
    """On out-of-fold scores: flags in the headline are right several times as often as those left out of it."""
    card = shipped_card("nih-mini")
    with safe_open(card.local_file(str(card.cohort)), "np") as file:
        findings = json.loads(file.metadata()["findings"])
        scores = sigmoid(file.get_tensor("logits").astype(np.float64)).astype(np.float32)
        labels = file.get_tensor("labels") > 0
    order = [findings.index(finding) for finding in card.findings]
    shares: dict[str, list[bool]] = {}
    for film, truth in zip(scores[::7, order], labels[::7, order], strict=True):
        for row in finding_rows(card, film):
            if row.verdict and row.finding != "Normal":
                shares.setdefault(row.verdict, []).append(bool(truth[card.findings.index(row.finding)]))
    assert np.mean(shares["possible"]) > 0.2 > 0.15 > np.mean(shares["seldom correct"])


def test_a_flag_on_ten_films_needs_three_that_had_it() -> None:
    assert verdict_by(10, 0.2, wilson(2, 10)[0]) == "seldom correct"
    assert verdict_by(10, 0.3, wilson(3, 10)[0]) == "possible"
