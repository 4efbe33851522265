"""Figures of real films by hand: pairs within a folder, differences on the same patients."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.workshop.lab.real_films import (
    MACRO_MEAN,
    OutOfFold,
    compare_by_folder,
    compare_models,
    read_out_of_fold,
    real_films_table,
)
from models.cards.card import PROJECT
from models.training.score import auroc_estimates, pair_auroc

RANDOM = np.random.default_rng(0)
FILMS = 120
LABELS = (RANDOM.random((FILMS, 3)) < np.array([0.5, 0.3, 0.04])).astype(np.float32)
FOLDERS = np.repeat(["one", "other"], FILMS // 2)
PATIENTS = np.array([f"patient {film // 2}" for film in range(FILMS)])
LOGITS = {name: LABELS + noise * RANDOM.normal(size=LABELS.shape) for name, noise in (("worse", 2.0), ("better", 0.5))}
NAMES = tuple(f"film {film}" for film in range(FILMS))
SAID = OutOfFold(("Mass", "Nodule", "Hernia"), NAMES, LABELS, PATIENTS, FOLDERS, FOLDERS, LOGITS)


@pytest.mark.processor
def test_values_are_those_of_the_cards_where_there_is_one_fold() -> None:
    by = {(each.model, each.finding): each for each in compare_models(SAID, resamples=60)}
    for model, said in LOGITS.items():
        each, macro = auroc_estimates(LABELS, said.astype(np.float32), FOLDERS, PATIENTS, least=10, resamples=60)
        for finding, estimate in zip(SAID.findings, each, strict=True):
            assert by[model, finding].value == pytest.approx((estimate.value, estimate.low, estimate.high), abs=1e-6)
        assert by[model, MACRO_MEAN].value == pytest.approx((macro.value, macro.low, macro.high), abs=1e-6)
    assert by["worse", MACRO_MEAN].positives == LABELS[:, :2].sum(), "Hernia has too few films to count"


def test_a_difference_is_on_the_same_patients() -> None:
    by = {(each.model, each.finding): each for each in compare_models(SAID, resamples=200)}
    assert by["worse", "Mass"].ahead is None
    ahead = by["better", "Mass"].ahead
    assert ahead is not None
    values = [pair_auroc(LABELS[:, 0], LOGITS[name][:, 0], FOLDERS) for name in ("better", "worse")]
    assert ahead[0] == pytest.approx(values[0] - values[1])
    apart = by["better", "Mass"].value[2] - by["better", "Mass"].value[1]
    assert ahead[1] > 0 and ahead[2] - ahead[1] < apart + by["worse", "Mass"].value[2] - by["worse", "Mass"].value[1]


def test_a_folder_alone_counts_its_own_films_and_the_findings_that_are_enough_there() -> None:
    found = {(each.model, each.finding): each for each in compare_by_folder(SAID, resamples=20)}
    assert {finding for _, finding in found} == {"macro, `one`", "macro, `other`"}
    for folder in ("one", "other"):
        rows = np.flatnonzero(FOLDERS == folder)
        enough = np.flatnonzero(LABELS[rows].sum(0) >= 10)
        assert 0 < len(enough) < 3
        means = {
            name: np.mean([pair_auroc(LABELS[rows, k], said[rows, k], FOLDERS[rows]) for k in enough])
            for name, said in LOGITS.items()
        }
        better = found["better", f"macro, `{folder}`"]
        assert better.value[0] == pytest.approx(means["better"])
        assert better.ahead is not None and better.ahead[0] == pytest.approx(means["better"] - means["worse"])
        assert better.positives == LABELS[rows][:, enough].sum()


def test_the_table_begins_with_the_model_that_is_compared_with() -> None:
    head, _, first, *_ = real_films_table(compare_models(read_out_of_fold(), resamples=2)).splitlines()
    assert head.startswith("| finding | n+ | nih-mini | ") and first.startswith("| Normal | 788 | 0.781 [")


@pytest.mark.processor
@pytest.mark.slow
def test_the_docs_print_the_figures() -> None:
    docs = (PROJECT / "docs" / "lab-figures.md").read_text(encoding="utf-8").replace("<br>", "; ")
    films = read_out_of_fold()
    for line in real_films_table((*compare_models(films), *compare_by_folder(films))).splitlines()[2:]:
        assert line in docs
