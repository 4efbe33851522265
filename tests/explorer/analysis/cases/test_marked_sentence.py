from __future__ import annotations

from pathlib import Path

import pytest

from explorer.analysis.cases.marked_sentence import marked_sentence
from explorer.store.slices import Slice, sentence
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

FILMS = [Film(center, {"Mass": "present"}, {"Mass": 0.5}, center=center) for center in ("North", "South")]


@pytest.mark.parametrize(
    ("center", "mark"), [(None, ", in-sample at South"), ("South", ", in-sample at South"), ("North", "")]
)
def test_a_sentence_names_the_centers_that_the_model_was_trained_on(
    tmp_path: Path, center: str | None, mark: str
) -> None:
    store = store_of(write_small(tmp_path, FILMS, {"Mass": 0.5}, in_sample=("South",)))
    asked = Slice(NAME, MODEL, center=center)
    assert marked_sentence(store, asked) == f"{sentence(asked)}{mark}"
