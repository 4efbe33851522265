"""What a finding was confused with, and label issues: lists that lead to films."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from explorer.store.slices import Slice
from explorer.workshop.shipping.phantom_report import REPORT_SOURCE
from tests.support.wording import Wording
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import sentence, state, wait_until_shown
from tests.ui.panel_room import NIH, panel, wait_until_drawn
from tests.ui.text_shown import text_with
from tests.ui.three_centers import MODEL, NAME, UNLABELLED

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def test_a_center_without_labels_is_not_said_to_be_without_misses(new_panel: NewVisitor, wording: Wording) -> None:
    page = new_panel(Slice(NAME, MODEL, center=UNLABELLED), panel="confused")
    expect(panel(page)).to_contain_text("No positives")
    expect(panel(page)).not_to_contain_text("Nothing was missed")
    wording(text_with(page.locator(".gallery-order"), "Not labeled"))


def test_confused_with_asks_for_a_finding_and_a_bar_shows_the_films(new_panel: NewVisitor) -> None:
    page = new_panel(NIH, panel="confused")
    expect(panel(page)).to_contain_text("Which finding?")
    page.locator(".confusion-candidates button", has_text="Pneumonia").click()
    expect(page.locator(".confusion-title")).to_contain_text("Missed Pneumonia: 143 of 426")
    assert page.locator(".confused-row").count() > 5
    page.locator(".confused-row[data-finding=normal]").click()
    wait_until_shown(page)
    wait_until_drawn(page)
    expect(page.locator(".confused-row[data-finding=normal]")).to_have_attribute("aria-pressed", "true")
    called = page.locator(".confused-row[data-finding=normal] .among .cell-value").inner_text().split()[0]
    assert "Pneumonia by nih-mini" in sentence(page) and "called Normal" in sentence(page)
    assert sentence(page).endswith(f" {called} films")
    page.locator(".confused-row[data-finding=normal]").click()
    wait_until_shown(page)
    assert "called" not in state(page) and sentence(page).endswith(" 143 films")


def test_a_doubted_label_has_its_reason_and_opens_its_film(new_panel: NewVisitor) -> None:
    page = new_panel(NIH, panel="label-issues")
    titles = page.locator(".issues-title").all_inner_texts()
    assert len(titles) == 4
    confident = page.locator(".issues[data-rule=confident]")
    assert confident.locator(".issue:visible").count() == 12
    confident.get_by_role("button", name="more").click()
    assert confident.locator(".issue:visible").count() > 12
    expect(confident.locator(".issue-reason").first).to_contain_text("is labeled")
    expect(confident.locator(".small-film img").first).to_have_js_property("complete", True)
    confident.locator(".small-film").first.click()
    expect(page.locator("dialog.case")).to_be_visible()
    assert "case" in state(page)


def test_how_many_of_the_first_doubted_labels_are_wrong_is_told(new_panel: NewVisitor) -> None:
    page = new_panel(Slice("phantom", "phantom", label_source=REPORT_SOURCE), panel="label-issues")
    missing = page.locator(".issues[data-rule=missing]")
    expect(missing.locator(".issues-checked")).to_contain_text("of the first 100")
    expect(missing.locator(".issue-reason").first).to_contain_text("is labeled absent")
    assert page.locator(".issues[data-rule=confident] .issues-checked").count() == 0


def test_which_findings_are_looked_at_and_which_are_not_is_told(new_panel: NewVisitor, wording: Wording) -> None:
    page = new_panel(NIH, panel="label-issues")
    looked_at, left_out = page.locator(".issues[data-rule=confident] .issues-findings").all()
    summary = looked_at.locator("summary").inner_text()
    assert "14 findings" in summary and "36 to 788" in summary
    wording(summary)
    looked_at.locator("summary").click()
    expect(looked_at.locator("li", has_text="Pneumothorax")).to_have_text(
        "Pneumothorax: n+ 41, n\u2212 1,609, 100 issues"
    )
    expect(left_out.locator("summary")).to_have_text("1 finding left out")
    left_out.locator("summary").click()
    expect(left_out.locator("li")).to_have_text("Hernia: n+ 12, fewer than 20")
    assert page.locator(".issues[data-rule=contradiction] .issues-findings").count() == 0
