"""The heat maps of the Read tab in the app itself: when one comes, and that it lies where the model looked."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from playwright.sync_api import Page, Response, expect

from tests.ui.reading_room import (
    SLOW,
    above,
    canvas,
    choose,
    narrow_film,
    open_sample,
    png_of,
    show_map,
    upload,
    wait_until_read,
)

pytestmark = pytest.mark.browser


def test_no_map_is_shown_before_a_finding_is_chosen(reader: Page) -> None:
    calls = []
    reader.on("request", lambda request: calls.append(request.post_data or ""))
    open_sample(reader)
    first = reader.locator(".finding").first.get_attribute("data-finding")
    expect(reader.locator(".evidence-text")).to_have_text("No map yet.")  # the first one is chosen
    expect(reader.locator(".legend")).to_be_hidden()
    assert not canvas(reader, "heat")[..., 3].any()
    assert not [call for call in calls if '"heat"' in call], "nor is one made"
    reader.locator(".evidence-show", has_text=f"Show the map of {first}").click()
    show_map(reader)
    assert canvas(reader, "heat")[..., 3].any()


def test_a_map_comes_once_and_those_of_findings_above_threshold_behind_it(reader: Page) -> None:
    open_sample(reader)
    names = [name for name in above(reader, "true") if name != "Normal"]
    answers = itertools.count(1)

    def second(response: Response) -> bool:
        return '"heat"' in (response.request.post_data or "") and next(answers) == 2

    with reader.expect_response(second, timeout=SLOW) as behind:
        choose(reader, names[0])
    behind.value.finished()
    show_map(reader)
    requests: list[str] = []
    reader.on("request", lambda request: requests.append(request.url))
    maps = []
    assert len(names) > 1
    for name in names[:2]:
        choose(reader, name)
        show_map(reader)
        expect(reader.locator(".legend-finding")).to_have_text(name)
        expect(reader.locator(".legend-maximum")).to_contain_text("logit")
        maps.append(canvas(reader, "heat"))
    assert not np.array_equal(maps[0], maps[1])
    assert [url for url in requests if "heartbeat" not in url] == []


def test_below_the_threshold_the_map_comes_on_request_only(reader: Page) -> None:
    open_sample(reader)
    finding = [name for name in above(reader, "false") if name != "Normal"][-1]
    choose(reader, finding)
    expect(reader.locator(".evidence-text")).to_have_text(f"No map: {finding} is not flagged.")
    expect(reader.locator(".legend")).to_be_hidden()
    assert not canvas(reader, "heat")[..., 3].any()
    reader.locator(".evidence-show").click()
    expect(reader.locator(".legend")).to_be_visible()
    expect(reader.locator(".evidence")).to_be_hidden()


def test_the_map_lies_where_the_model_looked_on_a_narrow_film(reader: Page) -> None:
    from models.load import classifier
    from models.radiograph import read_radiograph

    data = png_of(narrow_film())
    model = classifier("nih-ensemble", "cpu")
    assert model.card.heat_maximum is not None
    upload(reader, "narrow.png", data)
    wait_until_read(reader)
    findings = [finding for finding in model.findings if finding != "Normal"][:3]  # which has no place on a film
    heat = model.heat(read_radiograph(data), findings)
    expected = heat.on_film(256)
    for place, finding in enumerate(findings):
        choose(reader, finding)
        show_map(reader)
        share = np.clip(expected[place] / model.card.heat_maximum, 0, 1)
        drawn = canvas(reader, "heat")[..., 3].astype(float)
        assert drawn.shape == share.shape
        assert np.abs(drawn - share * 255).max() < 3, finding
