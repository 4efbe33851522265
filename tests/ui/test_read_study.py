"""Two films of one study in Read: a lateral beside a frontal, two frontals, the switch, and what is saved."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.support.wording import Wording
from tests.ui.axe import assert_accessible
from tests.ui.reading_room import (
    SLOW,
    compare_with,
    drop,
    film_of,
    film_with_header,
    grey,
    leave_with_text,
    on_disk,
    upload,
    wait_until_said,
)
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser

UID = "1.2.826.0.1.3680043.8.498.4711"
PIXELS = film_of("masses")[::4, ::4]
FRONTAL = film_with_header(PIXELS, ViewPosition="PA", StudyInstanceUID=UID)
BEDSIDE = film_with_header(PIXELS[::2, ::2], ViewPosition="AP", StudyInstanceUID=UID)
LATERAL = film_with_header(PIXELS[:, ::-1], ViewPosition="LL", StudyInstanceUID=UID)
ELSEWHEN = film_with_header(PIXELS[::2, ::-2], ViewPosition="PA", StudyInstanceUID=f"{UID}.1")


def between(page: Page) -> str:
    """What is said of the two films, once both have been read or refused."""
    page.locator("#read .between").wait_for(timeout=SLOW)
    wait_until_said(page)
    return " ".join(page.locator("#read .between").inner_text().split())


def in_front(page: Page) -> str:
    return page.locator("#read .film-name[aria-pressed=true]").inner_text()


def scores(page: Page) -> dict[str, tuple[str, str]]:
    """State and score of each finding that the list of the film in front has."""
    rows = page.locator("#read .finding").all()
    return {
        str(row.get_attribute("data-finding")): (
            str(row.get_attribute("data-state")),
            str(row.locator(".finding-score").text_content()),
        )
        for row in rows
    }


def saved(page: Page, kind: str) -> bytes:
    with page.expect_download() as download:
        page.locator(f"[data-export={kind}]").click()
    return Path(download.value.path()).read_bytes()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["frontal first", "lateral first"])
def test_a_lateral_dropped_with_its_frontal_film_is_not_refused(
    bare: Page, order: tuple[int, int], wording: Wording
) -> None:
    films = [(FRONTAL, "frontal.dcm"), (LATERAL, "lateral.dcm")]
    drop(bare, [films[at][0] for at in order], [films[at][1] for at in order])
    words = between(bare)
    wording(words, "2 films", "nih-ensemble", "frontal", "lateral")
    assert in_front(bare) == "frontal.dcm" and bare.locator("#read .study-findings").count() == 0
    bare.keyboard.press("x")
    expect(bare.locator("#read .room")).to_have_attribute("data-state", "lateral")
    title = bare.locator("#read .word-title")
    wording(text_with(title, "nih-ensemble"), "Lateral")
    wording(text_with(bare.locator("#read .word-detail"), "PA and AP"), "header")
    assert between(bare) == words
    bare.locator(".way-frontal").click()
    expect(bare.locator("#read .film-name[aria-pressed=true]")).to_have_text("frontal.dcm")


def test_a_lateral_that_is_read_anyway_does_not_count(bare: Page, wording: Wording) -> None:
    drop(bare, [FRONTAL, LATERAL], ["frontal.dcm", "lateral.dcm"])
    between(bare)
    bare.keyboard.press("x")
    bare.locator(".way-anyway").click()
    bare.locator("#read .room[data-state=read]").wait_for(timeout=SLOW)
    expect(bare.locator("#read .between")).to_contain_text("anyway")
    wording(between(bare), "does not count")


def test_a_lateral_alone_asks_for_the_frontal_film(bare: Page, wording: Wording) -> None:
    upload(bare, "lateral.dcm", LATERAL)
    bare.locator("#read .room[data-state=lateral]").wait_for(timeout=SLOW)
    assert bare.locator("#read .between").is_hidden()
    wording(text_with(bare.locator(".way-frontal"), "frontal"))
    expect(bare.locator(".way-anyway")).to_be_visible()
    assert_accessible(bare, within="#read")
    with bare.expect_file_chooser() as chooser:
        bare.locator(".way-frontal").click()
    chooser.value.set_files(on_disk("plain.png", grey(PIXELS)))  # without a header: a frontal and a lateral
    expect(bare.locator("#read .between")).to_contain_text("One study", timeout=SLOW)
    assert between(bare).startswith("One study Two examinations One study, 2 films")
    expect(bare.locator("#read .film-name").nth(1)).to_have_text("plain.png")


def test_the_higher_score_of_two_frontal_films_is_the_studys(bare: Page, wording: Wording) -> None:
    drop(bare, [FRONTAL, BEDSIDE], ["first.dcm", "second.dcm"])
    between(bare)
    films = []
    for place in range(2):
        bare.locator("#read .film-name").nth(place).click()
        bare.locator("#read .finding").first.wait_for()
        films.append(scores(bare))
    bare.locator("#read .study-fold summary").click()  # flags that are seldom right
    table = bare.locator("#read .study-findings")
    assert table.locator("thead").first.locator("th").all_inner_texts() == ["Finding", "Study", "PA", "AP"]
    names = table.locator(".between-finding").all_inner_texts()
    flagged = {name for film in films for name, (state, _) in film.items() if state == "above" and name != "Normal"}
    assert set(names) == flagged and names
    for name, row in zip(names, table.locator("tbody tr").all(), strict=True):
        own = [film[name][1] for film in films]
        cells = [cell.removesuffix(", decides").strip() for cell in row.locator("td").all_text_contents()]
        assert cells == [max(own), *own]
        bold = row.locator("td").nth(1 + own.index(max(own)))
        assert own[0] == own[1] or "decides" in str(bold.text_content())
    wording(bare.locator("#read .between-words").all_inner_texts(), "single films")
    assert_accessible(bare, within="#read")
    table.locator(".between-finding").first.click()
    expect(bare.locator("#read .finding[aria-pressed=true]")).to_have_attribute("data-finding", names[0])


LIST_TOP = "() => document.querySelector('#read .list').scrollTop"


def test_the_studys_answer_stays_in_view_until_a_finding_is_chosen(bare: Page) -> None:
    bare.set_viewport_size({"width": 1024, "height": 768})
    drop(bare, [grey(PIXELS), grey(PIXELS[::2, ::-2])])
    between(bare)
    expect(bare.locator("#read .between-head")).to_be_in_viewport()
    bare.keyboard.press("x")
    expect(bare.locator("#read .between-head")).to_be_in_viewport()
    assert bare.evaluate(LIST_TOP) == 0
    last = bare.locator("#read .finding").last
    last.evaluate("button => { button.closest('details').open = true; }")
    last.click()
    assert bare.evaluate(LIST_TOP) > 0
    bare.keyboard.press("x")
    assert bare.evaluate(LIST_TOP) > 0
    bare.set_viewport_size({"width": 1440, "height": 900})


def test_the_switch_makes_two_examinations_of_a_study_and_back(bare: Page) -> None:
    drop(bare, [grey(PIXELS), grey(PIXELS[::2, ::-2])])
    between(bare)
    one, two = (bare.get_by_role("button", name=name, exact=True) for name in ("One study", "Two examinations"))
    expect(one).to_have_attribute("aria-pressed", "true")
    two.click()
    expect(two).to_have_attribute("aria-pressed", "true")
    expect(two).to_be_focused()
    expect(bare.locator("#read .between")).to_contain_text("From film-0.png to film-1.png: ")
    expect(bare.get_by_role("region", name="What changed between the films")).to_be_visible()
    one.click()
    expect(bare.get_by_role("region", name="The study's answer")).to_contain_text("nih-ensemble read both.")


def test_films_of_two_studies_by_their_headers_are_compared_unless_the_visitor_says_otherwise(
    bare: Page, wording: Wording
) -> None:
    drop(bare, [FRONTAL, ELSEWHEN], ["now.dcm", "prior.dcm"])
    between(bare)
    expect(bare.locator("#read .between")).to_contain_text("From now.dcm to prior.dcm: ")
    bare.get_by_role("button", name="One study", exact=True).click()
    expect(bare.locator("#read .between")).to_contain_text("read both")
    wording(text_with(bare.locator("#read .between-words").first, "headers"), "two examinations")


def test_films_opened_one_after_the_other_are_two_examinations_unless_their_headers_agree(bare: Page) -> None:
    upload(bare, "first.dcm", FRONTAL)
    bare.locator("#read .room[data-state=read]").wait_for(timeout=SLOW)
    compare_with(bare, "other.png", grey(PIXELS[::2, ::-2]))
    between(bare)
    expect(bare.locator("#read .between")).to_contain_text("From first.dcm to other.png: ")
    bare.locator(".view[data-slot=b] .close").click()
    compare_with(bare, "second.dcm", BEDSIDE)
    expect(bare.locator("#read .between")).to_contain_text("One study, 2 films", timeout=SLOW)


def test_two_films_chosen_together_are_one_study(bare: Page) -> None:
    films = [on_disk("pa.png", grey(PIXELS)), on_disk("ap.png", grey(PIXELS[::2, ::2]))]
    bare.locator("#film-file").set_input_files(films)
    expect(bare.locator("#read .between")).to_contain_text("One study, 2 films", timeout=SLOW)
    assert bare.locator("#read .film-name").all_inner_texts() == ["pa.png", "ap.png"]


def test_files_and_report_have_the_studys_answer_and_not_its_name(bare: Page) -> None:
    drop(bare, [FRONTAL, BEDSIDE], ["first.dcm", "second.dcm"])
    between(bare)
    names = bare.locator("#read .study-findings .between-finding").all_text_contents()
    shown = bare.locator("#read .study-findings tbody td:nth-child(2)").all_text_contents()
    table, answer = saved(bare, "csv"), saved(bare, "json")
    study = json.loads(answer)["study"]
    assert (study["rule"], study["films"], study["films_read"]) == ("maximum", 2, 2)
    written = {each["finding"]: each["score"] for each in study["findings"]}
    assert [f"{written[name]:.2f}" for name in names] == shown
    frame = pd.read_csv(io.BytesIO(table)).set_index("finding")
    assert frame.study_score[names].tolist() == pytest.approx([written[name] for name in names], abs=1e-6)
    bare.locator("[data-export=report]").click()
    leave_with_text(bare)
    bare.frame_locator("iframe.report").locator("table").first.wait_for(state="attached")
    report = bare.frame_locator("iframe.report").locator("body").text_content() or ""
    assert "One study, 2 films: nih-ensemble read both. " in report
    assert f"{names[0]} {shown[0]}" in report.partition("One study")[2]
    for text in (table.decode(), answer.decode(), report, bare.content()):
        assert UID not in text


def test_the_answer_is_hidden_with_the_models_opinion(bare: Page) -> None:
    drop(bare, [grey(PIXELS), grey(PIXELS[::2, ::2])])
    between(bare)
    bare.keyboard.press("h")
    expect(bare.locator("#read .between")).to_be_hidden()
    bare.locator(".way-reveal").click()
    expect(bare.locator("#read .between")).to_be_visible()
