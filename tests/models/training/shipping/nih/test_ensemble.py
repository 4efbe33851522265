"""The shipped ensemble of the NIH's films: made again, and its logits from its members'."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from models.cards.card import PROJECT, UnusableModel
from models.cards.classifier_card import classifier_card
from models.training.nih.kept_numbers import KeptNumbers, kept_numbers
from models.training.nih.members import ENSEMBLE_WEIGHTS, NIH_ENSEMBLE
from models.training.shipping.listed_files import FILES_TABLE_HEADER
from models.training.shipping.nih import ensemble
from tests.support.same_values import assert_same_numbers, assert_same_text
from tests.support.wording import Wording

REGISTRY, WEIGHTS = PROJECT / "models" / "registry", PROJECT / "models" / "weights"


def test_its_logits_are_the_mean_of_its_members() -> None:
    members = [kept_numbers(classifier_card(name)).logits for name in ENSEMBLE_WEIGHTS]
    ours = kept_numbers(classifier_card(NIH_ENSEMBLE))
    np.testing.assert_allclose(ours.logits, np.mean(members, axis=0), atol=1e-6)
    first = kept_numbers(classifier_card("nih-mini"))
    assert ours.features is not None and first.features is not None
    np.testing.assert_array_equal(ours.features, first.features)
    assert [member.name for member in classifier_card(NIH_ENSEMBLE).members] == list(ENSEMBLE_WEIGHTS)


@pytest.mark.slow
@pytest.mark.processor
def test_what_ships_is_what_the_command_writes(tmp_path: Path) -> None:
    """But for the hash of the numbers; fits in the registry file and rates in the card within the tolerance."""
    ensemble.ship_ensemble(tmp_path, tmp_path)
    name = NIH_ENSEMBLE
    assert_same_text((tmp_path / f"{name}.md").read_text("utf-8"), (WEIGHTS / f"{name}.md").read_text("utf-8"), "card")
    made, shipped = ((folder / f"{name}.toml").read_text("utf-8") for folder in (tmp_path, REGISTRY))
    assert_same_text(made.partition(FILES_TABLE_HEADER)[0], shipped.partition(FILES_TABLE_HEADER)[0], "registry file")
    one = kept_numbers(replace(classifier_card(name), cohort=str(tmp_path / f"{name}.oof.safetensors")))
    other = kept_numbers(classifier_card(name))
    for field in fields(one):
        assert_same_numbers(getattr(one, field.name), getattr(other, field.name), field.name)


def same_numbers(one: KeptNumbers, other: KeptNumbers) -> None:
    for field in fields(one):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))


@pytest.mark.parametrize("name", list(ENSEMBLE_WEIGHTS))
def test_kept_numbers_are_read_as_they_were_written(name: str, tmp_path: Path) -> None:
    one = classifier_card(name)
    kept = kept_numbers(one)
    kept.write(tmp_path / "kept")
    same_numbers(kept_numbers(replace(one, cohort=str(tmp_path / "kept"))), kept)


def test_members_of_other_folds_are_refused(tmp_path: Path, wording: Wording) -> None:
    one = classifier_card("nih-mini")
    kept = kept_numbers(one)
    replace(kept, folds=kept.folds[::-1].copy()).write(tmp_path / "kept")
    other = replace(one, name="another", cohort=str(tmp_path / "kept"))
    with pytest.raises(UnusableModel) as caught:
        ensemble.mean_numbers([one, other])
    wording(caught.value, "nih-mini")
