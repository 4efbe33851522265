"""The perturbed scores that ship with the cohort `nih-oof`: complete, out of fold, and near the plain scores."""

from __future__ import annotations

import numpy as np

from explorer.analysis.robustness.perturbed_films import read_level, scored_levels
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.listing import check_scores
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.perturbed_scores import known_levels, perturbed_folder
from explorer.workshop.shipping.nih_perturbed import FILMS, FOLDER, MODEL, chosen_rows
from explorer.workshop.shipping.phantom_perturbed import shipped_levels
from models.cards.classifier_card import classifier_card
from models.training.nih.kept_numbers import kept_numbers

NIH = Folder(CACHE / "nih-oof")


def test_every_level_ships_whole_and_says_that_it_is_out_of_fold() -> None:
    assert scored_levels(NIH, MODEL, "matched") == shipped_levels()
    kept = kept_numbers(classifier_card(MODEL))
    rows = chosen_rows(kept)
    assert len(rows) == FILMS and {kept.folders[row] for row in rows} == {FOLDER}
    for name, folder in known_levels(NIH, MODEL).items():
        check_scores(folder, name)
        table = read_table(folder.predictions(name) / "part-00000.parquet")
        assert set(table["case"].to_pylist()) == {kept.image_ids[row] for row in rows}
        assert read_model_manifest(folder.model(name)).split.startswith("out of fold")


def test_unchanged_films_have_nearly_the_plain_scores() -> None:
    """Other films, decoded by an earlier version and rounded, are a little apart; the ranks hardly are."""
    folder = perturbed_folder(NIH, MODEL)
    cases = sorted(set(read_table(folder.predictions("unchanged") / "part-00000.parquet")["case"].to_pylist()))
    findings = read_model_manifest(NIH.model(MODEL)).findings
    again, plain = (read_level(*each, cases, findings) for each in ((folder, "unchanged"), (NIH, MODEL)))
    assert np.median(np.abs(again - plain)) < 0.005
    assert np.corrcoef(again.ravel(), plain.ravel())[0, 1] > 0.99
