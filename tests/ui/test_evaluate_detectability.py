"""Detectability: what the panel answers, and how it looks and leads to films in a browser."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.store.store import Store
from explorer.ui.evaluate import film_list_call
from explorer.ui.shared.links import cohort_id, model_id, resolve_slice
from explorer.ui.shared.services import Services
from tests.explorer.analysis.detectability.test_detectability import CUTS, FILMS, RIGHT, ROWS
from tests.support.inserted_rows import mass_rows, write_rows
from tests.support.small_cohort import MODEL, NAME, write_small
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_asker import Ask, Json, asker
from tests.ui.evaluate_room import NIH, state, wait_until_compared
from tests.ui.explore_room import SLOW

PHANTOM = cohort_id("phantom")
WORDS = {"cohort": cohort_id(NAME), "panel": "detectability", "models": model_id(NAME, MODEL)}
OTHER = model_id(NAME, "other")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two models have scored inserted findings, and a third has not."""
    folder = write_small(tmp_path_factory.mktemp("cohorts"), FILMS, CUTS)
    for name in ("other", "third"):
        write_small(folder.path.parent, FILMS, CUTS, model=name)
    write_rows(folder, ROWS)
    write_rows(folder, mass_rows([(0.9, 0.9, 0.9) for _ in RIGHT], "right base", 0.3), "other")
    return Store(lambda: (folder,))


@pytest.fixture(scope="module")
def services(store: Store) -> Iterator[Services]:
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        yield Services(store, Images(), None, job)


@pytest.fixture(scope="module")
def ask(services: Services) -> Ask:
    return asker(services)


def shown(ask: Ask, **words: str) -> Json:
    answer = ask("panel", WORDS | words)
    assert answer["stage"] == "panel" and not answer["computing"]
    return answer


def test_one_model_shows_every_finding(ask: Ask) -> None:
    answer = shown(ask, other="none")
    found = answer["content"]["found"]
    assert found["sentences"][0].startswith("Mass, severity 0.6: reader flags 50 % [")
    assert [each["name"] for each in found["findings"]] == ["Mass", "Pleural Effusion"]
    assert [each["word"] for each in found["severities"]] == ["0.3", "0.6", "0.9"]
    assert [table["word"] for table in found["tables"]] == ["severities", "groups", "without"]
    for table in found["tables"]:
        assert {len(row) for row in table["rows"]} == {len(table["heads"])}
    assert answer["notes"][0].startswith("SIMULATED FINDINGS") and "SIMULATED findings" in answer["title"]


def test_two_models_are_compared_on_what_both_scored(ask: Ask) -> None:
    content = shown(ask)["content"]
    assert content["other"] == OTHER and [each["name"] for each in content["others"]] == ["none", "other"]
    assert [each["name"] for each in content["found"]["findings"]] == ["Mass"]
    sentence = content["found"]["sentences"][1]
    assert sentence.startswith("other flags 100 % [") and "a difference of +25 [" in sentence
    assert "difference, percentage points" in content["found"]["tables"][0]["heads"]


def test_words_choose_finding_severity_and_models(ask: Ask) -> None:
    answer = shown(ask, of=OTHER, other="none", grade="0.9")
    assert answer["content"]["model"] == "other" and answer["content"]["found"]["severity"] == "0.9"
    assert {name: answer["words"][name] for name in ("of", "other", "grade")} == {
        "of": OTHER,
        "other": "none",
        "grade": "0.9",
    }
    effusion = shown(ask, other="none", inserted="pleural-effusion")["content"]["found"]
    assert effusion["severity"] == "0.6" and effusion["sentences"][0].startswith("Pleural Effusion, severity 0.6")


def test_words_that_are_not_there_are_ignored_and_said(ask: Ask) -> None:
    answer = shown(ask, of="m0", inserted="none", grade="7")
    assert len(answer["complaints"]) == 2
    assert not {"of", "inserted", "grade"} & set(answer["words"])


def test_films_on_which_least_is_flagged_lead_to_their_cases_and_are_saved(
    ask: Ask, services: Services, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind = shown(ask, other="none")["content"]["found"]["blind"]
    assert (blind["every"], blind["of"]) == (3, 4)
    first = blind["films"][0]
    assert (first["case"], first["flagged"], first["inserted"]) == ("film 3", 0, 6)
    assert store.case_named(NAME, first["words"]["case"]) == "film 3"
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    (listed,) = film_list_call.calls(services)
    answer = listed({"state": WORDS | {"other": "none"}})
    assert isinstance(answer, dict) and answer["stage"] == "films listed"
    marked = resolve_slice(store, answer["words"]).marked
    assert marked is not None and marked.name == "Mass least flagged by reader"
    assert set(marked.cases) == {"film 0", "film 1", "film 3"}


def test_a_model_without_inserted_findings_leaves_the_place_to_one_that_has(ask: Ask) -> None:
    answer = shown(ask, models=model_id(NAME, "third"))
    assert answer["content"]["model"] in ("other", MODEL)


def test_without_any_scores_the_panel_says_which_command_makes_them(tmp_path: Path) -> None:
    folder = write_small(tmp_path, FILMS, CUTS)
    store = Store(lambda: (folder,))
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        answer = asker(Services(store, Images(), None, job))("panel", WORDS)
    assert answer["stage"] == "panel" and answer["content"]["found"] is None
    assert "score --cohort small --model reader --insert" in answer["content"]["missing"]


@pytest.mark.parametrize(("kind", "part"), [("csv", ",Mass,0.6,"), ("markdown", "Mass"), ("latex", "Mass")])
def test_the_panel_is_saved_as_a_table(ask: Ask, kind: str, part: str) -> None:
    found = ask("board_file", WORDS, kind=kind)
    assert found["stage"] == "export" and found["name"].startswith("tailscope_detectability_")
    assert part in b64decode(found["data"]).decode()


@pytest.mark.browser
@pytest.mark.shared
def test_a_visitor_goes_from_robustness_to_detectability_and_opens_blind_films(new_board: NewVisitor) -> None:
    page = new_board(cohort=PHANTOM, panel="robustness", models=model_id("phantom", "phantom"))
    wait_until_compared(page)
    page.get_by_role("button", name="Inserted findings").click()
    wait_until_compared(page)
    assert state(page)["panel"] == "detectability"
    expect(page.locator(".evaluate-panels [data-panel='robustness']")).to_have_attribute("aria-current", "true")
    first = page.locator(".detectability-first")
    expect(first).to_contain_text("severity 0.6: phantom flags")
    expect(first).to_contain_text("[")
    assert page.locator(".chart-drawn .main-svg").first.is_visible()
    page.locator("[data-key='panel detectability finding']").select_option("mass")
    wait_until_compared(page)
    expect(first).to_contain_text("Mass, severity 0.6")
    page.locator("[data-key='panel detectability severity']").select_option("0.9")
    wait_until_compared(page)
    expect(first).to_contain_text("Mass, severity 0.9")
    page.locator(".detectability-scores summary").click()
    expect(page.locator(".detectability-scores .main-svg").first).to_be_visible()
    for width in (1440, 1024, 390):
        assert_accessible_at(page, width, within=".evaluate")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(".detectability-films summary").click()
    page.get_by_role("button", name="Open these").click()
    page.locator(".explore:not([data-state=opening]):not(.pending)").wait_for(timeout=SLOW)
    expect(page.locator(".explore .saying")).to_contain_text("Mass least flagged by phantom", timeout=SLOW)


@pytest.mark.browser
@pytest.mark.shared
def test_real_films_say_whether_to_believe_the_inserted_finding(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="detectability")
    wait_until_compared(page)
    expect(page.locator(".evaluate")).to_contain_text("SIMULATED findings inserted into")
    expect(page.locator(".counts-line").filter(has_text="as it sees real ones")).to_be_visible()
    expect(page.locator(".what-counts")).to_contain_text("out of fold")
