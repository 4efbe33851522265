"""Two slices, confusions and label issues over the real nih-oof: their numbers are those counted apart."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from explorer.core.findings import FrequencyGroup, Outcome
from explorer.store.slices import Slice
from explorer.ui.shared.links import slice_words
from explorer.ui.shared.services import Services
from tests.ui.counted_apart import COHORT, MODEL, Apart
from tests.ui.panel_asker import NIH_OOF, Ask, all_of, compared, counted, panel_asker, services_of
from tests.ui.three_centers import NAME, UNLABELLED, three_centers

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def apart() -> Apart:
    return Apart(NIH_OOF)


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    with services_of(three_centers(tmp_path_factory.mktemp("cohorts"))) as services:
        yield services


@pytest.fixture(scope="module")
def ask(services: Services) -> Ask:
    return panel_asker(services)


def test_two_slices_have_the_numbers_of_each(ask: Ask, apart: Apart) -> None:
    women, men = all_of(sex="F", outcomes=(Outcome.MISS,)), all_of(sex="M")
    words = {"beside": urlencode(slice_words(men))}
    (at_once,) = ask("two_slices", women, words=words)["against"]
    assert at_once["films"] == [int((apart.cases["sex"] == sex).sum()) for sex in "FM"]
    assert at_once["shared"] == 0
    assert at_once["counts"][1]["pairs"] == at_once["films"][1] * 15 > at_once["counts"][0]["pairs"]
    answer = compared(ask, women, words)
    (found,) = answer["against"]
    assert len(found["pairs"]) == 90
    for pair in found["pairs"]:
        if pair["measure"] != "sensitivity":
            continue
        for side, sex in (("one", "F"), ("other", "M")):
            (hits, n), _ = apart.rates(pair["finding"], apart.cases["sex"].astype(str) == sex)
            assert pair[side]["n"] == n and pair[side]["value"] == pytest.approx(hits / n)
        gap = pair["difference"]
        assert gap["value"] == pytest.approx(pair["one"]["value"] - pair["other"]["value"])
        assert gap["marked"] == (gap["p"] is not None and gap["p"] <= 0.05)
        assert not gap["marked"] or not gap["low"] <= 0 <= gap["high"]
        assert pair["one"]["chance"] is None and not gap["other_prevalence"]
    assert "isses" in answer["sentences"][0] and "isses" not in answer["over"][0]


def test_a_slice_is_compared_with_each_that_is_pinned(ask: Ask) -> None:
    pinned = [all_of(sex="M"), all_of(view="AP"), all_of()]
    words = dict(zip(("beside", "beside2", "beside3"), (urlencode(slice_words(each)) for each in pinned), strict=True))
    women = all_of(sex="F")
    together = compared(ask, women, words)
    assert len(together["sentences"]) == len(together["over"]) == 4
    assert [each["films"][0] for each in together["against"]] == [together["against"][0]["films"][0]] * 3
    for word, found in zip(words.values(), together["against"], strict=True):
        (alone,) = ask("two_slices", women, words={"beside": word})["against"]
        assert all(pair["known"] for pair in alone["pairs"]) and without_p(alone) == without_p(found)


def without_p(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The pairs without what is adjusted over all that is pinned."""
    return [{**pair, "difference": {**pair["difference"], "p": None, "marked": None}} for pair in found["pairs"]]


def test_marks_are_corrected_over_all_that_is_shown_and_only_those_of_rates_come_at_once(ask: Ask) -> None:
    """Findings, measures and slices that are pinned: with more of them fewer differences pass."""
    first = {"beside": urlencode(slice_words(all_of(view="PA")))}
    answer = compared(ask, all_of(view="AP"), first)
    gaps = [pair["difference"] for pair in answer["against"][0]["pairs"]]
    apart = [gap for gap in gaps if gap["low"] is not None and not gap["other_prevalence"]]
    outside = [gap for gap in apart if not gap["low"] <= 0 <= gap["high"]]
    assert 0 < sum(gap["marked"] for gap in gaps) < len(outside)
    assert all(gap["p"] is None for gap in gaps if gap["low"] is None or gap["other_prevalence"])
    half_way = {"beside2": urlencode(slice_words(all_of(sex="M", view="PA"))), **first}
    computing = ask("two_slices", all_of(view="AP"), words=half_way)
    pairs = [pair for each in computing["against"] for pair in each["pairs"]]
    rates = [pair for pair in pairs if pair["measure"] in ("sensitivity", "specificity")]
    assert all(pair["known"] for pair in rates) and any(pair["difference"]["p"] is not None for pair in rates)
    if not all(pair["known"] for pair in pairs):
        assert not any(pair["difference"]["marked"] for pair in pairs if pair not in rates)


def test_the_same_slice_twice_does_not_differ(ask: Ask) -> None:
    words = {"beside": urlencode(slice_words(all_of()))}
    answer = compared(ask, all_of(), words)
    (found,) = answer["against"]
    assert found["shared"] == found["films"][0] == 1650
    assert all(pair["difference"]["value"] == 0 and not pair["difference"]["marked"] for pair in found["pairs"])


def test_a_poll_of_a_comparison_brings_only_findings_that_are_new(ask: Ask) -> None:
    words, old = {"beside": urlencode(slice_words(all_of(age="60-79")))}, all_of(age="80+")
    known: set[str] = set()
    while len(known) < 14:
        (pairs,) = ask("compared_intervals", old, words=words, known=sorted(known))["against"]
        new = {pair["word"] for pair in pairs}
        assert all(pair["known"] for pair in pairs) and len(pairs) == 6 * len(new)
        assert not new & known or len(new) == 15  # at the end all come again, with their marks
        known |= new
        time.sleep(0.02)


def test_a_pinned_slice_that_is_not_here_is_refused_in_words(ask: Ask) -> None:
    answer = ask("two_slices", all_of(), words={"beside": "cohort=0123456789abcdef"})
    assert answer["stage"] == "refused" and answer["title"] and answer["detail"]
    assert ask("two_slices", all_of())["stage"] == "nothing pinned"


def test_confused_with_is_counted_apart(ask: Ask, apart: Apart) -> None:
    answer = ask("confused_with", all_of(finding="Nodule"))
    missed = (apart.labels["Nodule"] == 1) & (apart.called("Nodule") == 0)
    assert counted(answer["misses"]) == (missed.sum(), int(apart.labels["Nodule"].sum()))
    assert len(answer["confused"]) == 14
    for other in answer["confused"]:
        called = apart.called(other["finding"])
        assert counted(other["among"]) == (called[missed].sum(), missed.sum())
        assert counted(other["rest"]) == (called[~missed].sum(), (~missed).sum())
        if other["rest"]["hits"]:
            assert other["ratio"]["value"] == pytest.approx(called[missed].mean() / called[~missed].mean())
    surplus = [(other["among"]["value"] - other["rest"]["value"]) for other in answer["confused"]]
    assert surplus == sorted(surplus, reverse=True)


def test_the_films_of_confused_with_are_those_missed_and_called(ask: Ask, apart: Apart, services: Services) -> None:
    asked = all_of(finding="Nodule", outcomes=(Outcome.MISS,), called="Mass")
    both = (apart.labels["Nodule"] == 1) & (apart.called("Nodule") == 0) & (apart.called("Mass") == 1)
    assert services.store.count(asked).films == both.sum() > 3
    assert {film.case for film in services.store.page(asked, size=1000)} == set(both[both].index)
    confused = {other["finding"]: other["among"]["hits"] for other in ask("confused_with", asked)["confused"]}
    assert confused["Mass"] == both.sum()


def test_without_a_finding_those_missed_most_are_offered(ask: Ask, apart: Apart) -> None:
    candidates = ask("confused_with", all_of())["candidates"]
    misses = [each["misses"]["hits"] for each in candidates]
    assert len(candidates) == 8 and misses == sorted(misses, reverse=True)
    assert ask("confused_with", Slice(NAME, MODEL, center=UNLABELLED))["positives"] == 0
    first = candidates[0]["finding"]
    assert misses[0] == int(((apart.labels[first] == 1) & (apart.called(first) == 0)).sum())


def test_label_issues_name_their_films_and_leave_rare_findings_to_themselves(ask: Ask, services: Services) -> None:
    answer = ask("label_issues", all_of(source="nih"))
    rules = {rule["rule"]: rule for rule in answer["rules"]}
    assert list(rules) == ["contradiction", "near-duplicate", "missing", "confident"]
    assert rules["confident"]["total"] >= len(rules["confident"]["issues"]) > 5
    rare = {
        line["finding"]
        for line in ask("cell_table", all_of(source="nih"))["lines"]
        if line["group"] in (FrequencyGroup.RARE, FrequencyGroup.VERY_RARE)
    }
    left_out = {each["finding"] for each in rules["confident"]["excluded"]}
    assert rare and rare <= left_out
    assert not left_out & {issue["finding"] for issue in rules["confident"]["issues"]}
    for rule in answer["rules"]:
        for issue in rule["issues"]:
            assert issue["reason"] and issue["films"]
            for film in issue["films"]:
                assert services.store.case_named(COHORT, film["id"]) == film["case"]
                assert film["thumb"] is None  # no folder of images was given
