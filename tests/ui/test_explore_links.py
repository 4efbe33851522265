"""Words of an address and slices: there and back, and what becomes of words that mean nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from explorer.cohorts.layout import Folder
from explorer.cohorts.public_ids import opaque_id
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.scripts import STATIC_FOLDER
from explorer.ui.shared.facets import filters_payload
from explorer.ui.shared.links import PINNED_WORDS, WrongLink, cohort_id, resolve_link, resolve_slice, slice_words
from tests.ui.clinic import NAME, RUN, write_clinic


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = write_clinic(tmp_path_factory.mktemp("cohorts"))
    return Store(lambda: [folder])


PLAIN = Slice(NAME, "first")
SLICES = [
    PLAIN,
    Slice(NAME, "second", source="cohort", group=FrequencyGroup.VERY_RARE, center=RUN, finding="Mass"),
    Slice(NAME, "first", outcomes=(Outcome.CORRECT_REJECTION,), label_source=RUN, view="lateral", sex="F"),
    Slice(NAME, "first", outcomes=(Outcome.MISS, Outcome.FALSE_ALARM), age="80+", low=0.1, high=0.875),
    Slice(NAME, "first", task="unseen", age="80+", findings="4+"),
    Slice(NAME, "first", against="second", relation="both wrong"),
    Slice(NAME, "first", outcomes=(Outcome.MISS,), finding="Mass", called="Nodule"),
]


@pytest.mark.parametrize("there", SLICES, ids=range(len(SLICES)))
def test_a_slice_comes_back_from_its_words(clinic: Store, there: Slice) -> None:
    assert resolve_slice(clinic, slice_words(there)) == there


def test_how_a_finding_looks_comes_back_where_the_cohort_knows_it() -> None:
    store, there = Store(), Slice("phantom", "phantom", severity="faint", side="both", size="large")
    assert resolve_slice(store, slice_words(there)) == there
    assert slice_words(there).items() >= {"severity": "faint", "side": "both", "size": "large"}.items()
    store.close()


def test_words_of_an_address_say_nothing_of_a_visitors_own_data() -> None:
    words = " ".join(slice_words(SLICES[1]).values()) + " ".join(slice_words(SLICES[2]).values())
    assert NAME not in words and "second" not in words and "img" not in words


def test_an_empty_address_opens_with_the_misses(clinic: Store) -> None:
    understood = resolve_link(clinic, {})
    assert (understood.slice, understood.complaints) == (Slice(NAME, "first", outcomes=(Outcome.MISS,)), ())


@pytest.mark.parametrize(("cohort", "model"), [("phantom", "phantom"), ("nih-oof", "nih-ensemble")])
def test_a_shipped_cohort_opens_with_the_model_that_reads_such_films(cohort: str, model: str) -> None:
    """Whatever other models have scored it, and however they are called."""
    store = Store()
    assert len(store.models(cohort)) > 2
    assert resolve_link(store, {"cohort": cohort_id(cohort)}).slice.model == model
    store.close()


def test_an_address_without_an_outcome_is_not_given_one(clinic: Store) -> None:
    assert resolve_slice(clinic, {"cohort": opaque_id(NAME)}) == PLAIN


@pytest.mark.parametrize(
    ("word", "value", "complaint"),
    [
        ("cohort", "clinic", "a cohort that is not on this machine"),
        ("model", opaque_id(NAME, "model", "third"), "a model"),
        ("source", "journal", "source of frequency groups"),
        ("group", "extremely-rare", "frequency group"),
        ("task", "nih", "task of CXR-LT 2026"),
        ("center", opaque_id("other", "center", "North"), "a center"),
        ("finding", "Mass", "a finding"),
        ("outcome", "error", "outcome"),
        ("labels", "reports", "labels"),
        ("view", "ll", "a view"),
        ("findings", "5", "number of findings"),
        ("severity", "faint", "a severity"),
        ("side", "left", "a side"),
        ("size", "small", "a size"),
        ("sex", "x", "a sex"),
        ("age", "80+", "age band"),
        ("low", "much", "not a number"),
        ("high", "inf", "not a number"),
        ("against", opaque_id(NAME, "model", "first"), "a second model"),
        ("relation", "better", "comparison"),
    ],
)
def test_a_word_that_means_nothing_is_told_and_left_out(clinic: Store, word: str, value: str, complaint: str) -> None:
    state = {"cohort": opaque_id(NAME), "sex": "m"} | {word: value}
    understood = resolve_link(clinic, state)
    assert any(complaint in each for each in understood.complaints), understood.complaints
    with pytest.raises(WrongLink, match=complaint):
        resolve_slice(clinic, state)
    assert resolve_slice(clinic, slice_words(understood.slice)) == understood.slice


@pytest.mark.parametrize("state", [{"low": "0.5", "high": "0.5"}, {"relation": "disagree"}])
def test_words_that_do_not_fit_each_other_are_left_out(clinic: Store, state: dict[str, str]) -> None:
    understood = resolve_link(clinic, state | {"cohort": opaque_id(NAME)})
    assert understood.slice == PLAIN
    assert len(understood.complaints) == 1


@settings(max_examples=60)
@given(
    some.dictionaries(
        some.sampled_from(sorted(slice_words(SLICES[1])) + ["low", "page", "against"]),
        some.text() | some.integers() | some.none(),
    )
)
def test_whatever_is_sent_gives_a_slice(clinic: Store, state: dict[str, object]) -> None:
    understood = resolve_link(clinic, state)
    assert resolve_slice(clinic, slice_words(understood.slice)) == understood.slice


def nowhere() -> list[Folder]:
    return []


def unscored(place: Path) -> Callable[[], list[Folder]]:
    folder = write_clinic(place)
    for path in (folder.path / "models").iterdir():
        path.unlink()
    return lambda: [folder]


def test_without_a_cohort_it_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(WrongLink, match="python -m explorer demo"):
        resolve_link(Store(nowhere), {})
    with pytest.raises(WrongLink, match="python -m explorer score"):
        resolve_link(Store(unscored(tmp_path)), {})


def test_another_cohort_or_model_clears_the_words_that_mean_nothing_there() -> None:
    entries = {each["key"]: each for each in filters_payload()}
    assert set(entries["model"]["clears"]) == {"low", "high", "against", "relation", "lasso"}
    bound_to_cohort = {"source", "center", "split", "labels", "uncertain", "severity", "side", "size", "marked"}
    assert set(entries["cohort"]["clears"]) - set(entries["model"]["clears"]) == {
        *bound_to_cohort,
        "model",
        *PINNED_WORDS,
    }
    assert [each["key"] for each in entries.values() if each["kind"] != "list"] == ["score", "relation", "lasso"]


def test_the_script_asks_an_entry_what_it_is_and_no_key() -> None:
    """A new filter needs no line in the script."""
    script = (STATIC_FOLDER / "explore" / "filters.js").read_text(encoding="utf-8")
    assert not re.findall(r'(?<!event\.)\bkey [!=]== "', script)
