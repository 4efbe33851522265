"""How good a text is on films whose labels are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.asking.text_metrics import LabeledMargins, measure_text, youden_margin
from explorer.asking.validation import validation
from explorer.metrics.metrics import auroc, average_precision
from models.cards.card import UnusableModel
from tests.explorer.asking.fake import fake_card, write_validation


def labelled(n: int = 200, lift: float = 1.0) -> LabeledMargins:
    random = np.random.default_rng(1)
    labels = random.random(n) < 0.3
    return LabeledMargins(
        random.normal(size=n) + lift * labels, labels, np.arange(n) // 2, np.arange(n, dtype=np.uint8) % 5
    )


def test_area_and_precision_are_those_of_the_metrics_with_an_interval_around() -> None:
    films = labelled()
    said = measure_text(films, "Mass", "200 films")
    column = films.labels[:, None].astype(float), films.margins[:, None]
    assert said.auroc and said.auroc.value == auroc(*column)[0] and said.auroc.low < said.auroc.value < said.auroc.high
    assert said.average_precision and said.average_precision.value == average_precision(*column)[0]
    assert (said.n, said.positives) == (200, films.labels.sum())


def test_rates_are_counted_in_folds_that_did_not_choose_the_threshold() -> None:
    films = labelled(lift=0.0)
    said = measure_text(films, "Mass", "")
    own = youden_margin(films.labels, films.margins)
    assert own is not None and said.sensitivity and said.specificity
    called = films.margins >= own
    on_themselves = called[films.labels].mean() + (~called[~films.labels]).mean() - 1
    assert said.sensitivity.value + said.specificity.value - 1 < on_themselves  # type: ignore[operator]


def test_without_positives_there_is_no_area_rather_than_none() -> None:
    films = labelled()
    said = measure_text(LabeledMargins(films.margins, np.zeros(200, bool), films.patients, films.folds), "Hernia", "")
    assert (said.auroc, said.average_precision, said.sensitivity, said.prevalence) == (None, None, None, 0)


@pytest.mark.parametrize(
    "changes", [{"labels": np.zeros((300, 2), np.uint8)}, {"patients": "[]"}, {"findings": "no list"}]
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, changes: dict) -> None:
    card = fake_card(tmp_path)
    write_validation(tmp_path / "films.safetensors", **changes)
    with pytest.raises(UnusableModel, match=r"films\.safetensors has no validation films"):
        validation(card)


def test_a_model_without_validation_films_has_none(tmp_path: Path) -> None:
    assert validation(fake_card(tmp_path, validation=None)) is None
