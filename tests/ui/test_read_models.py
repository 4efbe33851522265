"""Read by a model that the visitor chose, and a second one beside it: scores, where they differ, refusals, address."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from explorer.reading.finding_list import FindingRow, finding_rows
from explorer.reading.samples import sample_bytes
from models import load
from models.radiograph import read_radiograph
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.axe import HEIGHT, assert_accessible
from tests.ui.conftest import NewVisitor
from tests.ui.reading_room import (
    SLOW,
    drop,
    film_of,
    film_with_header,
    grey,
    on_disk,
    open_models,
    open_sample,
    show_map,
)
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(models_server: Server) -> Server:
    """To whom a visitor comes here."""
    return models_server


def rows(name: str) -> dict[str, FindingRow]:
    model = load.classifier(name, "cpu")
    return {
        row.finding: row for row in finding_rows(model.card, model.read(read_radiograph(sample_bytes("masses")))[0])
    }


def called(row: FindingRow) -> bool | None:
    return row.above if row.judged else None


def address(page: Page, words: str = "") -> Page:
    expect(page).to_have_url(re.compile(re.escape(words) + "$"))
    return page


def test_a_second_model_stands_beside_the_first(bare: Page, server: Server) -> None:
    page = bare
    open_sample(page)
    expect(page.locator(".beside-cell")).to_have_count(0)
    open_models(page)
    page.locator(".model-select").nth(1).select_option("tiny")
    page.locator(".beside-says").wait_for(timeout=SLOW)
    first, second = rows("nih-ensemble"), rows(str(server.own_models / "tiny.toml"))
    shared = first.keys() & second.keys()
    cells = page.locator(".finding:has(.beside-cell)")
    found = {
        str(cells.nth(at).get_attribute("data-finding")): str(cells.nth(at).locator(".beside-cell").text_content())
        for at in range(cells.count())
    }
    apart = {
        name
        for name in shared
        if None not in (called(first[name]), called(second[name])) and called(first[name]) != called(second[name])
    }
    assert apart  # models that always agree would prove nothing
    assert found == {name: ("\u2260 " if name in apart else "") + f"{second[name].score:.2f}" for name in shared}
    both = [name for name in shared if called(first[name]) is not None and called(second[name]) is not None]
    expect(page.locator(".beside-says")).to_have_text(
        f"tiny disagrees on {len(apart)} of {len(both)} findings, marked \u2260."
    )
    expect(page.locator(".beside-only")).to_contain_text("Only tiny looks for (1)")
    expect(page.locator(".beside-line")).to_contain_text("Lung Lesion")
    address(page, "#read?beside=tiny")
    page.locator(".model-select").nth(1).select_option("")
    expect(page.locator(".beside-cell, .beside-says, .beside-only")).to_have_count(0)
    assert "#" not in page.url


def test_the_film_is_read_by_the_model_that_was_chosen(bare: Page, server: Server) -> None:
    page = bare
    open_sample(page)
    open_models(page)
    page.locator(".model-select").nth(0).select_option("tiny")
    expect(page.locator("#read .made-name")).to_have_text("tiny", timeout=SLOW)
    names = page.locator("#read .finding").evaluate_all("each => each.map((one) => one.dataset.finding)")
    assert sorted(names) == sorted(rows(str(server.own_models / "tiny.toml")))
    no_threshold = page.locator(".group", has_text="No threshold known (1)")
    expect(no_threshold.locator(".finding")).to_have_attribute("data-finding", "Mass")
    show_map(page)
    address(page, "#read?model=tiny")
    page.locator(".model-select").nth(0).select_option("")
    expect(page.locator("#read .made-name")).to_have_text("nih-ensemble", timeout=SLOW)


def test_a_model_that_reads_laterals_reads_both_films_of_a_study_and_takes_their_mean(
    bare: Page, server: Server, wording: Wording
) -> None:
    page, pixels = bare, film_of("masses")[::4, ::4]
    open_models(page)
    page.locator(".model-select").nth(0).select_option("tiny")
    study = {"StudyInstanceUID": "1.2.3.4"}
    films = [film_with_header(pixels, ViewPosition="PA", **study)]
    films.append(film_with_header(pixels[:, ::-1], ViewPosition="LL", **study))
    drop(page, films, ["frontal.dcm", "lateral.dcm"])
    expect(page.locator("#read .between")).to_contain_text("tiny read both", timeout=SLOW)
    table = page.locator("#read .study-findings")
    assert table.locator("thead th").all_inner_texts() == ["Finding", "Study", "PA", "lateral"]
    model = load.classifier(str(server.own_models / "tiny.toml"), "cpu")
    by_film = np.stack([model.read(read_radiograph(film))[0] for film in films])
    mean = dict(zip(model.card.findings, by_film.mean(axis=0), strict=True))
    for row in table.locator("tbody tr").all():
        name = row.locator(".between-finding").inner_text()
        assert row.locator("td").first.inner_text() == f"{mean[name]:.2f}"
    wording(page.locator("#read .between-words").all_inner_texts(), "mean")
    assert page.locator("#read .decides").count() == 0
    open_models(page)
    page.locator(".model-select").nth(0).select_option("")
    expect(page.locator("#read .between")).to_contain_text("not read by this model", timeout=SLOW)


def test_a_folder_is_read_by_the_model_that_was_chosen(
    new_visitor: NewVisitor, server: Server, wording: Wording
) -> None:
    page = new_visitor(server.url)
    open_models(page)
    page.locator(".model-select").nth(0).select_option("tiny")
    film = film_of("masses")
    sent = {f"{step}.png": grey(film[::step, ::step]) for step in (3, 4)}
    page.locator("#folder-files").set_input_files([on_disk(name, data) for name, data in sent.items()])
    page.locator(".folder-files").wait_for(state="attached")
    expect(page.locator(".folder-said")).to_contain_text("by tiny", timeout=SLOW)
    page.locator(".folder-sort select").select_option("Lung Lesion")
    expect(page.locator(".folder-again")).to_be_hidden()
    page.locator(".folder-open").first.click()
    expect(page.locator("#read .made-name")).to_have_text("tiny", timeout=SLOW)
    page.locator("[data-way=back]").click()
    chooser = page.locator("#folder").get_by_label("Read by")
    expect(chooser).to_have_value("tiny")
    chooser.select_option("")
    wording(text_with(page.locator(".folder-again span"), "tiny"))
    assert_accessible(page, within="#folder")
    page.get_by_role("button", name="Add a model").click()
    expect(page.locator("dialog.add-model")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add a model").click()
    page.evaluate("location.hash = '#teach'")
    expect(page.locator("dialog.add-model")).to_be_hidden()  # it stays in front of no other tab
    page.go_back()
    page.locator("[data-way=explore]").click()
    explored = page.locator("#explore .sentence")
    expect(explored).to_contain_text("tiny", timeout=SLOW)
    link = page.url
    page.locator("#tabs").get_by_role("tab", name="Read").click()
    page.get_by_role("button", name="Read again by the default model").click()
    expect(page.locator(".folder-said")).to_contain_text("by nih-ensemble", timeout=SLOW)
    expect(page.locator(".folder-again")).to_be_hidden()
    expect(page.locator(".folder-sort select option", has_text="Lung Lesion")).to_have_count(0)
    expect(chooser.locator("option").first).to_have_text("nih-ensemble (default)")
    note = page.locator("#explore .explore-note")
    page.locator("#tabs").get_by_role("tab", name="Explore").click()
    led = text_with(note, "nih-ensemble", SLOW)
    wording(led)
    expect(explored).to_contain_text("by nih-ensemble")
    page.evaluate("link => (location.hash = new URL(link).hash)", link)
    expect(note).to_have_text(led, timeout=SLOW)
    page.locator("#tabs").get_by_role("tab", name="Read").click()
    page.locator("[data-way=close]").click()
    open_models(page)
    expect(page.locator("#read").get_by_label("Read by")).to_be_visible()


def test_a_link_names_both_and_they_stay_when_the_tab_is_left(new_visitor: NewVisitor, server: Server) -> None:
    page = new_visitor(server.url + "/#read?model=tiny&beside=nih-mini")
    open_sample(page)
    page.locator(".beside-says", has_text="nih-mini disagrees on").wait_for(timeout=SLOW)
    expect(page.locator("#read .made-name")).to_have_text("tiny")
    page.get_by_role("tab", name="Ask").click()
    page.get_by_role("tab", name="Read").click()
    address(page, "#read?model=tiny&beside=nih-mini")
    assert page.locator(".model-fold[open]").count() == 0
    expect(page.locator(".model-fold-names")).to_have_text(re.compile("^tiny.* nih-mini$"))


def test_a_model_that_cannot_be_loaded_says_why_and_the_first_stays(bare: Page, wording: Wording) -> None:
    page = bare
    open_sample(page)
    before = page.locator(".finding").count()
    open_models(page)
    page.locator(".model-select").nth(1).select_option("gone")
    wording(text_with(page.locator(".beside-failed"), "away.pt", SLOW))
    expect(page.locator(".finding")).to_have_count(before)
    page.locator(".model-select").nth(0).select_option("gone")
    wording(text_with(page.locator("#read .word-title"), "gone", SLOW))
    page.locator(".model-select").nth(0).select_option("")
    expect(page.locator("#read .made-name")).to_have_text("nih-ensemble", timeout=SLOW)
    page.locator(".model-select").nth(1).select_option("")


@pytest.mark.parametrize("widths", [(1440, 1024), (390,)])
def test_it_fits_and_can_be_used_without_eyes(widths: tuple[int, ...], new_visitor: NewVisitor, server: Server) -> None:
    page = new_visitor(server.url + "/#read?beside=tiny", width=widths[0])
    open_sample(page)
    page.locator(".beside-says").wait_for(timeout=SLOW)
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        columns = page.locator(".group-head:visible .beside-name").first.bounding_box()
        assert columns and columns["x"] + columns["width"] <= width
        label = page.locator(".finding[data-finding=Fibrosis]").get_attribute("aria-label")
        assert label and "; tiny " in label
        assert_accessible(page, within="#read")
