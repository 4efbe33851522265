"""One case in all tabs: score, threshold, frequency group and rates of a finding are the same numbers everywhere."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.ui.conftest import NewVisitor
from tests.ui.reading_room import SLOW, choose, wait_until_joined

pytestmark = pytest.mark.browser


def figure(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, (pattern, text)
    return found[1]


def in_explore(page: Page) -> dict[str, str]:
    row = page.locator(".case-row[aria-pressed=true]")
    expect(row).to_be_visible(timeout=SLOW)
    said = page.locator(".case-figures").inner_text()
    return {
        "score": row.locator(".case-row-score").inner_text(),
        "threshold": figure(r"threshold (\d\.\d\d)", said),
        "group": figure(r"frequency: (.+)", str(row.locator(".case-row-name").get_attribute("title"))),
    }


def in_read(page: Page, finding: str, center: str) -> dict[str, str]:
    choose(page, finding)
    row = page.locator(f"#read .finding[data-finding='{finding}']")
    numbers = page.locator("#read .numbers")
    expect(numbers).to_contain_text("In phantom", timeout=SLOW)
    numbers.locator(".numbers-fold").click()
    at_center = numbers.locator(f".join-lines dt:text-is('{center}') + dd").inner_text()
    return {
        "score": row.locator(".finding-score").inner_text(),
        "threshold": figure(r"Threshold\s*(\d\.\d\d)", numbers.inner_text()),
        "group": figure(r"Frequency\s*(common|medium|rare|very rare)", numbers.inner_text()),
        "missed": figure(r"missed ([^;]+);", at_center),
    }


def beside_in_ask(page: Page, finding: str) -> dict[str, str]:
    """The classifier's score and threshold beside the answer of the image-text model."""
    page.get_by_role("tab", name="Ask", exact=True).click()
    page.locator("#ask-text").fill(finding)
    page.locator("#ask-text").press("Enter")
    page.locator("#ask .answer-fold-head", has_text="Details").click()
    line = page.locator("#ask .answer-lines dt:text-is('Classifier') + dd .answer-figure")
    expect(line).to_be_visible(timeout=SLOW)
    words = line.inner_text()
    return {"score": figure(r"(\d\.\d\d)", words), "threshold": figure(r"threshold (\d\.\d\d)", words)}


def in_simulate(page: Page, finding: str) -> dict[str, str]:
    row = page.locator("#simulate .sim-table tr", has_text=finding).first
    row.locator(".sim-cut").wait_for(timeout=SLOW)
    row.locator(".sim-row").click()
    lines = page.locator("#simulate .sim-lines").first
    return {
        "score": row.locator(".sim-score").first.inner_text(),
        "threshold": row.locator(".sim-cut").inner_text(),
        "missed": figure(r"missed ([^\n]+)", lines.inner_text()),
    }


@pytest.mark.journey
def test_a_case_has_the_same_numbers_in_every_tab(new_visitor: NewVisitor) -> None:
    page = new_visitor()
    page.get_by_role("tab", name="Explore", exact=True).click()
    tile = page.locator("#explore .tile", has_not_text="Normal").first  # Simulate has no line for it
    tile.click(timeout=SLOW)
    explored = in_explore(page)
    finding = page.locator(".case-outcome strong").inner_text()
    page.locator(".case-onward", has_text="Read this film").click()
    page.locator("#read .room[data-state=read]").wait_for(timeout=SLOW)
    wait_until_joined(page)
    name = page.locator("#read .film-name").inner_text()
    center = name[0]  # of the simulated case's name
    read = in_read(page, finding, center)
    assert beside_in_ask(page, finding) == {key: read[key] for key in ("score", "threshold")}
    page.get_by_role("tab", name="Read", exact=True).click()
    page.locator("#read .made-as a").click()
    simulated = in_simulate(page, finding)
    shared = {key: read[key] for key in ("score", "threshold", "group")}
    assert shared == explored
    assert {key: read[key] for key in ("score", "threshold", "missed")} == simulated
