"""How stable is this?: nothing before it is asked, then bands, words, exports, and one answer for each film."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from explorer.reading.finding_list import finding_rows
from explorer.reading.samples import sample_bytes
from explorer.reading.stability import FilmStability
from explorer.reading.stability_json import StabilityAnswer, stability_answer
from models import load
from models.perturbations.film import working_film
from models.perturbations.small_changes import small_changes
from models.radiograph import read_radiograph
from tests.support.wording import Wording
from tests.ui.axe import assert_accessible
from tests.ui.reading_room import (
    SLOW,
    compare_with,
    film_of,
    grey,
    leave_with_text,
    open_sample,
    upload,
    wait_until_read,
)
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser

# The bases are cut off: small changes of this film turn calls.
FILM = grey(film_of("masses")[:1500:5, ::5])


def answer_for(data: bytes) -> StabilityAnswer:
    """What the model of real films says of a file, computed here."""
    model, film = load.classifier("nih-ensemble", "cpu"), read_radiograph(data)
    working = working_film(film)
    scores = model.score([each.of(working, film.sha256) for each in small_changes()])
    names = tuple(each.name for each in small_changes())
    stability = FilmStability(names, model.card.findings, scores, 0.0, 0.0, 0.0)
    return stability_answer(stability, finding_rows(model.card, model.read(film)[0]))


def ask(page: Page) -> None:
    page.locator(".stability-ask").click()
    page.locator(".stability-fold").wait_for(timeout=SLOW)


def saved(page: Page, kind: str) -> bytes:
    with page.expect_download() as download:
        page.locator(f"[data-export={kind}]").click()
    return Path(download.value.path()).read_bytes()


def panel_height(page: Page) -> float:
    height: float = page.evaluate("document.querySelector('#read .panel').scrollHeight + document.body.scrollHeight")
    return height


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_the_button_takes_no_room_of_its_own(bare: Page, width: int) -> None:
    bare.set_viewport_size({"width": width, "height": 900})
    open_sample(bare)
    button, line = (bare.locator(name).bounding_box() for name in (".stability-ask", ".model-fold-head"))
    assert button is not None and line is not None
    assert button["y"] >= line["y"] - 1 and button["y"] + button["height"] <= line["y"] + line["height"] + 1
    names = bare.locator(".model-fold-names").bounding_box()
    assert names is not None and names["x"] + names["width"] <= button["x"]
    with_button = panel_height(bare)
    bare.evaluate("document.querySelector('.stability-ask').hidden = true")
    assert panel_height(bare) == with_button


def test_bands_and_words_come_once_they_are_asked_for(bare: Page, wording: Wording) -> None:
    upload(bare, "small.png", FILM)
    wait_until_read(bare)
    expected = answer_for(FILM)
    unstable = {each["finding"]: each["says"] for each in expected["findings"] if each["stable"] is False}
    assert unstable  # a film without one would prove little
    assert bare.locator(".bar-stability, .finding-unstable").count() == 0 and bare.locator(".stability").is_hidden()
    ask(bare)
    assert all(finding in expected["says"] for finding in unstable)
    assert bare.locator(".stability-says").inner_text() == expected["says"]
    shown = {
        str(row.get_attribute("data-finding")): row.locator(".finding-unstable").text_content()
        for row in bare.locator(".finding:has(.finding-unstable)").all()
    }
    assert shown == {finding: f"Unstable: {says}" for finding, says in unstable.items()}
    for each in expected["findings"]:
        row = bare.locator(f".finding[data-finding='{each['finding']}']")
        spoken = row.get_attribute("aria-label") or ""
        assert spoken.endswith(f"; unstable: {each['says']}") == (each["stable"] is False)
        if row.locator(".bar").count():
            style: Any = row.locator(".bar-stability").evaluate("band => [band.style.left, band.style.width]")
            left, span = (float(value.removesuffix("%")) / 100 for value in style)
            np.testing.assert_allclose([left, left + span], [each["low"], each["high"]], atol=0.01)
    finding = next(iter(unstable))
    row = bare.locator(f".finding[data-finding='{finding}']")
    row.evaluate("button => { button.closest('details').open = true; }")
    row.click()
    bare.locator(".numbers-fold").click()
    expect(bare.locator(".number-lines").first).to_contain_text(unstable[finding])
    bare.locator(".stability-fold").click()
    wording(bare.locator(".stability-detail").all_inner_texts(), "rotation", "jpeg")
    assert_accessible(bare, within="#read")
    bare.locator(".numbers-fold").click()
    bare.locator(".stability-ask").click()  # folds it
    expect(bare.locator(".stability-ask")).to_have_attribute("aria-expanded", "false")
    assert bare.locator(".bar-stability, .finding-unstable").count() == 0 and bare.locator(".stability").is_hidden()


def test_exports_carry_stability_only_if_it_was_asked_for(bare: Page) -> None:
    open_sample(bare)
    assert "call_stable" not in pd.read_csv(io.BytesIO(saved(bare, "csv"))).columns
    ask(bare)
    expected = answer_for(sample_bytes("masses"))
    answer = json.loads(saved(bare, "json"))["stability"]
    assert answer["changes"] == expected["changes"] and answer["says"] == expected["says"]
    for own, other in zip(answer["findings"], expected["findings"], strict=True):
        assert (own["finding"], own["above"], own["stable"]) == (other["finding"], other["above"], other["stable"])
    lines = pd.read_csv(io.BytesIO(saved(bare, "csv"))).set_index("finding")
    for each in expected["findings"]:
        assert lines.loc[each["finding"], "stability_from"] == pytest.approx(each["low"], abs=0.01)
    bare.locator("[data-export=report]").click()
    leave_with_text(bare)
    expect(bare.frame_locator("iframe.report").locator("body")).to_contain_text(expected["says"])


def test_each_film_of_two_has_its_own_answer(bare: Page) -> None:
    open_sample(bare)
    ask(bare)
    first = bare.locator(".stability-says").inner_text()
    compare_with(bare, "second.png", FILM)
    expect(bare.locator(".stability")).to_be_hidden()
    expect(bare.locator(".stability-ask")).to_be_visible()
    ask(bare)
    expect(bare.locator(".stability-says")).to_have_text(answer_for(FILM)["says"])
    bare.keyboard.press("x")
    expect(bare.locator(".stability-says")).to_have_text(first)


def test_a_hidden_opinion_hides_its_stability(bare: Page) -> None:
    open_sample(bare)
    ask(bare)
    bare.keyboard.press("h")
    expect(bare.locator(".stability-ask")).to_be_hidden()
    expect(bare.locator(".stability")).to_be_hidden()
    bare.locator(".way-reveal").click()
    expect(bare.locator(".stability-fold")).to_be_visible()


def test_a_refused_film_cannot_be_asked_about(bare: Page) -> None:
    bare.locator("[data-sample=leg]").click()
    bare.locator("#read .room[data-state=refused]").wait_for(timeout=SLOW)
    expect(bare.locator(".stability-ask")).to_be_hidden()


def test_what_it_tells_on_simulated_films_was_measured_on_simulated_films(bare: Page, wording: Wording) -> None:
    open_sample(bare, "phantom-effusion")
    ask(bare)
    bare.locator(".stability-fold").click()
    wording(text_with(bare.locator(".stability-detail").nth(1), "phantom"), "SIMULATED", "393")
