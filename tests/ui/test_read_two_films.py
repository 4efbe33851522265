"""Two films side by side: each with its own findings, one window, one place, and what changed between them."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from explorer.reading.samples import sample_bytes
from tests.support.wording import Wording
from tests.ui.reading_room import (
    SLOW,
    canvas,
    choose,
    compare_with,
    drop,
    film_names,
    film_of,
    grey,
    on_disk,
    open_sample,
    reveal,
    start_over,
    upload,
    wait_until_read,
)
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser


BOTH = ["Many lung masses", "prior.png"]


def first_alone(page: Page) -> Page:
    """RG1 and no film beside it."""
    if film_names(page)[:1] != BOTH[:1]:
        open_sample(start_over(page))
    elif len(film_names(page)) == 2:
        page.locator(".view[data-slot=b] .close").click()
    expect(page.locator("#read .film-name")).to_have_text(BOTH[:1])
    return page


@pytest.fixture
def alone(desk: Page) -> Page:
    """RG1 alone."""
    return first_alone(desk)


@pytest.fixture
def pair(desk: Page) -> Page:
    """RG1 and, beside it, RG1 mirrored, every second pixel of it; that one is in front as when it has just come."""
    if film_names(desk) != BOTH:
        compare_with(first_alone(desk), BOTH[1], grey(film_of("masses")[::2, ::-2]))
    desk.locator(".film-name").nth(1).click()
    return desk


def test_both_hang_and_the_window_of_one_moves_both(alone: Page) -> None:
    compare_with(alone, "mirrored.png", grey(film_of("masses")[:, ::-1]))  # pixel for pixel
    first, second = canvas(alone, "film"), canvas(alone, "film", "-b")
    assert np.abs(first[:, ::-1].astype(int) - second).max() <= 1
    alone.keyboard.press("i")
    alone.wait_for_timeout(100)
    assert np.array_equal(canvas(alone, "film")[..., 0], 255 - first[..., 0])
    assert np.array_equal(canvas(alone, "film", "-b")[..., 0], 255 - second[..., 0])
    alone.keyboard.press("l")
    alone.keyboard.press("i")
    alone.wait_for_timeout(100)
    assert np.array_equal(canvas(alone, "film")[..., 0], 255 - first[..., 0])
    assert np.array_equal(canvas(alone, "film", "-b"), second)
    alone.keyboard.press("l")  # both as they came
    alone.locator(".view[data-slot=b] .close").click()


SEEN = """slot => {
    const stage = document.querySelector(`#read .view[data-slot=${slot}] .stage`).getBoundingClientRect();
    const film = document.querySelector(`#read .view[data-slot=${slot}] .film`).getBoundingClientRect();
    const fit = Math.min(stage.width / film.width, stage.height / film.height);
    const middle = [stage.x + stage.width / 2, stage.y + stage.height / 2];
    return [1 / fit, (middle[0] - film.x) / film.width, (middle[1] - film.y) / film.height];
}"""


def test_zoom_and_position_of_one_move_both_until_unlinked(pair: Page) -> None:
    fitted = pair.evaluate(SEEN, "a")
    box = pair.locator(".view[data-slot=a] .stage").bounding_box()
    assert box is not None and fitted[0] == pytest.approx(1, abs=1e-3)
    pair.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] / 3)
    pair.mouse.wheel(0, -400)
    pair.keyboard.press("Shift+ArrowLeft")
    first = pair.evaluate(SEEN, "a")
    assert first[0] > 1.2 and first[1:] != pytest.approx([0.5, 0.5], abs=0.02)
    assert pair.evaluate(SEEN, "b") == pytest.approx(first, abs=2e-3)
    pair.keyboard.press("l")
    pair.locator(".view[data-slot=a] .stage").focus()
    pair.keyboard.press("=")
    assert pair.evaluate(SEEN, "a")[0] == pytest.approx(1, abs=1e-3)
    assert pair.evaluate(SEEN, "b") == pytest.approx(first, abs=2e-3)
    pair.keyboard.press("l")  # what is in front is shown on both
    assert pair.evaluate(SEEN, "b")[0] == pytest.approx(1, abs=1e-3)


def test_the_panel_follows_the_film_that_is_chosen(pair: Page) -> None:
    names = pair.locator(".film-name")
    assert names.all_inner_texts() == BOTH
    expect(names.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(pair.locator(".notes")).not_to_contain_text("inverted")
    choose(pair, "Mass")
    pair.keyboard.press("x")
    expect(names.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(pair.locator(".notes")).to_contain_text("inverted")
    pair.locator(".view[data-slot=b] .stage").click()
    expect(pair.locator(".finding[aria-pressed=true]")).to_have_attribute("data-finding", "Mass")


def test_scores_of_the_film_beside_are_set_beside(pair: Page) -> None:
    choose(pair, "Edema")
    row = pair.locator(".finding[data-finding=Edema]")
    here = float(row.locator(".finding-score").inner_text())
    other = float(row.locator(".bar-other").evaluate("mark => mark.style.left").removesuffix("%")) / 100
    expect(pair.locator(".numbers")).to_contain_text(f"score {other:.2f}, ")
    pair.keyboard.press("x")
    expect(row.locator(".finding-score")).to_have_text(f"{other:.2f}")
    mark = row.locator(".bar-other").evaluate("mark => mark.style.left")
    assert float(mark.removesuffix("%")) / 100 == pytest.approx(here, abs=0.005)


def test_both_films_show_the_map_of_the_same_finding(pair: Page) -> None:
    choose(pair, "Nodule")
    for slot in "ab":
        expect(pair.locator(f".view[data-slot={slot}] .legend-finding")).to_have_text("Nodule")
    pair.keyboard.press("h")
    pair.locator(".way-reveal").click()
    assert pair.locator(".legend-finding:visible").count() == 2
    reveal(pair)


def test_panes_are_named_and_what_changed_is_listed(pair: Page) -> None:
    assert pair.locator("#read .pane-name").all_inner_texts() == BOTH
    between = pair.locator("#read .between")
    states: list[dict[str, str]] = []
    for slot in "ab":
        pair.locator(".film-name").nth("ab".index(slot)).click()
        rows = pair.locator("#read .finding").all()
        states.append({str(row.get_attribute("data-finding")): str(row.get_attribute("data-state")) for row in rows})
    judged = {"above", "unsure", "below"}
    changed = {
        finding
        for finding, state in states[0].items()
        if finding != "Normal" and {state, states[1][finding]} <= judged and state != states[1][finding]
    }
    assert set(between.locator(".between-finding").all_inner_texts()) == changed
    expect(between).to_contain_text("prior.png: " + (str(len(changed)) if changed else "no finding"))
    if changed:
        expect(between).to_contain_text("changed disease")
    pair.locator(".view[data-slot=b] .close").click()
    expect(between).to_be_hidden()
    expect(pair.locator("#read .pane-name")).to_be_hidden()


def test_films_that_different_models_read_are_not_compared(alone: Page, wording: Wording) -> None:
    compare_with(alone, "simulated.dcm", sample_bytes("phantom-effusion"))
    wording(text_with(alone.locator("#read .between"), "not compared"))


def test_the_last_film_can_be_taken_away_too(alone: Page) -> None:
    alone.locator(".close").click()
    expect(alone.locator(".room")).to_have_attribute("data-state", "empty")
    expect(alone.locator(".drop")).to_be_visible()
    assert alone.locator(".finding").count() == 0
    open_sample(alone)


def test_taking_the_first_away_leaves_the_second_and_room_for_another(pair: Page) -> None:
    second = canvas(pair, "film", "-b")
    pair.locator(".view[data-slot=a] .close").click()
    expect(pair.locator(".view")).to_have_count(1)
    expect(pair.locator(".film-name")).to_have_text("prior.png")
    pair.wait_for_function("document.querySelector('#film-canvas').width > 0")
    assert np.array_equal(canvas(pair, "film"), second)
    compare_with(pair, "third.png", grey(film_of("masses")[::2, ::2]))
    pair.locator(".film-name", has_text="prior.png").click()
    with pair.expect_download() as download:  # the server still has it
        pair.locator("[data-export=json]").click()
    assert download.value.suggested_filename.endswith(".json")


def test_a_second_file_that_is_no_film_leaves_the_first_alone(alone: Page) -> None:
    before = canvas(alone, "film")
    with alone.expect_file_chooser() as chooser:
        alone.locator("[data-command=compare]").click()
    chooser.value.set_files(on_disk("x", b"Dear colleague, " * 50))
    expect(alone.locator(".aside")).to_contain_text("text", timeout=SLOW)
    assert np.array_equal(canvas(alone, "film"), before)
    assert alone.locator(".finding").count() == 15
    upload(alone, "leg.dcm", sample_bytes("leg"))
    expect(alone.locator(".aside")).to_be_hidden(timeout=SLOW)


def test_two_files_dropped_together_hang_side_by_side(bare: Page) -> None:
    films = [grey(film_of("masses")[::4, ::4]), grey(film_of("masses")[::4, ::-4])]
    drop(bare, films)
    expect(bare.locator(".film-name")).to_have_count(2, timeout=SLOW)
    assert bare.locator(".film-name").all_inner_texts() == ["film-0.png", "film-1.png"]
    for _ in range(2):  # the server has both
        wait_until_read(bare)
        assert bare.locator(".finding").count() == 15
        with bare.expect_download():
            bare.locator("[data-export=json]").click()
        bare.keyboard.press("x")


@pytest.mark.parametrize("bad", [0, 1])
def test_of_two_files_the_one_that_is_a_film_hangs_and_the_other_is_told_of(bare: Page, bad: int) -> None:
    files = [grey(film_of("masses")[::4, ::4])]
    files.insert(bad, b"Dear colleague, thank you. " * 40)
    drop(bare, files)
    wait_until_read(bare)
    expect(bare.locator(".film-name")).to_have_text(f"film-{1 - bad}.png")
    expect(bare.locator(".aside")).to_contain_text(f"film-{bad}.png: ")
    assert bare.locator(".finding").count() == 15
