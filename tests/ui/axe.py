"""What axe-core says of a page."""

from __future__ import annotations

from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

# Whole results of violations alone: those of passes, thousands of elements, are half of the work.
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,  # style sheets and media are not fetched again: that is for a sound that begins by itself
}
HEIGHT = 900
CONTRAST_ONCE = Path(__file__).with_name("contrast_once.js").read_text(encoding="utf-8")
# Of what passes the number alone: to hand over the rest takes as long as to find it.
ASK = """([within, rules, passed]) => {
    contrastOnce.begin(passed);
    return axe.run(within ?? document, rules).then(({ violations, passes }) => ({
        violations, passes: passes.length, looks: contrastOnce.passed(),
    }));
}"""
STILL = "document.getAnimations().every((each) => !(each instanceof CSSTransition))"
looks: set[str] = set()  # of text whose contrast passed, on whatever page of these tests


def assert_accessible_at(page: Page, *widths: int, within: str | None = None) -> None:
    """Nothing is against the rules in windows of these widths: one visit for all, which costs more than the rules.

    `within` what a selector chooses alone, where the rest of the page is the same as at another visit.
    """
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert_accessible(page, within)


def assert_accessible(page: Page, within: str | None = None) -> None:
    """Nothing is against the rules once the page is at rest: what is dimmed still has other colors."""
    page.wait_for_function(STILL)
    found = violations(page, within)
    assert found.response["passes"] > 10  # the rules were asked
    assert found.violations_count == 0, found.generate_report()


def violations(page: Page, within: str | None = None) -> AxeResults:
    """What is against the rules, and how many rules something keeps."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)  # stays as long as the page: half a megabyte
        page.evaluate(CONTRAST_ONCE)
    found = AxeResults(page.evaluate(ASK, [within, RULES, sorted(looks)]))
    looks.update(found.response["looks"])
    return found
