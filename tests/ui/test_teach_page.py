"""A teacher makes playlists: from a slice, the simulator, a case; edits, reorders, takes along and brings back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.results import LearnerFilmAnswer
from explorer.school.playlists.playlist import FilmQuestion, PlaylistFilm
from explorer.school.playlists.playlist_json import parse_playlist
from explorer.school.playlists.truth import Truth
from explorer.ui.shared.links import cohort_id
from tests.explorer.school.classroom.kept_classes import keep_class
from tests.explorer.school.made import prepared_film
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible_at
from tests.ui.held import HeldAnswers
from tests.ui.text_shown import text_with
from tests.ui.windows import Kind, windows

pytestmark = pytest.mark.browser
COHORT = "phantom-small"
WIDTHS = (1440, 1024, 390)
SLOW = 20_000.0  # ms: a loaded machine


@pytest.fixture(scope="module")
def opened(chromium: Browser, phantom_server: Server) -> Iterator[Page]:
    """One window for all tests, which follow one another as a teacher's morning does."""
    with windows(chromium).window(1440, 900, Kind()) as page:
        page.set_default_timeout(SLOW)
        page.goto(f"{phantom_server.url}/#teach")
        wait_until_shown(page)
        yield page


@pytest.fixture
def page(opened: Page) -> Page:
    opened.set_viewport_size({"width": 1440, "height": 900})
    return opened


def wait_until_shown(page: Page) -> None:
    page.locator(".teach[data-state=shown]").wait_for(timeout=SLOW)


def labels(page: Page) -> list[str]:
    return page.locator(".film-labels").all_inner_texts()


def said(page: Page, words: str) -> None:
    expect(page.locator(".editor-said")).to_contain_text(words, timeout=SLOW)


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_without_a_playlist_the_page_says_what_one_is_and_what_to_do(page: Page, wording: Wording) -> None:
    expect(page.locator(".playlists-none")).to_contain_text("Make one here")
    expect(page.locator(".teach-section-name")).to_have_text(["Playlists", "Class", "Lessons", "Reviews"])
    expect(page.get_by_role("button", name="Draw films")).to_be_disabled()
    wording(text_with(page.locator(".new-slice")))
    page.get_by_role("button", name="From Simulate").click()
    assert page.url.endswith("#teach?new=simulate")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert fits(page)
    assert_accessible_at(page, *WIDTHS, within="#teach")


def test_a_slice_of_explore_becomes_a_playlist(page: Page) -> None:
    page.evaluate(f"location.hash = '#explore?cohort={cohort_id('phantom-small')}'")  # whatever became of a pair
    page.locator(".explore[data-state=shown]:not(.pending) .tile").first.wait_for(timeout=SLOW)
    page.get_by_role("button", name="For a class").click()
    page.get_by_role("option", name="Make a playlist").click()
    expect(page.locator(".new-slice")).to_contain_text("films", timeout=SLOW)
    new = page.locator(".playlist-new")
    new.get_by_label("Films", exact=True).fill("4")
    new.get_by_label("Balanced by").select_option("outcome")
    new.get_by_label("Question").select_option("present")
    new.get_by_label("Title").fill("Air")
    page.get_by_role("button", name="Draw films").click()
    said(page, "4 films added to Air. correct rejection 1, false alarm 1, hit 1, miss 1.")
    assert "#teach?playlist=" in page.url and len(labels(page)) == 4
    expect(page.locator(".film-picture img")).to_have_count(4)
    expect(page.locator(".playlist-line[aria-current]")).to_contain_text("4 films")
    expect(page.locator(".film-simulated").first).to_have_text("SIMULATED")


def test_what_is_edited_and_moved_by_keys_is_there_after_a_reload(page: Page) -> None:
    before = labels(page)
    page.locator(".film-note").first.fill("Look at the apex.")
    page.locator(".film-note").first.press("Tab")
    said(page, "Saved.")
    page.locator(".film-note").first.press("Alt+ArrowDown")
    said(page, "Moved to place 2 of 4.")
    expect(page.locator(".film-note").nth(1)).to_be_focused()
    page.get_by_role("button", name="Move up film 4").click()
    said(page, "Moved to place 3 of 4.")
    page.locator(".film-kind").first.select_option("normal")
    said(page, "Saved.")
    page.locator(".playlist-title").fill("Air, first part")
    page.locator(".playlist-title").press("Enter")
    expect(page.locator(".playlist-line[aria-current]")).to_contain_text("Air, first part")
    order = [before[1], before[0], before[3], before[2]]
    assert labels(page) == order
    page.reload()
    expect(page.locator(".editor-film")).to_have_count(4)
    assert labels(page) == order
    expect(page.locator(".film-note").nth(1)).to_have_value("Look at the apex.")
    expect(page.locator(".film-kind").first).to_have_value("normal")
    expect(page.locator(".playlist-title")).to_have_value("Air, first part")


def test_two_texts_that_are_typed_at_once_are_both_kept(page: Page) -> None:
    """The answer to the first came after the second was typed, and took it away again."""
    held = HeldAnswers(page, "playlist_saved")
    page.locator(".film-note").nth(2).fill("Air under the dome.")
    page.locator(".film-note").nth(2).blur()
    held.wait()
    page.locator(".film-before").nth(2).fill("Pain since the morning.")
    page.locator(".film-before").nth(2).blur()
    held.arrive()
    said(page, "Saved.")
    expect(page.locator(".film-before").nth(2)).to_have_value("Pain since the morning.")
    page.wait_for_timeout(500)  # until the second was saved, too
    page.reload()
    expect(page.locator(".film-before").nth(2)).to_have_value("Pain since the morning.")
    expect(page.locator(".film-note").nth(2)).to_have_value("Air under the dome.")


def test_a_film_is_dragged_by_its_number_and_taken_out_after_a_second_click(page: Page) -> None:
    before = labels(page)
    page.locator(".film-place").first.drag_to(page.locator(".editor-film").nth(2), target_position={"x": 60, "y": 90})
    said(page, "Moved to place 3 of 4.")
    assert labels(page) == [before[1], before[2], before[0], before[3]]
    away = page.get_by_role("button", name="Take out film 4")
    away.click()
    assert len(labels(page)) == 4
    away.click()
    said(page, "Film 4 removed.")
    assert labels(page) == [before[1], before[2], before[0]]


def test_hidden_labels_are_not_on_the_page_at_all(page: Page) -> None:
    shown = labels(page)
    page.get_by_role("switch", name="Hide labels").check()
    expect(page.locator(".playlist-editor")).to_have_attribute("data-hidden", "true")
    assert "hide=1" in page.url and labels(page) == ["", "", ""]
    assert not any(words.partition(" ")[0] in page.locator(".playlist-editor").inner_html() for words in shown)
    page.get_by_role("switch", name="Hide labels").uncheck()
    expect(page.locator(".playlist-editor")).to_have_attribute("data-hidden", "false")
    assert labels(page) == shown


def test_the_editor_fits_every_width_and_keeps_the_rules(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert fits(page)
        boxes = page.locator(".editor-film").first.locator("input:visible, select, textarea, button").all()
        assert all(
            box is not None and box["x"] + box["width"] <= width for box in (each.bounding_box() for each in boxes)
        )
    assert_accessible_at(page, *WIDTHS, within="#teach")


def test_a_playlist_is_exported_deleted_and_imported_again(page: Page, tmp_path: Path, wording: Wording) -> None:
    films = labels(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export JSON").click()
    path = tmp_path / "playlist.json"
    download.value.save_as(path)
    assert download.value.suggested_filename == "tailscope_playlist_air-first-part.json"
    assert len(parse_playlist(path.read_bytes()).films) == 3
    page.locator(".editor-tools").get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete for good").click()
    wording(text_with(page.locator(".playlists-said"), "deleted"))
    expect(page.locator(".playlist-line").filter(has_text="Air, first part")).to_have_count(0)
    (tmp_path / "bad.json").write_text(json.dumps({"format": 1, "title": "x", "films": [{"cohort": "a"}]}))
    page.locator(".playlists-file").set_input_files(tmp_path / "bad.json")
    wording(text_with(page.locator(".playlists-said"), "'case'"))
    table = json.loads(path.read_text())
    table["films"].append(table["films"][0] | {"cohort": "elsewhere"})
    path.write_text(json.dumps(table))
    page.locator(".playlists-file").set_input_files(path)
    imported = text_with(page.locator(".editor-said"), "elsewhere", SLOW)
    assert "4 films" in imported and "1 film is" in imported
    wording(imported)
    assert labels(page)[:3] == films
    expect(page.locator(".editor-film").last.locator(".film-gone")).to_contain_text("elsewhere")


def test_a_case_and_a_simulated_film_go_into_a_playlist(page: Page, wording: Wording) -> None:
    page.evaluate("location.hash = '#explore'")
    page.locator(".explore[data-state=shown]:not(.pending) .tile").first.click()
    page.locator(".case-to-playlist").click()
    dialog = page.locator("dialog.add-film[open]")
    dialog.get_by_label("Into").select_option(label="Air, first part (4 films)")
    dialog.get_by_label("Question").select_option("point")
    dialog.get_by_role("button", name="Add").click()
    wording(text_with(dialog.locator(".add-film-said"), "1 film added"))
    dialog.get_by_role("button", name="Add").click()
    wording(text_with(dialog.locator(".add-film-said"), "same question"))
    assert_accessible_at(page, 1440, within="dialog.add-film[open]")
    page.keyboard.press("Escape")
    expect(page.locator("dialog.case[open]")).to_be_visible()  # the dialog alone was closed
    page.keyboard.press("Escape")
    page.evaluate("location.hash = '#simulate?center=A&seed=300041&Hernia=,0.80'")
    page.locator(".simulating[data-state=shown]").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Add this film").click()
    dialog.get_by_label("Title").fill("Twins")
    dialog.get_by_label("Question").select_option("pair")
    dialog.get_by_role("button", name="Add").click()
    dialog.get_by_role("link", name="Open it in Teach").click()
    expect(page.locator(".playlist-title")).to_have_value("Twins")
    (label,) = labels(page)
    assert "A-300041" in label and "Hernia 0.80" in label
    placeholder = page.locator(".film-words").get_attribute("placeholder") or ""
    assert "Hernia" in placeholder
    wording(placeholder)


def test_films_that_a_class_found_hard_are_drawn(page: Page, phantom_server: Server) -> None:
    home = phantom_server.temporary / "home"
    cases = list(dict.fromkeys(film.case for film in kept_films(home) if film.cohort == COHORT))[:2]
    films = [
        replace(made, entry=replace(made.entry, cohort=COHORT, case=case))
        for case in cases
        for made in [prepared_film(FilmQuestion("normal"), Truth({"Normal": "present"}, ""))]
    ]
    answers = [
        LearnerFilmAnswer(f"learner {learner:02}", film, LearnerAnswer(2, normal=film == 0))
        for learner in range(12)
        for film in range(2)
    ]
    (home / "classes").mkdir(exist_ok=True)
    held = keep_class(home / "classes", "20261125-101500-0a1b", films, answers)
    try:
        page.evaluate(f"location.hash = '#explore?cohort={cohort_id(COHORT)}'")
        page.locator(".explore[data-state=shown]:not(.pending) .tile").first.wait_for(timeout=SLOW)
        page.get_by_role("button", name="For a class").click()
        page.get_by_role("option", name="Make a playlist").click()
        new = page.locator(".playlist-new")
        new.get_by_label("Question").select_option("normal")
        expect(new.locator(".new-hard option")).to_have_text(["any", "easy: 1 film", "medium: 0 films", "hard: 1 film"])
        new.get_by_label("Difficulty").select_option("hard")
        new.get_by_label("Title").fill("Hard ones")
        assert_accessible_at(page, *WIDTHS, within="#teach")
        page.set_viewport_size({"width": 1440, "height": 900})
        page.get_by_role("button", name="Draw films").click()
        said(page, "Only 1 film found")
        expect(page.locator(".film-labels")).to_contain_text([cases[1]])
        expect(page.locator(".film-difficulty")).to_contain_text(
            ["Earlier classes: hard: an average learner is right in"]
        )
        page.evaluate(f"location.hash = '#explore?cohort={cohort_id(COHORT)}'")
    finally:
        held.unlink()


def kept_films(home: Path) -> list[PlaylistFilm]:
    return [film for path in (home / "playlists").glob("*.json") for film in parse_playlist(path.read_bytes()).films]
