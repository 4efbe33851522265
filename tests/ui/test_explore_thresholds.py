"""Thresholds in the page: whose are in force, and a dialog that chooses others for the films on the page."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from explorer.ui.shared.links import cohort_id
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, sentence, wait_until_shown
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser
PHANTOM = {"cohort": cohort_id("phantom"), "panel": "confused"}  # of the table many intervals are computed
MISSES = PHANTOM | {"outcome": "miss"}


def home(server: Server) -> Path:
    return server.temporary / "home"


def opener(page: Page) -> str:
    return page.locator(".thresholds-open").inner_text()


def test_a_rule_a_hand_and_back_by_keyboard(new_changer: NewVisitor, changed_server: Server, wording: Wording) -> None:
    page = new_changer(**MISSES)
    before = sentence(page)
    assert opener(page) == "Thresholds: the model's own"
    page.locator(".thresholds-open").press("Enter")
    dialog = page.get_by_role("dialog", name="Thresholds of phantom in phantom")
    expect(dialog.locator("tbody tr")).to_have_count(30)
    dialog.get_by_label("Rule").select_option("spec90")
    dialog.get_by_label("chosen on").select_option("center=B")
    dialog.get_by_role("button", name="Apply").press("Enter")
    said = dialog.locator(".thresholds-said")
    in_force = text_with(said, "900 films", SLOW)
    assert "0.90" in in_force and "center B" in in_force
    wording(in_force)
    field = dialog.get_by_label("Threshold of Mass", exact=True)
    field.fill("0.5")
    field.press("Tab")
    expect(said).to_contain_text("Mass by hand", timeout=SLOW)
    expect(field).to_have_value("0.5")
    dialog.get_by_label("Threshold of Nodule", exact=True).fill("")
    dialog.get_by_label("Threshold of Nodule", exact=True).press("Tab")
    wording(text_with(said, "threshold of Nodule"))
    page.keyboard.press("Escape")
    wait_until_shown(page)
    assert "Mass by hand" in opener(page) and "900 films" in opener(page)
    wording(opener(page))
    assert sentence(page) != before
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.querySelector('.saying').scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1440, "height": 900})
    assert (home(changed_server) / "cohorts/phantom/thresholds/phantom.parquet").is_file()
    page.locator(".thresholds-open").click()
    dialog.get_by_role("button", name="Back to the model's own").click()
    expect(dialog.get_by_role("button", name="Back to the model's own")).to_be_disabled(timeout=SLOW)
    page.keyboard.press("Escape")
    wait_until_shown(page)
    expect(page.locator(".thresholds-open")).to_have_text("Thresholds: the model's own", timeout=SLOW)
    assert sentence(page) == before


def test_the_dialog_fits_and_axe_finds_nothing(new_changer: NewVisitor) -> None:
    page = new_changer(**MISSES)
    page.locator(".thresholds-open").click()
    dialog = page.locator("dialog.thresholds[open]")
    expect(dialog.locator("tbody tr")).to_have_count(30)
    for width, height in ((1440, 900), (1024, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        box = dialog.bounding_box()
        assert box is not None
        assert 0 <= box["x"] and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert_accessible(page, within="dialog.thresholds")  # the page below it is tested at rest


def test_while_labels_are_hidden_there_is_no_way_to_it(new_changer: NewVisitor) -> None:
    page = new_changer(**PHANTOM, hide="1", shuffle="3")
    expect(page.locator(".thresholds-open")).to_be_hidden()


def test_a_page_of_another_site_changes_nothing(changed_server: Server) -> None:
    body = {"component_id": 1, "fn_name": "thresholds_chosen", "session_hash": "x", "data": {"rule": "f1"}}
    headers = {"origin": "http://elsewhere.test"}
    answer = httpx.post(f"{changed_server.url}/gradio_api/component_server", json=body, headers=headers)
    assert answer.status_code == 403
    assert not list(home(changed_server).rglob("phantom.parquet"))
