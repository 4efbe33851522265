"""A dataset's center has the name that models' cards have for it: else nobody would say that a model learned there."""

from __future__ import annotations

from explorer.ingest.datasets import catalog
from models.cards.registry import registered_names, registry_table


def test_centers_of_datasets_are_those_that_cards_name() -> None:
    trained = {each["center"] for name in registered_names() for each in registry_table(name)[1].get("training", [])}
    centers = {each.center for each in vars(catalog).values() if isinstance(each, catalog.KnownDataset)}
    assert {"CheXpert", "MIMIC", "NIH", "PadChest", "VinDr"} <= centers
    assert {"CheXpert", "MIMIC", "NIH", "PadChest"} <= trained
    assert centers - trained <= {"VinDr", "MIDRC"}  # in which no registered model was trained
