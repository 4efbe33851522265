"""What a visitor takes along: the list as CSV and JSON, the film as PNG, and what each of them says of itself."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Page, expect

from models.cards.classifier_card import classifier_card
from tests.ui.reading_room import (
    SLOW,
    above,
    canvas,
    choose,
    film_of,
    grey,
    leave_with_text,
    open_sample,
    upload,
    wait_until_read,
    wait_until_said,
)
from tests.ui.windows import Kind, windows

pytestmark = pytest.mark.browser

WATCH_WRITING = """() => {
    window.written = [];
    const write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        written.push(text);
        return write.call(this, text, ...rest);
    };
}"""


# Cells whose text reaches into the next one's or past the paper.
OVERPRINTED = """() => [...document.querySelectorAll("tr")].flatMap((row) => {
    const boxes = [...row.cells].filter((cell) => cell.textContent).map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return { text: cell.textContent, box: range.getBoundingClientRect() };
    });
    const end = (place) => boxes[place + 1]?.box.left ?? innerWidth;
    return boxes.filter(({ box }, place) => box.right > end(place)).map(({ text }) => text);
})"""


def saved(page: Page, kind: str) -> tuple[str, bytes]:
    """Name and content of an export."""
    with page.expect_download() as download:
        page.locator(f"[data-export={kind}]").click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_the_table_says_everything_the_page_says(reader: Page) -> None:
    open_sample(reader)
    name, content = saved(reader, "csv")
    assert re.fullmatch(r"tailscope_read_nih-ensemble_\d{8}-\d{4}_[0-9a-f]{8}\.csv", name)
    table = pd.read_csv(io.BytesIO(content))
    looked_for = table[table.score.notna()]
    assert set(looked_for.finding) == set(classifier_card("nih-ensemble").findings)
    assert set(looked_for[looked_for.state == "above threshold"].finding) <= set(above(reader, "true"))
    assert len(table[table.state == "not looked for"]) == 26
    assert set(table.use) == {"Not for medical use"}
    assert set(table.gate) == {"can be read"}


def test_a_film_read_anyway_says_so_in_every_export(reader: Page) -> None:
    reader.locator("[data-sample=leg]").click()
    wait_until_said(reader)
    reader.locator(".way-anyway").click()
    wait_until_read(reader)
    assert set(pd.read_csv(io.BytesIO(saved(reader, "csv")[1])).gate) == {"refused, read anyway"}
    answer = json.loads(saved(reader, "json")[1])
    assert answer["gate"]["read_anyway"] is True
    assert "chest" in answer["gate"]["reason"]
    assert len(answer["findings"]) == 15
    reader.evaluate(WATCH_WRITING)
    saved(reader, "png")
    written: str = reader.evaluate("written.join(' ')")
    assert "Read anyway. " in written
    assert "Not for medical use" in written


def test_the_picture_is_the_film_as_shown_with_its_map_and_nothing_written_on_it(reader: Page) -> None:
    open_sample(reader)
    reader.keyboard.press("i")
    (finding, *_) = above(reader, "true")
    choose(reader, finding)
    reader.wait_for_timeout(100)  # a frame, until the inverted film is drawn
    film, heat = canvas(reader, "film")[..., :3] / 255, canvas(reader, "heat")
    name, content = saved(reader, "png")
    picture = np.asarray(Image.open(io.BytesIO(content)).convert("RGB")) / 255
    assert name.endswith(".png")
    height, width = film.shape[:2]
    assert picture.shape[0] > height + 60 and picture.shape[1] > width
    share = Image.fromarray(heat).resize((width, height), Image.Resampling.BILINEAR)
    color = np.asarray(share) / 255
    expected = film * (1 - 0.6 * color[..., 3:]) + 0.6 * color[..., :3] * color[..., 3:]
    tried = sliding_window_view(picture, (height, width), axis=(0, 1))[..., ::97, ::97]  # (y, x, color, rows, columns)
    sparse = expected[::97, ::97].transpose(2, 0, 1)
    apart = np.stack([np.abs(row - sparse).mean(axis=(1, 2, 3)) for row in tried])
    places = np.argwhere(apart < 0.02)
    assert len(places)  # the film is not in the picture
    y, x = places[0]
    assert np.abs(picture[y : y + height, x : x + width] - expected).mean() < 0.02


def named_film() -> bytes:
    """RG1 with a made-up name burned in."""
    film = Image.fromarray(np.rint(film_of("masses")[::2, ::2] * 200).astype(np.uint8))
    ImageDraw.Draw(film).text((40, 40), "DOE^JANE 1950-01-01 ID 4711", fill=255, font=ImageFont.load_default(28))
    return grey(np.asarray(film) / 255)


def test_a_picture_is_of_the_film_it_was_asked_of_though_another_hangs_by_then(reader: Page) -> None:
    upload(reader, "named.png", named_film())
    wait_until_read(reader)
    film = canvas(reader, "film")
    reader.locator("[data-export=png]").click()
    expect(reader.locator(".burned-in")).to_be_visible()
    upload(reader, "other.png", grey(film_of("masses")[::4, ::-4]))
    expect(reader.locator(".film-name")).to_have_text("other.png", timeout=SLOW)
    with reader.expect_download() as download:
        reader.locator(".burned-in .keep").click()
    picture = Image.open(io.BytesIO(Path(download.value.path()).read_bytes()))
    assert picture.height > film.shape[0] > canvas(reader, "film").shape[0]


def test_text_burned_into_the_film_is_warned_of_before_an_image_leaves(reader: Page) -> None:
    upload(reader, "named.png", named_film())
    wait_until_read(reader)
    dialog = reader.locator(".burned-in")
    reader.locator("[data-export=png]").click()
    expect(dialog).to_be_visible()
    dialog.get_by_text("Do not save").click()
    expect(dialog).to_be_hidden()
    reader.locator("[data-export=png]").click()
    with reader.expect_download() as download:
        dialog.get_by_text("Save the image").click()
    assert download.value.suggested_filename.endswith(".png")


def test_the_picture_says_what_was_done_to_the_film(reader: Page) -> None:
    upload(reader, "turned.png", grey(np.rot90(film_of("masses")[::4, ::4])))
    reader.locator(".way-remedy").click()
    wait_until_read(reader)
    expect(reader.locator(".facts")).to_contain_text("turned right on request")
    reader.evaluate(WATCH_WRITING)
    saved(reader, "png")
    assert "turned right on request" in reader.evaluate("written.join(' ')")


def test_the_report_is_one_page_that_says_what_it_is_not_for(reader: Page, chromium: Browser) -> None:
    page = reader
    open_sample(page, "phantom-effusion")
    choose(page, "Pleural Effusion")
    page.locator("[data-export=report]").click()
    leave_with_text(page)
    page.frame_locator("iframe.report").locator("table").first.wait_for(state="attached")
    report = page.locator("iframe.report").element_handle().content_frame()
    assert report is not None
    text = report.locator("body").text_content() or ""
    assert text.startswith("NOT FOR MEDICAL USE") and text.endswith("NOT FOR MEDICAL USE")
    assert "SIMULATED" in text
    assert re.search(r"Pleural Effusion: (likely|possible)0.85", text) and "0.89 [0.84\u20130.92]" in text
    assert "Correct when flagged" in text and report.evaluate("document.compatMode") == "CSS1Compat"
    assert "674 test films without findings" in text and "Cannot judge: " in text
    assert "phantom: Classifier of 30 findings" in text
    with windows(chromium).window(1440, 900, Kind()) as paged:
        paged.set_content(report.content())
        paged.emulate_media(media="print")
        for width in (718, 740):  # of A4 and of Letter between their margins, in pixels
            paged.set_viewport_size({"width": width, "height": 1000})
            assert paged.evaluate(OVERPRINTED) == [], width
        for paper in ("A4", "Letter"):
            pdf = paged.pdf(format=paper, prefer_css_page_size=False)
            assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) == 1, paper
