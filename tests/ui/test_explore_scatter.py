"""The chart of prevalence and performance beside the gallery."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, state
from tests.ui.panel_room import CUT_LABELS, NIH, wait_until_drawn

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def test_a_point_of_the_scatter_sets_the_finding(new_panel: NewVisitor) -> None:
    page = new_panel(NIH, panel="scatter")
    expect(page.locator(".scatter-words")).to_contain_text("95 % intervals", timeout=2 * SLOW)
    assert "all findings" in (page.locator(".gtitle").text_content() or "")
    trace = "(chart) => chart.data.find((trace) => (trace.customdata ?? []).includes('pneumonia'))"
    at = page.locator(".scatter-chart").evaluate(
        f"""(chart) => {{
            const trace = ({trace})(chart), i = trace.customdata.indexOf("pneumonia");
            const {{ xaxis, yaxis }} = chart._fullLayout, box = chart.getBoundingClientRect();
            return [box.left + xaxis._offset + xaxis.d2p(trace.x[i]), box.top + yaxis._offset + yaxis.d2p(trace.y[i])];
        }}"""
    )
    page.mouse.move(*at)
    expect(page.locator(".hoverlayer")).to_contain_text("n+ 426 of 1,650")
    page.mouse.click(*at)
    expect(page.locator(".sentence")).to_contain_text("Pneumonia")
    assert state(page)["finding"] == "pneumonia"


@pytest.mark.parametrize("width", [1440, 390])
def test_the_title_of_the_scatter_lies_above_its_legend(new_panel: NewVisitor, width: int) -> None:
    page = new_panel(NIH, panel="scatter", width=width)
    title, legend = page.locator(".gtitle").bounding_box(), page.locator("g.legend").bounding_box()
    assert title is not None and legend is not None
    assert title["y"] + title["height"] <= legend["y"]
    assert page.evaluate(CUT_LABELS) == []


def test_the_scatter_is_a_table_too_and_plotly_comes_once(new_panel: NewVisitor) -> None:
    page = new_panel(NIH, anew=True)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url) if "plotly" in request.url else None)
    page.wait_for_timeout(300)
    assert fetched == []
    for name in ("scatter", "table", "scatter"):
        page.get_by_role("tab", name=name, exact=True).click()
        wait_until_drawn(page)
    assert len(fetched) == 1
    page.locator(".scatter-table summary").click()
    assert page.locator(".scatter-table tbody tr").count() == 15
    page.locator(".scatter-table").get_by_role("button", name="Mass", exact=True).click()
    expect(page.locator(".sentence")).to_contain_text("Mass")
