"""Figures by center, plain and at natural prevalence, and the tables of the cards."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from explorer.simulator.cohort_sampling import SEEN_FINDINGS, TEST_SPLIT, UNSEEN_FINDINGS, sample_cases
from explorer.workshop.lab.phantom_dataset import exact_labels
from explorer.workshop.lab.ranking_figures import CenterFigures, findings_by_frequency, ranking_figures
from explorer.workshop.shipping.training.tables import metrics_by_finding, metrics_by_group, rank_warnings

FINDINGS = ("Normal", "Pleural Effusion", "Goiter")


@pytest.fixture(scope="module")
def found() -> dict[str, CenterFigures]:
    """Effusion and Normal are told, Goiter is guessed."""
    labels = exact_labels(sample_cases(TEST_SPLIT), FINDINGS)
    said = np.random.default_rng(0).normal(size=labels.shape) + labels * (2, 2, 0)
    return dict(ranking_figures(sample_cases(TEST_SPLIT), labels, said.astype(np.float32), FINDINGS))


def test_figures_are_those_of_scikit_learn(found: dict[str, CenterFigures]) -> None:
    labels = exact_labels(sample_cases(TEST_SPLIT), FINDINGS)
    said = (np.random.default_rng(0).normal(size=labels.shape) + labels * (2, 2, 0)).astype(np.float32)
    rows = np.array([case.film.center == "B" for case in sample_cases(TEST_SPLIT)])
    weights = np.array([case.weight for case in sample_cases(TEST_SPLIT)])[rows]
    at, truth, score = found["B"], labels[rows, 1], said[rows, 1]
    assert at.one("AUROC", "Pleural Effusion")[0] == pytest.approx(roc_auc_score(truth, score))
    assert at.one("AP", "Pleural Effusion")[0] == pytest.approx(average_precision_score(truth, score))
    natural = average_precision_score(truth, score, sample_weight=weights)
    assert at.one("natural AP", "Pleural Effusion")[0] == pytest.approx(natural)
    assert at.films == rows.sum() and at.positives[1] == truth.sum()


def test_a_rare_finding_is_rarer_by_nature(found: dict[str, CenterFigures]) -> None:
    for at in found.values():
        assert at.one("natural AP", "Goiter")[0] < at.one("AP", "Goiter")[0]


def test_only_what_is_guessed_is_warned_of(found: dict[str, CenterFigures]) -> None:
    said = rank_warnings(found, FINDINGS, "the model")
    assert list(said) == ["Goiter"]
    assert "no better than chance" in said["Goiter"] and "n+" in said["Goiter"]


def test_tables_have_a_row_for_each_and_a_figure_in_every_cell(found: dict[str, CenterFigures]) -> None:
    rows = metrics_by_finding(found, FINDINGS).splitlines()
    assert [row.split("|")[1].strip() for row in rows[2:]] == list(FINDINGS)
    assert {row.count("|") for row in rows} == {2 + 2 * 4}
    macro = metrics_by_group(found, {"all": FINDINGS}).splitlines()
    assert len(macro) == 4 and macro[2].startswith("| all | 3 | A | 1,100 | ")


def test_groups_go_from_head_to_tail_and_the_unseen_come_last() -> None:
    named = findings_by_frequency((*SEEN_FINDINGS, *UNSEEN_FINDINGS))
    assert list(named) == ["normal", "common", "medium", "rare", "very rare", "unseen"]
    assert sum(map(len, named.values())) == 36 and named["unseen"] == UNSEEN_FINDINGS
