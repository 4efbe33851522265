"""Two models by finding: what the panel answers, and how it looks and sorts in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import expect

from explorer.analysis.comparisons.finding_differences import finding_differences
from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.cohorts.images import Images
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.shared.links import cohort_id, model_id
from explorer.ui.shared.services import Services
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.counted_apart import until
from tests.ui.evaluate_asker import Ask, Json, asker
from tests.ui.evaluate_room import NIH, state, wait_until_compared, wait_until_complete

ONE, TWO, THREE = (model_id(NAME, model) for model in MODELS)
WORDS = {
    "cohort": cohort_id(NAME),
    "models": ".".join((ONE, TWO, THREE)),
    "reference": ONE,
    "panel": "pair",
    "least": "1",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    made = write_several(tmp_path_factory.mktemp("cohorts"), 11, 60)
    return Store(lambda: (made.folder,))


@pytest.fixture(scope="module")
def ask(store: Store) -> Iterator[Ask]:
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        yield asker(Services(store, Images(), None, job))


def whole(ask: Ask, state: Json) -> Json:
    until(lambda: ask("panel", state, waiting=True), lambda answer: answer["stage"] != "computing")
    return ask("panel", state)


@pytest.mark.parametrize("kind", ["percentile", "bias-corrected"])
def test_the_figures_are_those_of_the_analysis(ask: Ask, store: Store, kind: str) -> None:
    found = whole(ask, {**WORDS, "other": TWO, "metric": "auroc", "intervals": kind})
    joint = joint_scores(store, Slice(NAME, MODELS[0]), (MODELS[0], MODELS[1]))
    expected = finding_differences(joint, 20, 3, intervals=kind).at_least(1)  # type: ignore[arg-type]
    assert found["content"]["model"] == "two" and not found["computing"]
    for row in found["content"]["rows"]:
        place = expected.findings.index(row["finding"])
        for ours, theirs in ((row["difference"], expected.differences["AUROC"]), (row["area"], expected.area)):
            assert theirs is not None
            for part, value in (("value", theirs.value), ("low", theirs.low), ("p", theirs.adjusted)):
                assert ours[part] == pytest.approx(value[place], nan_ok=True) or ours[part] is None


def test_only_the_two_models_are_asked(ask: Ask, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    scores = Store.scores

    def noted(self: Store, cohort: str, model: str, *rest: object) -> object:
        asked.append(model)
        return scores(self, cohort, model, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "scores", noted)
    whole(ask, {**WORDS, "other": THREE})
    assert set(asked) == {"one", "three"}


def test_words_that_are_not_there_are_ignored_and_said(ask: Ask) -> None:
    found = ask("panel", {**WORDS, "other": "m0", "least": "7"})
    assert found["content"]["model"] == "three" and found["content"]["least"] == 10  # sorted by name: one, three, two
    assert len(found["complaints"]) == 2 and "other" not in found["words"] and "least" not in found["words"]


@pytest.mark.browser
@pytest.mark.shared
def test_a_visitor_sorts_and_sees_what_may_be_chance(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="pair", metric="auroc")
    wait_until_complete(page)
    positives = page.locator(".pair-table tbody td:nth-of-type(1)").all_inner_texts()
    counts = [int(each.split()[0].replace(",", "")) for each in positives]
    assert counts == sorted(counts, reverse=True) and len(counts) == 15
    expect(page.locator(".pair-table thead th").last).to_contain_text("p by DeLong")
    expect(page.locator(".board-sentence")).to_contain_text("beyond chance")
    page.get_by_role("button", name="p adjusted").click()
    p = page.locator(".pair-table tbody td:nth-of-type(5)").all_inner_texts()
    known = [0.0 if each.startswith("<") else float(each) for each in p if each]
    assert known == sorted(known) and state(page)["by"] == "p"
    page.get_by_label("Tested from").select_option("n+ 50")
    wait_until_compared(page)
    expect(page.locator(".pair-untested").first).to_contain_text("too few to test")
    assert state(page)["least"] == "50"
    for width in (1440, 390):
        assert_accessible_at(page, width, within=".evaluate")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_means_from_a_minimum_are_the_leaderboards(ask: Ask) -> None:
    plain = ask("board", {**WORDS, "panel": ""})
    found = ask("board", {**WORDS, "panel": "", "means": "10", "intervals": "bias-corrected"})
    assert (found["minimum"], found["interval"]) == ("10", "bias-corrected")
    assert found["words"]["means"] == "10" and found["words"]["intervals"] == "bias-corrected"
    assert found["parts"][0]["counted"] < plain["parts"][0]["counted"]
    assert found["parts"][0]["fewest"] >= 10 > plain["parts"][0]["fewest"]
    wrong = ask("board", {**WORDS, "panel": "", "means": "7"})
    assert wrong["minimum"] == "" and "means" in " ".join(wrong["complaints"]) and "means" not in wrong["words"]


@pytest.mark.browser
@pytest.mark.shared
def test_a_visitor_leaves_rare_findings_out_of_means(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH)
    page.get_by_label("Means from").select_option("n+ 50")
    wait_until_compared(page)
    assert state(page)["means"] == "50"
    expect(page.locator(".board-part").first).to_contain_text("of 15 findings")
    page.get_by_role("button", name="Two models by finding").click()
    wait_until_compared(page)
    expect(page.get_by_label("Means from")).to_have_count(0)
    expect(page.get_by_label("Intervals")).to_have_value("percentile")
