"""A made-up map of the films of `big_cohort.py`, in groups as maps have them."""

from __future__ import annotations

import numpy as np

from explorer.cohorts.film_map import features_version, save_map
from explorer.cohorts.layout import Folder
from explorer.cohorts.parquet_files import read_table
from tests.support.brute_force import map_of

GROUPS = 40
Positions = dict[str, tuple[int, int]]


def write_map(folder: Folder, model: str) -> Positions:
    """Write a map for a model's films; returns the positions by case."""
    cases = read_table(folder.cases, ["case"])["case"].to_pylist()
    dice = np.random.default_rng(0)
    middles = dice.uniform(8000, 57_000, (GROUPS, 2))
    places = middles[dice.integers(0, GROUPS, len(cases))] + dice.normal(0, 2500, (len(cases), 2))
    found = dict(zip(cases, map(tuple, np.clip(places, 0, 65_535).astype(int).tolist()), strict=True))
    save_map(folder, model, map_of(model, found, features_version(folder, model)))
    return found
