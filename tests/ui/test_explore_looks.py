"""How a finding of a simulated film looks: a filter of the slice, and the reason beside the outcome in the case."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from tests.support.wording import Wording
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, add_filter, sentence, state
from tests.ui.panel_room import NIH, wait_until_drawn

pytestmark = [pytest.mark.browser, pytest.mark.shared]
MISSES = Slice("phantom", "phantom", finding="Nodule", outcomes=(Outcome.MISS,))


def test_the_faint_misses_say_how_faint_they_are(new_panel: NewVisitor, wording: Wording) -> None:
    page = new_panel(MISSES, panel="confused")
    add_filter(page, "Severity", "faint: under 0.33")
    add_filter(page, "Size", "small: under 1 % of the film")
    wait_until_drawn(page)
    assert "faint (under 0.33)" in sentence(page) and "under 1 %" in sentence(page)
    wording(sentence(page))
    assert state(page).items() >= {"severity": "faint", "size": "small"}.items()
    page.locator(".tile").first.click()
    look = page.locator(".case-outcome .case-look")
    expect(look).to_have_text(re.compile(r"^severity 0\.[0-3].+ (left|right), 0.+% of"), timeout=SLOW)
    expect(page.locator(".case-labels")).to_contain_text("Nodule, " + look.inner_text(), timeout=SLOW)


def test_a_cohort_that_does_not_know_it_says_so(new_panel: NewVisitor) -> None:
    page = new_panel(NIH)
    page.locator(".chip-add").click()
    for title in ("Severity", "Side", "Size"):
        option = page.get_by_role("option", name=title)
        expect(option).to_have_attribute("aria-disabled", "true")
        expect(option.locator(".menu-note")).to_have_text("none")
