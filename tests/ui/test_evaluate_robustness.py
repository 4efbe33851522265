"""Robustness: what the panel answers, and how it looks and leads to films in a browser."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.robustness.perturbed_films import perturbed_films
from explorer.analysis.robustness.report import robustness as compared
from explorer.cohorts.images import Images
from explorer.published.perturbed_teams import perturbed_teams
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.evaluate import film_list_call
from explorer.ui.evaluate.panels import robustness
from explorer.ui.evaluate.panels.robustness_chart import strengths_chart
from explorer.ui.shared.links import cohort_id, model_id, resolve_slice
from explorer.ui.shared.services import Services
from tests.support.small_cohort import MODEL, NAME, Film, write_small
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.counted_apart import until
from tests.ui.evaluate_asker import Ask, Json, asker
from tests.ui.evaluate_room import NIH, state, wait_until_compared, wait_until_complete
from tests.ui.explore_room import SLOW

PHANTOM = cohort_id("phantom")
CUTS = {"Nodule": 0.5, "Hernia": 0.5}
WITHOUT, HERNIA, NODULE = ("absent", "absent"), ("absent", "present"), ("present", "absent")
LABELS = (WITHOUT, HERNIA, NODULE, HERNIA, NODULE)
FILMS = [
    Film(f"film {number}", {"Nodule": nodule, "Hernia": hernia}, {"Nodule": 0.1 * number, "Hernia": 0.05 * number})
    for number, (nodule, hernia) in enumerate(LABELS * 2)
]
FLIPPED = [replace(film, scores={**film.scores, "Nodule": 0.2}) if film.case == "film 7" else film for film in FILMS]
WORDS = {"cohort": cohort_id(NAME), "panel": "robustness"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A cohort with two levels; at the second, film 7's nodule falls below the threshold."""
    folder = write_small(tmp_path_factory.mktemp("cohorts"), FILMS, CUTS)
    for level, films in (("unchanged", FILMS), ("inversion", FILMS), ("rotation-2", FLIPPED)):
        write_small(folder.path / "perturbed", films, CUTS, name=MODEL, model=level)
    return Store(lambda: (folder,))


@pytest.fixture(scope="module")
def services(store: Store) -> Iterator[Services]:
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        yield Services(store, Images(), None, job)


@pytest.fixture(scope="module")
def ask(services: Services) -> Ask:
    return asker(services)


def whole(ask: Ask, state: Json) -> Json:
    until(lambda: ask("panel", state, waiting=True), lambda answer: answer["stage"] != "computing")
    return ask("panel", state)


def test_points_come_first_and_intervals_later(ask: Ask) -> None:
    first = ask("panel", WORDS)
    assert first["stage"] == "panel" and first["content"]["found"]["sentences"]
    found = whole(ask, WORDS)
    assert not found["computing"]
    sentence = found["content"]["found"]["sentences"][0]
    assert sentence.startswith("Of 1 level with a strength, Rotated at strength 2 costs most") and "[" in sentence
    assert found["title"] == "reader on perturbed films of small: 10 films of 10 patients"


def test_points_of_many_films_are_computed_in_the_background(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robustness, "AT_ONCE", 0)
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        ask = asker(Services(store, Images(), None, job))
        first = ask("panel", WORDS)
        assert first["computing"] and first["content"]["found"] is None
        until(lambda: ask("panel", WORDS), lambda answer: answer["content"]["found"] is not None)
        assert "[" in whole(ask, WORDS)["content"]["found"]["sentences"][0]


def test_every_fold_is_a_table_and_the_paper_is_another_test_set(ask: Ask) -> None:
    found = whole(ask, {**WORDS, "metric": "recall"})
    assert found["content"]["measure"] == "sensitivity"
    tables = {table["word"]: table for table in found["content"]["found"]["tables"]}
    assert list(tables) == ["levels", "flips-0", "flips-1", "kinds", "paper"]
    for table in tables.values():
        assert {len(row) for row in table["rows"]} == {len(table["heads"])}
    assert "another test set" in tables["paper"]["title"].lower()
    assert len(tables["paper"]["rows"]) == 9  # six teams, then three


@pytest.mark.parametrize(
    ("metric", "measure"), [("ap", "AP"), ("ece", "ECE"), ("precision", "precision"), ("recall", "sensitivity")]
)
def test_every_metric_of_the_page_is_drawn(ask: Ask, metric: str, measure: str) -> None:
    content = whole(ask, {**WORDS, "metric": metric})["content"]
    assert content["measure"] == measure and len(content["measures"]) == 6
    found = content["found"]
    drawn = {trace["name"] for trace in found["switched"]["data"]}
    published = "CXR-LT 2026, another test set"
    assert (published in drawn) == (metric != "ece")  # which the paper does not print as an ECE
    assert ("so its teams are not shown" in found["switched_title"]) == (metric == "ece")
    assert found["strengths"]["data"]


def test_the_kind_that_raises_the_calibration_error_most_comes_first(tmp_path: Path) -> None:
    better = [replace(film, scores={**film.scores, "Nodule": 1.0}) if film.case == "film 7" else film for film in FILMS]
    folder = write_small(tmp_path, FILMS, CUTS)
    for level, films in (("unchanged", FILMS), ("rotation-2", better), ("shift-2", FLIPPED)):
        write_small(folder.path / "perturbed", films, CUTS, name=MODEL, model=level)
    found = compared(Store(lambda: (folder,)), Slice(NAME, MODEL), "matched", 0, 0)
    chart = strengths_chart(found, 0, "ECE")
    assert chart is not None
    first, second = (line["y"][0] for line in chart["data"])
    assert first > 0 > second  # a score nearer to its label lowers ECE


def test_the_papers_figures_are_the_printed_ones() -> None:
    team, *_ = perturbed_teams("mAP")
    assert (team.team, team.original, team.perturbed) == ("A", 0.585, 0.529)
    assert team.change == pytest.approx(-0.056)


def test_the_least_stable_film_comes_first_and_leads_to_its_case(ask: Ask, store: Store) -> None:
    unstable, switched = whole(ask, WORDS)["content"]["found"]["unstable"]
    assert (switched["kinds"], switched["levels"], switched["films"]) == ("on_or_off", 1, [])  # inverted gray
    (film,) = unstable["films"]
    assert (film["case"], film["finding"], film["outcome"], film["flips"]) == ("film 7", "Nodule", "hit", 1)
    assert unstable["levels"] == 1
    shown = resolve_slice(store, {name: word for name, word in film["words"].items() if name != "case"})
    assert shown.finding == "Nodule" and store.case_named(NAME, film["words"]["case"]) == "film 7"


def test_the_films_are_saved_as_a_list_that_is_a_slice(
    services: Services, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    (listed,) = film_list_call.calls(services)
    answer = listed({"state": WORDS})
    assert isinstance(answer, dict) and answer["stage"] == "films listed"
    marked = resolve_slice(store, answer["words"]).marked
    assert marked is not None and (marked.name, marked.cases) == ("Least stable by reader", ("film 7",))


def test_the_films_least_stable_on_kinds_that_are_on_or_off_are_a_list_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    folder = write_small(tmp_path / "cohorts", FILMS, CUTS)
    for level, films in (("unchanged", FILMS), ("inversion", FLIPPED), ("rotation-2", FILMS)):
        write_small(folder.path / "perturbed", films, CUTS, name=MODEL, model=level)
    store = Store(lambda: (folder,))
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        (listed,) = film_list_call.calls(Services(store, Images(), None, job))
        answer = listed({"state": WORDS, "kinds": "on_or_off"})
    assert isinstance(answer, dict) and answer["stage"] == "films listed"
    marked = resolve_slice(store, answer["words"]).marked
    assert marked is not None and (marked.name, marked.cases) == ("Least stable (on or off) by reader", ("film 7",))


def test_without_perturbed_scores_the_panel_says_which_command_makes_them(tmp_path: Path) -> None:
    folder = write_small(tmp_path, FILMS, CUTS)
    store = Store(lambda: (folder,))
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        answer = asker(Services(store, Images(), None, job))("panel", WORDS)
    assert answer["stage"] == "panel" and not answer["computing"] and answer["content"]["found"] is None
    assert "score --cohort small --model reader --perturb all" in answer["content"]["missing"]
    assert "10 films 106 times each" in answer["content"]["missing"]


@pytest.mark.parametrize(("kind", "part"), [("csv", ",rotation,2,"), ("markdown", "Rotated"), ("latex", "Rotated")])
def test_the_panel_is_saved_as_a_table(ask: Ask, kind: str, part: str) -> None:
    found = ask("board_file", WORDS, kind=kind)
    assert found["stage"] == "export" and found["name"].startswith("tailscope_robustness_")
    assert part in b64decode(found["data"]).decode()


def test_words_that_are_not_there_are_ignored_and_said(ask: Ask) -> None:
    found = ask("panel", {**WORDS, "of": "m0", "part": "none"})
    assert found["content"]["model"] == MODEL and len(found["complaints"]) == 2
    assert "of" not in found["words"] and "part" not in found["words"]


def test_only_films_of_the_slice_are_read(store: Store) -> None:
    films = perturbed_films(store, Slice(NAME, MODEL, center="North"), MODEL, "matched")
    assert films.cases == tuple(sorted(film.case for film in FILMS)) and films.sides is None


@pytest.mark.browser
@pytest.mark.shared
def test_a_visitor_sees_what_costs_most_and_opens_the_least_stable_films(new_board: NewVisitor) -> None:
    page = new_board(cohort=PHANTOM, panel="robustness", models=model_id("phantom", "phantom"))
    wait_until_complete(page)
    first = page.locator(".robustness-first")
    expect(first).to_contain_text("costs most: mean AP \N{MINUS SIGN}")
    expect(first).to_contain_text("[")
    assert page.locator(".chart-drawn .main-svg").first.is_visible()
    for width in (1440, 1024, 390):
        assert_accessible_at(page, width, within=".evaluate")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("[data-key='choose part']").select_option("very rare")
    wait_until_compared(page)
    assert state(page)["part"] == "very-rare"
    page.locator(".robustness-films summary").click()
    page.get_by_role("button", name="Open these").click()
    page.locator(".explore:not([data-state=opening]):not(.pending)").wait_for(timeout=SLOW)
    expect(page.locator(".explore .saying")).to_contain_text("Least stable by phantom", timeout=SLOW)


@pytest.mark.browser
@pytest.mark.shared
def test_a_model_without_perturbed_scores_shows_the_command(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="robustness", of=model_id("nih-oof", "nih-mini"))
    wait_until_compared(page)
    expect(page.locator(".robustness-missing")).to_contain_text("nih-mini has not scored perturbed films of nih-oof")
    expect(page.locator(".robustness-missing code")).to_contain_text("--perturb all")


@pytest.mark.browser
@pytest.mark.shared
def test_six_metrics_are_opened_below_the_leaderboard(new_board: NewVisitor) -> None:
    page: Page = new_board(cohort=NIH)
    wait_until_compared(page)
    page.get_by_role("button", name="Six metrics at a glance").click()
    wait_until_compared(page)
    assert state(page)["panel"] == "glance"
    expect(page.locator(".evaluate-panels [data-panel='']")).to_have_attribute("aria-current", "true")
    page.locator(".evaluate-panels [data-panel='']").click()
    wait_until_compared(page)
    expect(page.locator(".board-table")).to_be_visible()
