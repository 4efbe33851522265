"""The filter by split: its films, its word for films without one, its address."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts.schema import NO_SPLIT
from explorer.store.slices import Slice
from explorer.store.where_words import slice_in
from explorer.ui.shared.links import resolve_slice, slice_words
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

SPLITS = ("val", "test", "test", None)


def test_films_of_a_split_are_counted_named_and_linked(tmp_path: Path) -> None:
    films = [Film(str(n), {"Mass": "present"}, {"Mass": 0.5}, split=split) for n, split in enumerate(SPLITS)]
    store = store_of(write_small(tmp_path, films, {"Mass": 0.4}))
    assert store.facets(NAME, MODEL).of_films["part"] == {NO_SPLIT: 1, "test": 2, "val": 1}
    for split, count in (("val", 1), ("test", 2), (NO_SPLIT, 1)):
        chosen = slice_in(store, NAME, MODEL, f"split={split}", {})
        assert chosen.split == split and store.count(chosen).films == count
        words = slice_words(chosen)
        assert words["split"] != split, "a split's name may be a visitor's"
        assert resolve_slice(store, dict(words)) == chosen
    assert store.rows(Slice(NAME, MODEL, split="val")).column("split").to_pylist() == ["val"]
    with pytest.raises(Exception, match="split=train"):
        slice_in(store, NAME, MODEL, "split=train", {})
