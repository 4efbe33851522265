"""Words in a slice's fields: they stand for the values that they name, or are refused where the slice is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from explorer.core.findings import FrequencyGroup, Outcome
from explorer.store.filter_words import WrongFilter, named
from explorer.store.slices import Slice, sentence
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ({"outcomes": ("miss",)}, {"outcomes": (Outcome.MISS,)}),
        ({"outcomes": ["miss", "false-alarm"]}, {"outcomes": (Outcome.MISS, Outcome.FALSE_ALARM)}),
        ({"outcomes": "wrong"}, {"outcomes": (Outcome.MISS, Outcome.FALSE_ALARM)}),
        ({"outcomes": Outcome.HIT}, {"outcomes": (Outcome.HIT,)}),
        ({"group": "Very Rare"}, {"group": FrequencyGroup.VERY_RARE}),
        ({"age": "80+"}, {"age": "80+"}),
    ],
)
def test_words_are_the_values_they_name(words: dict[str, Any], values: dict[str, Any]) -> None:
    made = Slice(NAME, MODEL, **words)
    assert made == Slice(NAME, MODEL, **values) and hash(made) == hash(Slice(NAME, MODEL, **values))
    for name, value in values.items():
        assert getattr(made, name) == value and type(getattr(made, name)) is type(value)
    assert sentence(made) == sentence(Slice(NAME, MODEL, **values))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"outcomes": ("mis",)}, "miss, false alarm, hit"),
        ({"outcomes": "wron"}, "Did you mean wrong?"),
        ({"group": "very-rar"}, "you mean very rare"),
        ({"source": "mimic"}, "paper, padchest, nih, cohort"),
        ({"age": "50-60"}, "no age '50-60'"),
        ({"relation": "both"}, "no relation 'both'"),
    ],
)
def test_other_words_are_refused_where_the_slice_is_made(words: dict[str, Any], said: str, wording: Wording) -> None:
    with pytest.raises(WrongFilter) as refused:
        Slice(NAME, MODEL, **words)
    assert said in str(refused.value)
    wording(refused.value)


def test_a_slice_of_words_is_counted_shown_and_exported_alike(tmp_path: Path) -> None:
    films = [Film(str(n), {"Mass": ("present", "absent")[n % 2]}, {"Mass": n / 10}) for n in range(8)]
    store = store_of(write_small(tmp_path, films, {"Mass": 0.5}))
    chosen: Any = Slice(NAME, MODEL, outcomes=("miss",))  # type: ignore[arg-type]
    assert store.count(chosen).pairs == len(store.page(chosen)) == len(store.rows(chosen)) == 3


def test_two_names_that_differ_in_case_alone_are_told_apart() -> None:
    values = {"North": 1, "north": 2}
    assert named("No", "north", values) == 2
    with pytest.raises(WrongFilter, match="Did you mean North"):
        named("No", "NORTH", values)
