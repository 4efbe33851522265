"""A class in one file, opened from the disk on a phone: all its steps, and no request."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.school.class_file.class_file import build_class_file
from explorer.school.preparing.prepared import ModelCall
from tests.support.prepared_class import CLOSING, NOTE, prepared_class
from tests.ui.axe import assert_accessible
from tests.ui.class_room import phone, sure, too_large, too_wide, until

pytestmark = pytest.mark.browser


@pytest.fixture
def page(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """A phone that has opened the file of a class of two films."""
    made = prepared_class().films
    file = tmp_path / "class.html"
    file.write_bytes(build_class_file(prepared_class((made[2], made[0]))))
    with phone(chromium) as page:
        heard: list[str] = []
        page.on("pageerror", lambda error: heard.append(f"exception: {error}"))
        page.on("console", lambda message: heard.append(message.text))
        page.on("request", lambda each: each.url.startswith(("data:", "blob:")) or heard.append(each.url))
        page.goto(file.as_uri())
        yield page
        assert set(heard) == {file.as_uri()}


def test_a_file_from_the_first_film_to_the_saved_sheet(page: Page) -> None:
    assert_accessible(page)
    page.get_by_role("button", name="Begin").click()
    until(page, "question")
    assert too_large(page) == []
    page.get_by_role("radio", name="Not normal").check()
    sure(page)
    until(page, "reveal")
    expect(page.get_by_role("heading", name="Not correct.")).to_be_visible()
    expect(page.get_by_text(NOTE)).to_be_attached()
    expect(page.get_by_text("The class")).to_have_count(0)  # nobody else is here
    assert too_wide(page) == []
    assert_accessible(page)
    page.reload()  # answers stay in the browser
    page.get_by_role("button", name="Begin").click()
    until(page, "question")
    expect(page.get_by_text("Film 2 of 2")).to_be_visible()
    assert too_large(page) == []
    page.get_by_role("button", name="No finding").click()
    sure(page, "a guess")
    until(page, "reveal")
    expect(page.get_by_text("miss", exact=True)).to_have_count(2)
    page.get_by_role("button", name="My sheet").click()
    until(page, "sheet")
    expect(page.get_by_role("heading", name="0 of 2 correct", exact=True)).to_be_visible()
    expect(page.get_by_text(CLOSING)).to_be_visible()
    expect(page.locator(".result-whole td").first).to_contain_text("0 of 2 films")
    expect(page.locator(".result-uncounted")).to_contain_text("No positives: ")
    expect(page.get_by_role("rowheader", name="Azygos Lobe")).to_have_count(0)  # on neither film
    expect(page.locator(".result-figures tr", has_text="all findings").locator("td").first).to_contain_text("0 of 2")
    assert_accessible(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my sheet").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    assert [(row["film"], row["answer"], row["right"]) for row in rows] == [
        ("1", "not normal", "no"),
        ("2", "no finding", "no"),
    ]
    assert "Pleural Effusion (right)" in rows[1]["truth"] and "Mass (left)" in rows[1]["truth"]


def test_a_learner_sees_the_model_s_answer_and_answers_again(chromium: Browser, tmp_path: Path) -> None:
    film = replace(prepared_class().films[3], calls={"net": {"Pleural Effusion": ModelCall(0.9, True)}})
    file = tmp_path / "with-model.html"
    file.write_bytes(build_class_file(prepared_class((film, prepared_class().films[2])), with_model=True))
    with phone(chromium) as page:
        page.goto(file.as_uri())
        page.get_by_role("button", name="Begin").click()
        until(page, "question")
        page.get_by_role("radio", name="Absent").check()
        sure(page)
        until(page, "second")
        expect(page.locator(".class-model-answer")).to_have_text("net: Pleural Effusion flagged, score 0.90")
        expect(page.get_by_text(NOTE)).to_have_count(0)
        page.reload()  # the truth stays sealed until the second answer
        page.get_by_role("button", name="Begin").click()
        until(page, "second")
        assert too_wide(page) == []
        page.get_by_role("button", name="Answer again").click()
        page.get_by_role("radio", name="Present").check()
        page.get_by_role("radio", name="certain").check()
        page.get_by_role("button", name="Answer again").click()
        until(page, "reveal")
        expect(page.get_by_role("heading", name="Not correct.")).to_be_visible()
        expect(page.get_by_text("With the model: present")).to_be_visible()
        page.reload()
        page.get_by_role("button", name="Begin").click()
        until(page, "question")  # about all of the film: this model has no score for it, so one answer counts
        page.get_by_role("radio", name="Normal", exact=True).check()
        sure(page)
        until(page, "reveal")
        page.get_by_role("button", name="My sheet").click()
        until(page, "sheet")
        with page.expect_download() as download:
            page.get_by_role("button", name="Save my sheet").click()
        columns = ("answer", "right", "answer_again", "right_again")
        rows = csv.DictReader(io.StringIO(Path(download.value.path()).read_text()))
        found = [tuple(row[column] for column in columns) for row in rows]
        assert found == [("absent", "no", "present", "yes"), ("normal", "yes", "", "")]


def test_a_browser_that_keeps_nothing_says_so(page: Page) -> None:
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })")
    page.reload()
    expect(page.get_by_text("This browser stores nothing for files")).to_be_visible()
    page.get_by_role("button", name="Begin").click()
    until(page, "question")
    page.get_by_role("radio", name="Normal", exact=True).check()
    sure(page)
    until(page, "reveal")


def test_a_browser_without_keys_says_so_before_anything_is_answered(page: Page) -> None:
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page.reload()
    expect(page.get_by_text("This browser cannot open the sealed answers")).to_be_visible()
