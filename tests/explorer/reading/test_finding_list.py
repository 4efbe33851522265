"""The finding list: rank, states, how far to believe a score, and what is not looked for."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from explorer.core.findings import FINDINGS
from explorer.core.rates import Rate
from explorer.reading.finding_json import finding_free_payload, row_payload
from explorer.reading.finding_list import FindingRow, finding_rows, not_looked_for
from explorer.reading.percentiles import Percentile, percentile
from models.cards import classifier_card as cards
from models.cards.card import FindingFree, UnsureBand
from models.cards.classifier_card import UnusableModel
from models.statistics import wilson
from tests.support.cards import card_of
from tests.support.wording import Wording

KNOWN = ("Mass", "Nodule", "Hernia", "Edema", "Normal")
THRESHOLDS = {"Mass": 0.6, "Nodule": 0.2, "Edema": 0.5}
SCORES = np.array([0.5, 0.9, 0.1, 0.5, 0.7], dtype=np.float32)


def write_cohort(path: Path, logits: np.ndarray, findings: tuple[str, ...]) -> str:
    save_file({"logits": logits.astype(np.float32)}, path, {"findings": json.dumps(findings)})
    return str(path)


def test_rows_go_by_margin_and_those_without_threshold_follow_by_score() -> None:
    rows = finding_rows(card_of(KNOWN, THRESHOLDS), SCORES)
    assert [row.finding for row in rows] == ["Nodule", "Edema", "Mass", "Normal", "Hernia"]
    assert [row.above for row in rows] == [True, True, False, None, None]
    assert rows[0].margin == pytest.approx(0.7)
    assert (rows[3].margin, rows[3].state) == (None, None)


def test_rows_without_threshold_go_by_percentile(tmp_path: Path) -> None:
    # Hernia scores 0.1 where the cohort's films score far lower, Normal 0.7 where they score higher.
    logits = np.tile([[-5.0, 3.0]], (4, 1))
    cohort = write_cohort(tmp_path / "cohort.safetensors", logits, ("Hernia", "Normal"))
    rows = finding_rows(card_of(KNOWN, THRESHOLDS, cohort=cohort), SCORES)
    assert [row.finding for row in rows][3:] == ["Hernia", "Normal"]
    assert [row.percentile for row in rows][3:] == [Percentile(100, 4), Percentile(0, 4)]
    assert rows[0].percentile is None, "the cohort has no scores for Nodule"


@pytest.mark.parametrize(("score", "above"), [(0.5, True), (0.49, False)])
def test_a_score_at_the_threshold_reaches_it(score: float, above: bool) -> None:
    assert FindingRow("Mass", score, 0.5).above is above


@pytest.mark.parametrize(
    ("score", "state"), [(0.29, "below"), (0.3, "unsure"), (0.5, "unsure"), (0.69, "unsure"), (0.7, "above")]
)
def test_inside_the_band_a_row_is_unsure(score: float, state: str) -> None:
    assert FindingRow("Mass", score, 0.5, band=UnsureBand(0.3, 0.7)).state == state


def test_what_the_model_cannot_judge_is_in_no_other_state_and_comes_last() -> None:
    why = "AUROC 0.46 [0.34-0.57]"
    card = card_of(KNOWN, THRESHOLDS, cannot_judge={"Nodule": why}, warnings={"Edema": "Confounded."})
    rows = finding_rows(card, SCORES)
    assert [row.finding for row in rows] == ["Edema", "Mass", "Normal", "Hernia", "Nodule"]
    assert (rows[-1].state, rows[-1].warning, rows[-1].above) == ("cannot judge", why, True)
    assert (rows[0].state, rows[0].warning) == ("above", "Confounded.")
    assert row_payload(rows[-1])["state"] == "cannot judge"


def test_what_is_made_of_films_without_findings_is_said_with_its_intervals(wording: Wording) -> None:
    said = finding_free_payload(FindingFree(788, 0.6, 0.46, 0.75, 2.0, 1.8, 2.18, "films without findings"))
    assert said is not None
    wording(said["says"], "0.6 [0.5–0.8]", "2.0 [1.8–2.2]", "788 films", "95 % intervals")
    assert (said["unsure"], said["unsure_interval"]) == (2.0, [1.8, 2.18])
    assert finding_free_payload(None) is None


@pytest.mark.parametrize(("score", "state"), [(0.5, "above"), (0.49, "below")])
def test_without_a_band_the_threshold_decides(score: float, state: str) -> None:
    assert FindingRow("Mass", score, 0.5).state == state


def test_rates_are_counts_of_the_films_the_threshold_was_chosen_on() -> None:
    row = finding_rows(card_of(KNOWN, THRESHOLDS), SCORES)[0]
    assert (row.sensitivity, row.specificity, row.positives) == (Rate(24, 30), Rate(210, 300), 30)


def test_the_shipped_cards_rates_count_the_shipped_films() -> None:
    card = cards.classifier_card("nih-mini")
    with safe_open(card.local_file(card.cohort or ""), "np") as file:
        labels = file.get_tensor("labels") > 0
    for row in finding_rows(card, np.full(len(card.findings), 0.5, np.float32)):
        present = labels[:, card.findings.index(row.finding)]
        assert row.sensitivity is not None and row.specificity is not None
        assert (row.sensitivity.n, row.specificity.n) == (present.sum(), (~present).sum())
        assert row.sensitivity.value == pytest.approx(card.operating_points[row.finding].sensitivity, abs=6e-5)
        assert row.positives == present.sum()
        assert row.band is None or row.band.low == row.threshold


@pytest.mark.parametrize(
    ("finding", "group", "source", "films"),
    [("Pneumothorax", "very rare", "paper", None), ("Edema", "medium", "nih", 112_120)],
)
def test_the_frequency_group_says_its_source(finding: str, group: str, source: str, films: int | None) -> None:
    (row,) = finding_rows(card_of((finding,), {}), SCORES[:1])
    answer = row_payload(row)["group"]
    assert answer is not None
    assert (answer["name"], answer["source"], answer["films"]) == (group, source, films)


def test_a_finding_outside_the_vocabulary_has_no_group() -> None:
    assert finding_rows(card_of(("Cervical Rib",), {}), SCORES[:1])[0].group is None


def test_what_is_not_looked_for_is_the_rest_of_the_36() -> None:
    card = cards.classifier_card("nih-mini")
    rest = not_looked_for(card)
    of_the_36 = {name for name, finding in FINDINGS.items() if finding.task in ("seen", "unseen")}
    assert len(of_the_36) == 36
    assert set(rest) == of_the_36 - set(card.findings)
    assert list(rest) == [name for name in FINDINGS if name in rest]


def test_a_percentile_counts_ties_half(tmp_path: Path) -> None:
    logits = np.array([[-1.0], [0.0], [0.0], [2.0]])
    card = card_of(("Mass",), {}, cohort=write_cohort(tmp_path / "ties.safetensors", logits, ("Mass",)))
    assert percentile(card, "Mass", 0.5) == Percentile(50, 4)
    assert percentile(card, "Mass", 0.9) == Percentile(100, 4)
    assert percentile(card, "Mass", 0.0) == Percentile(0, 4)
    assert percentile(card, "Nodule", 0.5) is None


def test_the_shipped_cohorts_own_scores_have_their_ranks() -> None:
    card = cards.classifier_card("nih-mini")
    with safe_open(card.local_file(card.cohort or ""), "np") as file:
        mass = np.sort(file.get_tensor("logits")[:, card.findings.index("Mass")].astype(np.float64))
    found = percentile(card, "Mass", 1 / (1 + math.exp(-mass[1237])))
    assert found is not None
    assert found.n == 1650
    assert found.value == pytest.approx(100 * 1237.5 / 1650, abs=0.1)


def test_a_card_without_a_cohort_gives_no_percentile() -> None:
    assert percentile(card_of(KNOWN, {}), "Mass", 0.5) is None


def test_a_cohort_that_is_missing_or_something_else_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnusableModel, match="missing"):
        percentile(card_of(KNOWN, {}, cohort="nothing.safetensors"), "Mass", 0.5)
    (tmp_path / "text.safetensors").write_text("no tensors")
    narrow = write_cohort(tmp_path / "narrow.safetensors", np.zeros((4, 2)), ("Mass",))
    for cohort in (str(tmp_path / "text.safetensors"), narrow):
        with pytest.raises(UnusableModel, match="not a cohort"):
            percentile(card_of(KNOWN, {}, cohort=cohort), "Mass", 0.5)


def test_the_payload_says_what_the_row_says() -> None:
    card = card_of(KNOWN, THRESHOLDS, bands={"Mass": UnsureBand(0.4, 0.8)}, warnings={"Mass": "Few films."})
    answers = {row.finding: row_payload(row) for row in finding_rows(card, SCORES)}
    json.dumps(answers, allow_nan=False)
    mass, hernia = answers["Mass"], answers["Hernia"]
    assert (mass["state"], mass["above"], mass["band"], mass["warning"]) == ("unsure", False, [0.4, 0.8], "Few films.")
    low, high = wilson(24, 30)
    assert mass["sensitivity"] == {"value": 0.8, "low": low, "high": high, "hits": 24, "n": 30}
    assert mass["positives"] == 30
    missing = ("threshold", "margin", "above", "state", "band", "sensitivity", "specificity", "positives", "percentile")
    assert {key: hernia[key] for key in missing} == dict.fromkeys(missing)
