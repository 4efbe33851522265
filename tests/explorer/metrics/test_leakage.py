"""Where something was fitted: told by cases, in any order, and never reported on them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from explorer.metrics.leakage import FittedOn, SameCases, named_columns
from tests.support.wording import Wording


def test_a_fingerprint_is_of_the_cases_and_not_of_their_order() -> None:
    place = FittedOn.of("fit", ["a", "b", "b", "c"], 4)
    assert place.cases == 3
    assert place.fingerprint == FittedOn.of("fit", ["c", "a", "b"], 3).fingerprint
    assert place.fingerprint != FittedOn.of("fit", ["a", "b"], 2).fingerprint
    assert len(place.fingerprint) == 16


def test_one_shared_case_is_enough_to_refuse(wording: Wording) -> None:
    place = FittedOn.of("center A", [f"film {i}" for i in range(5000)], 5000)
    place.refuse("The threshold", [f"film {i}" for i in range(5000, 9000)])
    with pytest.raises(SameCases) as caught:
        place.refuse("The threshold", [f"film {i}" for i in range(4999, 9000)])
    wording(caught.value, "5000 cases", "1")
    assert (caught.value.shared, caught.value.fitted_on) == (1, place)
    assert isinstance(caught.value, ValueError)


def test_ids_are_the_same_as_text_as_array_and_as_number() -> None:
    place = FittedOn.of("fit", np.array(["1", "2"]), 2)
    with pytest.raises(SameCases, match="2 of them"):
        place.refuse("It", [1, 2])


@pytest.mark.parametrize("same", [" 7", "7 ", 7, np.int64(7), np.str_("7")], ids=repr)
def test_blanks_and_types_do_not_make_another_case(same: object) -> None:
    with pytest.raises(SameCases):
        FittedOn.of("fit", ["7"], 1).refuse("It", [same])


@pytest.mark.parametrize("bad", [7.0, np.float64(7), b"7", True, None, float("nan"), "", " "], ids=repr)
def test_what_may_be_another_case_or_none_is_refused(bad: object, wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        FittedOn.of("fit", ["a", bad], 2)
    wording(caught.value, "case id")
    with pytest.raises(ValueError) as caught:
        FittedOn.of("fit", ["a"], 1).refuse("It", [bad])
    wording(caught.value, "case id")


def test_no_ids_are_refused() -> None:
    with pytest.raises(ValueError, match="no case ids"):
        FittedOn.of("fit", [], 0)
    with pytest.raises(ValueError, match="no case ids"):
        FittedOn.of("fit", ["a"], 1).refuse("It", [])


def test_a_file_s_name_that_is_no_text_is_an_id() -> None:
    with pytest.raises(SameCases):
        FittedOn.of("fit", ["film\udcff"], 1).refuse("It", ["film\udcff"])


def test_it_is_kept_as_json_without_the_ids() -> None:
    place = FittedOn.of("fit", ["patient 7", "patient 8"], 2)
    text = json.dumps(place.to_dict())
    assert FittedOn.from_dict(json.loads(text)) == place
    assert "patient" not in text + repr(place)


def test_ids_must_be_one_for_each_case() -> None:
    with pytest.raises(ValueError, match="2 ids for 3 cases"):
        FittedOn.of("fit", ["a", "b"], 3)
    with pytest.raises(ValueError, match="A single text"):
        FittedOn.of("fit", "abc", 3)


@pytest.mark.parametrize("findings", [["Edema"], ["Edema", "Edema"], ["Edema", "Mass", "Hernia"]])
def test_each_column_has_a_name_of_its_own(findings: list[str]) -> None:
    with pytest.raises(ValueError, match="for 2 columns"):
        named_columns(findings, np.zeros((1, 2)))
