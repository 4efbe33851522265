"""A clinician's path through the Read tab, in a real browser, on the real film RG1."""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, Request, expect

from explorer.reading.samples import sample_bytes
from models.cards.card import card
from models.gate.heart_side import MIRRORED
from models.statistics import wilson
from tests.ui.conftest import NewVisitor, Server, start, stop
from tests.ui.reading_room import (
    SLOW,
    above,
    canvas,
    choose,
    film_of,
    open_sample,
    png_of,
    show_map,
    upload,
    wait_until_read,
    wait_until_said,
)

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def grey_film() -> NDArray[np.uint8]:
    """RG1 as 8-bit gray, cut to a narrow upright film."""
    return np.rint(film_of("masses")[::2, 200:1700:2] * 255).astype(np.uint8)


def test_a_sample_shows_film_findings_and_provenance(visitor: Page) -> None:
    open_sample(visitor)
    expect(visitor.locator("#masthead .model")).to_have_text(
        "real films: nih-mini \u00b7 simulated: phantom \u00b7 cpu"
    )
    expect(visitor.locator("#masthead .use")).to_have_text("Not for medical use")
    assert canvas(visitor, "film").shape[0] == 1024
    assert visitor.locator(".finding").count() == 15
    expect(visitor.locator(".made-model")).to_contain_text("nih-mini")
    expect(visitor.locator(".made-times")).to_contain_text("scores")
    expect(visitor.locator(".verdict")).to_have_text("Can be read as a frontal chest film")
    expect(visitor.locator(".facts")).to_contain_text("1841 x 1955 px")
    expect(visitor.locator(".notes")).to_contain_text("inverted")
    assert "robab" not in visitor.locator("#read").inner_text()


def test_findings_go_by_margin_within_above_unsure_and_below(visitor: Page) -> None:
    open_sample(visitor)
    listed = [row for row in visitor.locator(".finding").all() if row.get_attribute("data-finding") != "Normal"]
    states = [row.get_attribute("data-state") for row in listed]
    assert states == sorted(states, key=["above", "unsure", "below", "cannot judge"].index)
    for state in set(states) - {"cannot judge"}:
        those = visitor.locator(f".finding[data-state={state}]:not([data-finding=Normal])")
        margins = those.locator(".finding-margin").all_text_contents()
        figures = [float(text.replace("\u2212", "-")) for text in margins]
        assert figures == sorted(figures, reverse=True)


def test_the_two_kinds_of_not_there_are_listed_apart(visitor: Page) -> None:
    open_sample(visitor)
    titles = visitor.locator(".group-title").all_text_contents()
    assert [title.split(" (")[0] for title in titles] == [
        "Above threshold",
        "Unsure",
        "Below threshold",
        "This model cannot judge",
        "Absence of findings",
        "Not looked for",
    ]
    unknown = visitor.locator(".unknown")
    expect(unknown).to_be_hidden()
    visitor.locator(".group-head", has_text="Not looked for").click()
    expect(unknown).to_contain_text("Azygos Lobe")
    expect(unknown).to_contain_text("This model does not know them")
    assert "Mass," not in unknown.inner_text()


def test_every_rate_of_the_chosen_finding_has_its_n_and_interval(visitor: Page) -> None:
    open_sample(visitor)
    choose(visitor, "Pleural Effusion")
    numbers = visitor.locator(".numbers")
    expect(numbers.locator(".number-lines").first).to_be_hidden()
    numbers.locator("summary").click()
    expect(numbers.locator(".number-lines").first).to_be_visible()
    point = card("nih-mini").operating_points["Pleural Effusion"]
    low, high = wilson(round(point.sensitivity * point.positives), point.positives)
    expect(numbers).to_contain_text(f"{point.sensitivity:.2f} [{low:.2f}\u2013{high:.2f}], missed")
    expect(numbers).to_contain_text(f"of {point.positives} with it")
    expect(numbers).to_contain_text(f"of {point.negatives:,} without")
    expect(numbers).to_contain_text(f"n+ {point.positives} behind these rates")
    expect(numbers).to_contain_text("CXR-LT 2026")
    expect(numbers).to_contain_text("of 1,650 films")
    expect(numbers).to_contain_text("counted in folds that did not choose it; 95 % intervals")
    choose(visitor, "Mass")
    expect(numbers.locator(".numbers-plain")).to_have_text(re.compile("^This model cannot judge it: .* than a guess"))
    expect(numbers.locator("details")).to_contain_text(
        "Out of fold the model may not rank this finding better than chance"
    )
    choose(visitor, "Pneumonia")
    expect(numbers).to_contain_text("Doubtful: ")


def test_headline_and_groups_count_alike(visitor: Page) -> None:
    open_sample(visitor, "phantom-effusion")
    detail = visitor.locator(".word-detail").inner_text()
    for title, words in {
        "Unsure": "unsure",
        "Below threshold": "below threshold",
        "This model cannot judge": "that this model cannot judge",
    }.items():
        head = visitor.locator(".group-title", has_text=title).inner_text()
        count = int(head.split("(")[1].rstrip(")"))
        assert f"{count} {words}" in detail
        group = visitor.locator(".group", has=visitor.locator(".group-title", has_text=title))
        assert group.locator(".finding").count() == count
        assert group.get_attribute("open") is None, f"{title} is folded"
    expect(visitor.locator(".finding-free")).to_contain_text("1.3 [1.2-1.4] unsure on average: 674 test films")
    above = visitor.locator(".finding[data-state=above]").first.get_attribute("data-finding")
    assert visitor.locator(".finding[aria-pressed=true]").get_attribute("data-finding") == above


def test_no_map_is_shown_before_a_finding_is_chosen(visitor: Page) -> None:
    calls = []
    visitor.on("request", lambda request: calls.append(request.post_data or ""))
    open_sample(visitor)
    first = visitor.locator(".finding").first.get_attribute("data-finding")
    expect(visitor.locator(".evidence-text")).to_have_text("No map yet: choose a finding.")
    expect(visitor.locator(".legend")).to_be_hidden()
    assert not canvas(visitor, "heat")[..., 3].any()
    assert not [call for call in calls if '"heat"' in call], "nor is one made"
    visitor.locator(".evidence-show", has_text=f"Show the map of {first}").click()
    show_map(visitor)
    assert canvas(visitor, "heat")[..., 3].any()


def test_a_map_comes_once_and_those_of_findings_above_threshold_behind_it(visitor: Page) -> None:
    open_sample(visitor)
    names = [name for name in above(visitor, "true") if name != "Normal"]
    with visitor.expect_response(lambda response: '"heat"' in (response.request.post_data or ""), timeout=SLOW):
        choose(visitor, names[0])
    show_map(visitor)
    visitor.wait_for_timeout(1500)  # those behind it
    requests: list[str] = []
    visitor.on("request", lambda request: requests.append(request.url))
    maps = []
    assert len(names) > 1
    for name in names[:2]:
        choose(visitor, name)
        show_map(visitor)
        expect(visitor.locator(".legend-finding")).to_have_text(name)
        expect(visitor.locator(".legend-maximum")).to_contain_text("logit")
        maps.append(canvas(visitor, "heat"))
    assert not np.array_equal(maps[0], maps[1])
    assert [url for url in requests if "heartbeat" not in url] == []


def test_below_the_threshold_the_map_comes_on_request_only(visitor: Page) -> None:
    open_sample(visitor)
    finding = [name for name in above(visitor, "false") if name != "Normal"][-1]
    choose(visitor, finding)
    expect(visitor.locator(".evidence-text")).to_have_text(f"No map: {finding} is below its threshold.")
    expect(visitor.locator(".legend")).to_be_hidden()
    assert not canvas(visitor, "heat")[..., 3].any()
    visitor.locator(".evidence-show").click()
    expect(visitor.locator(".legend")).to_be_visible()
    expect(visitor.locator(".evidence")).to_be_hidden()


def test_arrow_keys_move_the_choice(visitor: Page) -> None:
    open_sample(visitor)
    rows = visitor.locator(".finding")
    rows.first.focus()
    visitor.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(rows.nth(1)).to_be_focused()
    visitor.keyboard.press("ArrowUp")
    expect(rows.first).to_have_attribute("aria-pressed", "true")


def test_the_map_lies_where_the_model_looked_on_a_narrow_film(visitor: Page, grey_film: NDArray[np.uint8]) -> None:
    from models.load import classifier
    from models.radiograph import read_radiograph

    data = png_of(grey_film)
    model = classifier("nih-mini", "cpu")
    assert model.card.heat_maximum is not None
    upload(visitor, "narrow.png", data)
    wait_until_read(visitor)
    heat = model.heat(read_radiograph(data), model.findings[:3])
    expected = heat.on_film(256)
    for place, finding in enumerate(model.findings[:3]):
        choose(visitor, finding)
        show_map(visitor)
        share = np.clip(expected[place] / model.card.heat_maximum, 0, 1)
        drawn = canvas(visitor, "heat")[..., 3].astype(float)
        assert drawn.shape == share.shape
        assert np.abs(drawn - share * 255).max() < 3, finding


def test_a_dicom_file_without_extension_is_read(visitor: Page, server: Server) -> None:
    upload(visitor, "IM000001", sample_bytes("masses-jpeg2000"))
    wait_until_read(visitor)
    expect(visitor.locator(".film-name")).to_have_text("IM000001")
    assert server.uploaded_files() == []


def test_a_hostile_file_name_is_only_a_name(visitor: Page, grey_film: NDArray[np.uint8]) -> None:
    buffer = io.BytesIO()
    Image.fromarray(grey_film).save(buffer, "JPEG")
    name = "<img src=x onerror=window.hostile=1>.png"
    upload(visitor, name, buffer.getvalue())
    wait_until_read(visitor)
    expect(visitor.locator(".film-name")).to_have_text(name)
    assert visitor.evaluate("window.hostile") is None
    assert visitor.locator("#read img[src=x]").count() == 0


def test_a_text_file_is_refused_in_words_and_another_film_can_follow(visitor: Page, server: Server) -> None:
    upload(visitor, "letter.txt", b"Dear colleague, thank you for referring this patient. " * 20)
    visitor.locator(".room[data-state=refused]").wait_for(timeout=SLOW)
    expect(visitor.locator(".word-title")).to_contain_text("text")
    expect(visitor.locator(".word-detail")).not_to_be_empty()
    assert visitor.locator(".finding").count() == 0
    assert server.uploaded_files() == []
    open_sample(visitor)


def test_an_empty_file_is_refused(visitor: Page) -> None:
    upload(visitor, "empty.dcm", b"")
    expect(visitor.locator(".word-title")).to_have_text("The file is empty")


def test_opening_another_while_the_first_is_scored_shows_the_last(visitor: Page) -> None:
    visitor.locator("[data-sample=masses]").click()
    visitor.locator(".room[data-state=scoring], .room[data-state=read]").wait_for(timeout=SLOW)
    upload(visitor, "leg.dcm", sample_bytes("leg"))
    expect(visitor.locator(".facts")).to_contain_text("1760 x 1760 px", timeout=SLOW)
    wait_until_said(visitor)
    expect(visitor.locator(".film-name")).to_have_text("leg.dcm")


def test_two_visitors_never_share_a_film(new_visitor: NewVisitor) -> None:
    first, second = new_visitor(), new_visitor()
    open_sample(first, "masses")
    mine = canvas(first, "film")
    second.locator("[data-sample=leg]").click()
    wait_until_said(second)
    assert np.array_equal(canvas(first, "film"), mine)
    assert not np.array_equal(canvas(second, "film").shape, mine.shape)
    expect(first.locator(".facts")).to_contain_text("1841 x 1955 px")
    third = new_visitor()
    expect(third.locator(".room")).to_have_attribute("data-state", "empty")
    assert third.locator(".finding").count() == 0


def test_closing_the_page_forgets_the_film(new_visitor: NewVisitor, server: Server) -> None:
    page = new_visitor()
    calls: list[Request] = []
    page.on("request", lambda request: calls.append(request) if "component_server" in request.url else None)
    open_sample(page)
    call = json.loads(calls[0].post_data or "")
    assert httpx.post(calls[0].url, json=call).json()["view"] == "PA"
    page.context.close()
    deadline = time.monotonic() + 30
    while httpx.post(calls[0].url, json=call).json() is not None:
        assert time.monotonic() < deadline, "the film is still there"
        time.sleep(0.2)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_the_film_fills_the_height_and_nothing_scrolls(new_visitor: NewVisitor, width: int, height: int) -> None:
    page = new_visitor(width=width, height=height)
    open_sample(page)
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("#film-canvas").bounding_box()
    assert box is not None
    assert box["height"] > 0.8 * height or box["width"] > 0.55 * width


def test_on_a_phone_the_film_stays_in_sight_when_it_is_read(new_visitor: NewVisitor) -> None:
    page = new_visitor(width=390, height=844)
    open_sample(page)
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.fixture
def modelless(tmp_path: Path) -> Iterator[Server]:
    server = start(tmp_path, "--model", "no-such-model")
    yield server
    stop(server)


def test_without_a_model_the_film_stays_and_the_reason_is_said(modelless: Server, new_visitor: NewVisitor) -> None:
    page = new_visitor(modelless.url)
    page.locator("[data-sample=masses]").click()
    page.locator(".room[data-state=unscored]").wait_for(timeout=SLOW)
    expect(page.locator(".word-title")).to_contain_text("no-such-model")
    expect(page.locator("#masthead .model")).to_contain_text("no-such-model")
    expect(page.locator("#film-canvas")).to_be_visible()


def test_on_a_phone_the_verdict_is_seen_at_once(new_visitor: NewVisitor) -> None:
    page = new_visitor(width=390, height=844)
    open_sample(page, "phantom-effusion")
    box = page.locator(".word-title").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 844
    assert page.evaluate("scrollY") == 0


def test_leaving_asks_where_a_film_of_the_visitors_own_would_be_lost(new_visitor: NewVisitor) -> None:
    page = new_visitor()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    open_sample(page)
    page.reload()
    page.locator(".room[data-state=empty]").wait_for()
    assert asked == [], "a sample is never lost"
    upload(page, "film.dcm", sample_bytes("masses"))
    wait_until_read(page)
    page.locator(".finding").first.evaluate("button => button.closest('details').open = true")
    page.locator(".finding").first.click()  # a browser asks only where the visitor did something
    page.reload()
    page.locator(".room[data-state=empty]").wait_for()
    assert asked == ["beforeunload"]


def test_the_samples_have_pictures(new_visitor: NewVisitor) -> None:
    page = new_visitor()
    for picture in page.locator("#read .sample img").all():
        page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())


def test_a_very_small_film_is_warned_of(new_visitor: NewVisitor, server: Server) -> None:
    small = Image.fromarray(np.rint(film_of("masses") * 255).astype(np.uint8)).resize((90, 96))
    page = new_visitor()
    upload(page, "preview.png", png_of(np.asarray(small)))
    wait_until_read(page)
    expect(page.locator(".verdict")).to_have_text(
        "Can be read as a frontal chest film. The film has only 90 x 96 px: small findings cannot be seen on it. "
        "Open the original, not a preview."
    )


def test_a_mirrored_film_is_warned_of_and_put_right_on_request(new_visitor: NewVisitor, server: Server) -> None:
    mirrored = np.rint(film_of("masses")[:, ::-1] * 255).astype(np.uint8)
    page = new_visitor()
    upload(page, "mirrored.png", png_of(np.ascontiguousarray(mirrored)))
    wait_until_read(page)
    verdict = page.locator("#read .verdict")
    expect(verdict).to_have_text("Can be read as a frontal chest film. " + MIRRORED)
    expect(verdict).to_have_class(re.compile("overruled"))
    page.get_by_role("button", name="Mirror and read").click()
    expect(verdict).to_have_text("Can be read as a frontal chest film")
    expect(page.locator("#read .finding")).not_to_have_count(0)
    expect(page.locator("#read .notes")).to_contain_text("mirrored on request")
    expect(page.locator("#read .way")).to_have_count(0)
