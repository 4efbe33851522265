"""Intervals that are still computed when the table is there already."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from explorer.store.slices import Slice
from explorer.ui.shared.links import center_id
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, Answers
from tests.ui.held import MOMENT, asks
from tests.ui.panel_room import NIH, panel, wait_until_drawn
from tests.ui.three_centers import MODEL, NAME, UNLABELLED

ANYTHING = re.compile("")

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def test_intervals_take_the_place_of_computing(new_panel: NewVisitor) -> None:
    page = new_panel(Slice("nih-oof", "nih-mini", sex="F", view="PA"), panel="label-issues")
    answers = Answers(page)
    page.get_by_role("tab", name="table", exact=True).click()
    wait_until_drawn(page)
    cell = ".cell[data-measure=precision][data-finding=pleural-effusion] .cell-figures .cell-interval"
    expect(panel(page).locator(cell)).not_to_have_text("computing", timeout=2 * SLOW)
    expect(panel(page)).not_to_have_attribute("data-computing", ANYTHING, timeout=2 * SLOW)
    for _ in range(100):  # the page can read the last answer before this test hears of it
        if of_the_table(answers)[-1]["complete"]:
            break
        page.wait_for_timeout(100)
    tables, shown = of_the_table(answers), panel(page).locator(cell).inner_text()
    every = [each for table in tables for each in table["done"]]
    (last,) = (each for each in every if each["finding"] == "pleural-effusion" and each["center"] is None)
    assert tables[-1]["complete"]
    assert last["low"] < last["value"] < last["high"]
    assert shown == f"[{last['low']:.2f}\u2013{last['high']:.2f}]"


def of_the_table(answers: Answers) -> list[dict[str, Any]]:
    """What the server has said of the table and its intervals so far."""
    said = [json.loads(text) for _, text in answers.said]
    plain = [answer["data"][0] if "data" in answer else answer for answer in said]
    return [answer for answer in plain if isinstance(answer, dict) and answer.get("stage") in ("table", "intervals")]


def test_intervals_are_asked_for_while_they_are_shown_and_missing(new_panel: NewVisitor) -> None:
    rates_alone = f"gap.{center_id(NAME, UNLABELLED)}"  # a center without labels has a shift instead, with an interval
    page = new_panel(Slice(NAME, MODEL, sex="F", view="AP"), panel="table", without=rates_alone)
    polls = asks(page, "cell_intervals")
    page.wait_for_timeout(4 * MOMENT)
    assert not polls and panel(page).get_attribute("data-computing") is None
    panel(page).get_by_role("button", name="AP", exact=True).click()
    expect(panel(page)).to_have_attribute("data-computing", "")
    expect(panel(page)).not_to_have_attribute("data-computing", ANYTHING, timeout=2 * SLOW)
    expect(panel(page).locator(".computing")).to_have_count(0)
    before = len(polls)
    page.wait_for_timeout(4 * MOMENT)
    assert len(polls) == before > 0


def test_what_is_not_there_yet_says_computing(new_panel: NewVisitor) -> None:
    page = new_panel(NIH, panel="label-issues")
    page.route(re.compile("component_server"), lambda route: held(route))
    page.get_by_role("tab", name="table", exact=True).click()
    wait_until_drawn(page)
    expect(panel(page).locator(".cell[data-measure=precision] .computing")).to_have_count(30, timeout=2 * SLOW)
    page.unroute_all(behavior="wait")
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)


def held(route: object) -> None:
    """Let everything through, but tables as they are before any interval is known."""
    response = route.fetch(timeout=0)  # type: ignore[attr-defined]
    text = response.text()
    if '"done"' in text:
        answer = json.loads(text)
        where = answer["data"][0] if isinstance(answer, dict) and "data" in answer else answer
        where["done"], where["complete"] = [], False
        text = json.dumps(answer)
    route.fulfill(response=response, body=text)  # type: ignore[attr-defined]
