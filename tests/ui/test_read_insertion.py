"""A simulated finding in the film of the Read tab, in the app itself: on the real film RG1 and on simulated ones."""

from __future__ import annotations

import base64
import io
import re

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, expect

from explorer.insertion.burned_mark import MARK, MARK_ON_SIMULATED
from tests.ui.axe import assert_accessible
from tests.ui.reading_room import (
    SLOW,
    canvas,
    choose,
    film_of,
    grey,
    leave_with_text,
    open_models,
    open_sample,
    show_map,
    upload,
    wait_until_read,
)
from tests.ui.test_read_export import saved

pytestmark = pytest.mark.browser
FLAGGED_COLOR, MISSED_COLOR = (0, 158, 115), (230, 159, 0)  # of dots and triangles
SCORES = re.compile(r"^nih-ensemble: score \d\.\d\d, without it \d\.\d\d\. .*lagged.* \(threshold \d\.\d\d\)\.$")


def put_in(page: Page) -> None:
    page.get_by_role("button", name="Put a finding into this film").click()
    page.locator(".insertion-score").first.wait_for(timeout=SLOW)


def where(page: Page) -> str:
    return page.locator(".insertion-details p").first.inner_text()


def slide(page: Page, severity: float) -> None:
    slider = page.locator(".insertion-severity input")
    slider.evaluate("(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')); }", severity)
    expect(page.locator(".insertion-details p").first).to_contain_text(f"severity {severity:.2f}", timeout=SLOW)


def strip(film: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Gray of the lowest rows, where the mark is."""
    return film[-max(film.shape[1] // 40, 6) :, :, 0]


def is_marked(film: NDArray[np.uint8]) -> bool:
    rows = strip(film)
    return bool((rows == 0).mean() > 0.6 and (rows > 200).mean() > 0.03)


def test_with_the_finding_and_without(reader: Page) -> None:
    open_sample(reader)
    before = canvas(reader, "film")
    expect(reader.locator(".insertion")).to_be_hidden()
    expect(reader.locator("[data-command=finding]")).to_be_hidden()
    put_in(reader)
    expect(reader.locator(".insertion-score")).to_have_text([SCORES])
    assert where(reader).startswith(f"{MARK}: Mass, right ")
    expect(reader.locator(".insertion-details")).to_contain_text("AUROC 0.60 for inserted ones of severity 0.3")
    expect(reader.locator("#read .simulated-mark")).to_have_text("SIMULATED FINDING")
    expect(reader.locator("#read .facts")).to_contain_text(MARK)
    shown = canvas(reader, "film")
    assert is_marked(shown) and not is_marked(before)
    changed = np.abs(shown.astype(int) - before)[: int(0.95 * len(before)), :, 0] > 2
    rows, columns = np.nonzero(changed)
    assert 0.005 < changed.mean() < 0.1
    assert columns.max() < 0.5 * before.shape[1]  # the patient's right is on the left
    reader.keyboard.press("t")
    assert (canvas(reader, "film") == before).all()
    expect(reader.locator("#read .simulated-mark")).to_be_empty()
    expect(reader.locator("[data-command=finding]")).to_have_attribute("aria-pressed", "false")
    reader.get_by_role("button", name="With it", exact=True).click()
    assert (canvas(reader, "film") == shown).all()
    reader.locator("[data-command=finding]").click()
    assert (canvas(reader, "film") == before).all()
    slide(reader, 0.9)
    stronger = canvas(reader, "film")
    assert np.abs(stronger.astype(int) - before).sum() > np.abs(shown.astype(int) - before).sum()
    reader.get_by_role("button", name="Put a finding into this film").click()
    assert (canvas(reader, "film") == before).all()
    expect(reader.locator(".insertion")).to_be_hidden()
    expect(reader.locator("[data-command=finding]")).to_be_hidden()


def test_a_click_moves_it_and_the_side_follows(reader: Page) -> None:
    open_sample(reader)
    put_in(reader)
    reader.locator(".insertion-finding").select_option("Nodule")
    expect(reader.locator(".insertion-details p").first).to_contain_text("Nodule, right mid zone", timeout=SLOW)
    expect(reader.locator(".insertion-details")).to_contain_text("Not validated: nih-ensemble does not see")
    film = reader.locator("#film-canvas").bounding_box()
    assert film
    reader.mouse.click(film["x"] + 0.7 * film["width"], film["y"] + 0.3 * film["height"])
    expect(reader.locator(".insertion-details p").first).to_contain_text("Nodule, left upper zone", timeout=SLOW)
    expect(reader.get_by_role("button", name="Left", exact=True)).to_have_attribute("aria-pressed", "true")
    reader.mouse.click(film["x"] + 0.02 * film["width"], film["y"] + 0.3 * film["height"])
    expect(reader.locator(".insertion-says")).to_contain_text("This point is outside the chest. Choose", timeout=SLOW)
    reader.get_by_role("button", name="Right", exact=True).click()
    expect(reader.locator(".insertion-details p").first).to_contain_text("Nodule, right mid zone", timeout=SLOW)
    reader.locator(".insertion-finding").select_option("Pleural Effusion")
    expect(reader.locator(".insertion-details p").first).to_contain_text("Pleural Effusion, right", timeout=SLOW)
    expect(reader.locator(".insertion-details")).not_to_contain_text("to move it")


def test_no_map_and_no_line_lies_over_the_wrong_picture(reader: Page) -> None:
    open_sample(reader)
    choose(reader, "Mass")
    show_map(reader)
    reader.get_by_role("button", name="Heart size").click()
    reader.locator(".heart-lines").wait_for(timeout=SLOW)
    put_in(reader)
    expect(reader.locator("#read .evidence-text")).to_have_text("No map: maps are of the film without the finding.")
    expect(reader.locator("#heat-canvas")).to_be_hidden()
    expect(reader.locator(".heart-lines")).to_be_hidden()
    reader.keyboard.press("t")
    expect(reader.locator("#read .legend-finding")).to_have_text("Mass")
    expect(reader.locator(".heart-lines")).to_be_visible()
    reader.keyboard.press("t")
    expect(reader.locator(".heart-lines")).to_be_hidden()
    before = canvas(reader, "film")
    reader.locator("[data-command=hide]").click()  # whoever looks first looks at the film itself
    assert not is_marked(canvas(reader, "film"))
    expect(reader.locator(".insertion")).to_be_hidden()
    reader.locator("[data-command=hide]").click()
    assert (canvas(reader, "film") == before).all()
    reader.get_by_role("button", name="Heart size").click()


def test_a_saved_picture_has_the_mark_and_everything_else_the_film_without(reader: Page) -> None:
    open_sample(reader)
    put_in(reader)
    name, content = saved(reader, "png")
    assert "_simulated-mass_" in name
    picture = np.asarray(Image.open(io.BytesIO(content)).convert("RGBA"))
    film = canvas(reader, "film")
    height, width = film.shape[:2]
    left = (picture.shape[1] - width + 1) // 2
    assert is_marked(picture[32 : 32 + height, left : left + width])
    _, table = saved(reader, "csv")
    assert b"SIMULATED" not in table
    reported = np.asarray(Image.open(io.BytesIO(report_picture(reader))).convert("RGBA"))
    assert not is_marked(reported[32 : 32 + height, left : left + width])
    assert (canvas(reader, "film") == film).all()


def report_picture(page: Page) -> bytes:
    """The picture in the report to print."""
    page.evaluate("() => { window.print = () => {}; }")
    page.locator("[data-export=report]").click()
    leave_with_text(page)
    image = page.frame_locator("iframe.report").locator("img")
    image.wait_for(state="attached")
    address = image.get_attribute("src")
    assert address
    page.locator("iframe.report").evaluate("frame => frame.remove()")
    return base64.b64decode(address.removeprefix("data:image/png;base64,"))


def has_color(picture: bytes, color: tuple[int, int, int]) -> bool:
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))
    return bool((pixels == color).all(axis=2).any())


def test_a_second_model_answers_too(reader: Page) -> None:
    open_sample(reader)
    open_models(reader)
    reader.locator(".model-select").last.select_option("nih-mini")
    reader.locator(".beside-says").wait_for(timeout=SLOW)
    put_in(reader)
    expect(reader.locator(".insertion-score")).to_have_count(2)
    expect(reader.locator(".insertion-score").last).to_have_text("nih-mini cannot judge Mass.")
    reader.locator(".insertion-finding").select_option("Pleural Effusion")
    expect(reader.locator(".insertion-score").last).to_have_text(
        re.compile(r"^nih-mini: score 0\.\d\d, without it 0"), timeout=SLOW
    )
    expect(reader.locator(".insertion-details")).to_contain_text(
        "Not validated: nih-mini does not see an inserted Pleural Effusion as it sees real ones (AUROC 0.56"
    )
    options = reader.locator(".insertion-finding option").all_inner_texts()
    assert options[1:4] == ["Mass", "Pleural Effusion", "Pneumothorax (cannot be judged)"]
    reader.locator(".model-select").last.select_option("")


def test_where_it_would_be_missed(reader: Page) -> None:
    open_sample(reader)
    before = canvas(reader, "film")
    put_in(reader)
    slide(reader, 0.3)
    reader.get_by_role("button", name="Where would it be missed?").click()
    says = reader.locator(".insertion-answer")
    expect(says).to_have_text(
        re.compile(r"^Mass, severity 0\.30 \(\d\.\d cm\): flagged at \d+ of \d+ places \("), timeout=SLOW
    )
    counts = re.search(r"flagged at (\d+) of (\d+)", says.inner_text())
    assert counts
    flagged, tried = map(int, counts.groups())
    expect(reader.locator("#read circle.place-dot.flagged:not(.key-dot *)")).to_have_count(flagged)
    expect(reader.locator("#read path.place-dot:not(.key-dot *)")).to_have_count(tried - flagged)
    assert 60 <= tried <= 100
    assert (canvas(reader, "film") == before).all()  # they lie over the film itself
    film = reader.locator("#film-canvas").bounding_box()
    assert_accessible(reader, within="#read .insertion")
    dots = [each.bounding_box() for each in reader.locator(".place-dots > *").all()]
    assert film and all(dots)
    assert all(film["x"] < dot["x"] < film["x"] + film["width"] for dot in dots if dot)
    _, content = saved(reader, "png")
    assert bool(flagged) == has_color(content, FLAGGED_COLOR) and bool(tried - flagged) == has_color(
        content, MISSED_COLOR
    )
    reported = report_picture(reader)
    assert not has_color(reported, FLAGGED_COLOR) and not has_color(reported, MISSED_COLOR)
    reader.keyboard.press("t")
    expect(reader.locator(".place-dots")).to_be_hidden()
    reader.keyboard.press("t")
    expect(reader.locator(".place-dots")).to_be_visible()
    slide(reader, 0.5)  # another finding: these places are no longer about it
    expect(reader.locator(".insertion-answer")).to_have_count(0)
    expect(reader.locator(".place-dots")).to_be_hidden()
    reader.locator(".insertion-finding").select_option("Pneumothorax")
    expect(reader.locator(".insertion-details p").first).to_contain_text("Pneumothorax", timeout=SLOW)
    expect(reader.get_by_role("button", name="Where would it be missed?")).to_be_hidden()


def test_the_score_by_severity(reader: Page) -> None:
    open_sample(reader, "phantom-normal")
    put_in(reader)
    reader.get_by_role("button", name="Score by severity").click()
    chart = reader.locator("#read .severity-chart")
    says = chart.locator(".severity-says")
    expect(says).to_have_text(re.compile(r"^phantom (Flagged|Not flagged) .* Without it: 0\.\d+\.$"), timeout=SLOW)
    expect(chart.locator("circle")).to_have_count(11)
    expect(chart.locator(".severity-threshold")).to_have_count(1)
    if "Flagged from severity" in says.inner_text():
        crossing = float(says.inner_text().partition("Flagged from severity ")[2].split()[0])
        expect(chart.locator("circle.flagged")).to_have_count(11 - round(10 * crossing))
    assert_accessible(reader, within="#read .insertion")
    slide(reader, 0.9)
    expect(chart).to_be_visible()  # the same finding at the same place
    reader.get_by_role("button", name="Left", exact=True).click()
    expect(chart).to_have_count(0)


def test_presented_it_has_the_mark(reader: Page) -> None:
    open_sample(reader)
    put_in(reader)
    reader.keyboard.press("e")
    expect(reader.locator(".present-panel")).to_contain_text("without it 0.")
    expect(reader.locator(".present-panel, .present-film").filter(has_text=MARK).first).to_be_visible()
    reader.keyboard.press("e")


def test_a_simulated_film_is_not_called_real(reader: Page) -> None:
    open_sample(reader, "phantom-normal")
    put_in(reader)
    assert where(reader).startswith(f"{MARK_ON_SIMULATED}: Mass, ")
    expect(reader.locator("#read .facts")).not_to_contain_text(MARK)
    assert is_marked(canvas(reader, "film"))


def test_a_film_without_lungs_is_refused_in_words(reader: Page) -> None:
    upload(reader, "leg.png", grey(film_of("leg")))
    reader.locator(".way-anyway").click(timeout=SLOW)
    wait_until_read(reader)
    before = canvas(reader, "film")
    reader.get_by_role("button", name="Put a finding into this film").click()
    expect(reader.locator(".insertion-says")).to_have_text(
        "No finding can be put into this film. This film was refused, so its anatomy is not outlined. "
        "Open another frontal film.",
        timeout=SLOW,
    )
    assert (canvas(reader, "film") == before).all()
    expect(reader.locator("[data-command=finding]")).to_be_hidden()
