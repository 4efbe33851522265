"""The panels beside the gallery, as somebody uses them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from explorer.slices import Slice
from explorer.ui.explore.links import center_id, state_of
from explorer.vocabulary import FINDINGS
from tests.ui import clinic
from tests.ui.conftest import Complaints, NewVisitor, Server, start, stop
from tests.ui.explore_room import SLOW, Answers, add_filter, sentence, state, wait_until_shown
from tests.ui.test_accessibility import RULES
from tests.ui.three_centers import LARGE, MODEL, NAME, TRAINED_ON, UNLABELLED, three_centers

pytestmark = [pytest.mark.browser, pytest.mark.shared]
PANELS = ("table", "scatter", "compare", "eaten", "doubts")
CENTERS = Slice(NAME, MODEL)
NIH = Slice("nih-oof", "nih-mini")


@pytest.fixture(scope="module")
def server_of_centers(tmp_path_factory: pytest.TempPathFactory, shared: object) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("home")
    three_centers(home / "cohorts")
    three_centers(home / "cohorts", "one-labelled", (LARGE, UNLABELLED, LARGE))
    clinic.write_clinic(home / "cohorts")
    images = f"nih={shared}/data/nih_cxr14"
    running = start(tmp_path_factory.mktemp("panels"), "--images", images, home=home)
    yield running
    stop(running)


@pytest.fixture
def visit(chromium: Browser, server_of_centers: Server) -> Iterator[NewVisitor]:
    """Opens a slice with a panel as somebody new; the page must not complain nor ask another machine."""
    complaints, contexts = Complaints(), []

    def visit(chosen: Slice, panel: str = "table", width: int = 1440, **words: str) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(SLOW)
        complaints.listen(page)
        page.goto(f"{server_of_centers.url}/#explore?{urlencode(state_of(chosen) | {'panel': panel} | words)}")
        page.locator(".explore:not([data-state=opening]):not(.pending)").wait_for()
        wait_until_drawn(page)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints.heard == []


def panel(page: Page) -> Locator:
    return page.locator(".explore-panel:visible")


def wait_until_drawn(page: Page) -> None:
    """Until the panel that is seen shows the slice of the page."""
    wait_until_shown(page)
    page.locator(".explore-panel:visible:not([aria-busy]) > :not(.panel-count)").first.wait_for(timeout=SLOW)


def cell(page: Page, finding: str, center: str | None) -> Locator:
    at = center_id(NAME, center) if center else ""
    return page.locator(f".cells-rate .cell[data-finding={finding}][data-center='{at}']")


def rows(page: Page) -> list[str]:
    return page.locator(".cells-line .cells-name").all_inner_texts()


def test_a_click_on_a_cell_sets_finding_and_center_and_back_undoes_it(visit: NewVisitor) -> None:
    page = visit(CENTERS)
    before = sentence(page)
    cell(page, "mass", TRAINED_ON).click()
    expect(page.locator(".sentence")).to_contain_text("Mass")
    wait_until_drawn(page)
    assert TRAINED_ON in sentence(page)
    assert state(page)["finding"] == "mass" and state(page)["center"] == center_id(NAME, TRAINED_ON)
    assert set(page.locator(".tile-finding").all_inner_texts()) == {"Mass"}
    expect(page.locator(".cells-rate .cell[aria-pressed=true]")).to_have_count(1)
    expect(cell(page, "mass", TRAINED_ON)).to_be_focused()
    assert len(rows(page)) == 15  # the table stays that of all findings and centers
    page.go_back()
    expect(page.locator(".sentence")).to_have_text(before)
    page.go_forward()
    expect(page.locator(".sentence")).to_contain_text("Mass")
    wait_until_drawn(page)
    cell(page, "mass", TRAINED_ON).click()
    expect(page.locator(".sentence")).to_have_text(before)


def test_a_click_on_a_finding_takes_all_centers(visit: NewVisitor) -> None:
    page = visit(CENTERS)
    page.locator(".cells-finding .cell[data-finding=hernia]").click()
    expect(page.locator(".sentence")).to_contain_text("Hernia")
    assert "center" not in state(page)


def test_intervals_take_the_place_of_computing(visit: NewVisitor) -> None:
    page = visit(Slice("nih-oof", "nih-mini", sex="F", view="PA"), panel="doubts")
    answers = Answers(page)
    page.get_by_role("tab", name="table", exact=True).click()
    wait_until_drawn(page)
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    said = [json.loads(text)["data"][0] if "data" in json.loads(text) else json.loads(text) for _, text in answers.said]
    tables = [answer for answer in said if isinstance(answer, dict) and answer.get("stage") in ("table", "intervals")]
    shown = (
        panel(page).locator(".cell[data-measure=precision][data-finding=pleural-effusion] .cell-interval").inner_text()
    )
    (last,) = (each for each in tables[-1]["done"] if each["finding"] == "pleural-effusion" and each["center"] is None)
    assert shown != "computing" and tables[-1]["complete"]
    assert last["low"] < last["value"] < last["high"]
    assert shown == f"[{last['low']:.2f}\u2013{last['high']:.2f}]"


def test_what_is_not_there_yet_says_computing(visit: NewVisitor) -> None:
    page = visit(NIH, panel="doubts")
    page.route("**/component_server*", lambda route: held(route))
    page.get_by_role("tab", name="table", exact=True).click()
    wait_until_drawn(page)
    expect(panel(page).locator(".cell[data-measure=precision] .computing")).to_have_count(15)
    page.unroute_all(behavior="wait")
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)


def held(route: object) -> None:
    """Let everything through, but tables as they are before any interval is known."""
    response = route.fetch()  # type: ignore[attr-defined]
    text = response.text()
    if '"done"' in text:
        answer = json.loads(text)
        where = answer["data"][0] if isinstance(answer, dict) and "data" in answer else answer
        where["done"], where["complete"] = [], False
        text = json.dumps(answer)
    route.fulfill(response=response, body=text)  # type: ignore[attr-defined]


def test_sorting_by_center_gap_asks_nothing_and_stays_in_the_link(visit: NewVisitor) -> None:
    page = visit(CENTERS)
    assert page.locator(".cells-group").count() > 1
    answers = Answers(page)
    page.locator("[data-sort=gap]").click()
    expect(page.locator("th[aria-sort=descending] [data-sort=gap]")).to_be_focused()
    gaps = [float(text) for text in page.locator(".cells-gap .cell-value").all_inner_texts()]
    assert len(gaps) > 10 and gaps == sorted(gaps, reverse=True)
    assert page.locator(".cells-group").count() == 0
    assert not {"slice_page", "cell_table"} & set(answers.asked)
    order = rows(page)
    other = visit(CENTERS, **state(page))
    assert rows(other) == order
    page.locator("[data-sort=gap]").click()  # back to head to tail
    expect(page.locator(".cells-group").first).to_be_visible()


@pytest.mark.parametrize(
    ("sort", "key", "of"),
    [
        ("finding", str, ".cells-name"),
        ("positives", lambda text: -int(text.replace(",", "")), ".cells-line .cells-count"),
        ("sensitivity", float, ".cells-rate .cell[data-center=''] .cell-value"),
    ],
)
def test_the_other_orders(visit: NewVisitor, sort: str, key: Callable[[str], float | str], of: str) -> None:
    page = visit(CENTERS, sort=sort)
    values = [key(text) for text in page.locator(of).all_inner_texts()]
    assert len(values) == 15 and values == sorted(values)


def test_every_cell_can_be_reached_by_keyboard(visit: NewVisitor) -> None:
    page = visit(CENTERS)
    assert page.locator(".cell[tabindex='0']").count() == 1
    page.locator(".cell[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    focused = page.locator(".cell:focus")
    finding, center = focused.get_attribute("data-finding"), focused.get_attribute("data-center")
    assert center == center_id(NAME, LARGE)
    assert f", {LARGE}: sensitivity 0." in (focused.get_attribute("aria-label") or "")
    page.keyboard.press("Enter")
    wait_until_drawn(page)
    assert (state(page)["finding"], state(page)["center"]) == (finding, center)


def test_in_sample_and_unlabelled_centers_say_so(visit: NewVisitor) -> None:
    page = visit(CENTERS)
    head = {name: page.locator(".cells thead th", has_text=name).inner_text() for name in (TRAINED_ON, UNLABELLED)}
    assert "in-sample" in head[TRAINED_ON]
    assert "no labels: score shift only" in head[UNLABELLED]
    shift = cell(page, "mass", UNLABELLED)
    expect(shift).to_contain_text("shift")
    assert "no labels; score shift" in (shift.get_attribute("aria-label") or "")


def test_a_center_without_labels_is_not_said_to_be_without_misses(visit: NewVisitor) -> None:
    page = visit(Slice(NAME, MODEL, center=UNLABELLED), panel="eaten")
    expect(panel(page)).to_contain_text("No positives")
    expect(panel(page)).not_to_contain_text("Nothing was missed")
    expect(page.locator(".gallery-order")).to_contain_text("Not labelled: the furthest above threshold first")


def test_one_labelled_center_has_its_rates_once(visit: NewVisitor) -> None:
    """There is nothing to compare it with: no gap, and all that is labelled is what it has."""
    page = visit(Slice("one-labelled", MODEL))
    assert [text.split("\n")[0] for text in page.locator(".cells thead th").all_inner_texts()] == [
        "Finding",
        "n+",
        "n\u2212",
        LARGE,
        UNLABELLED,
    ]
    assert page.locator(".cells-scroll").evaluate("box => box.scrollWidth <= box.clientWidth")


def test_few_positives_are_grey_and_none_is_not_zero(visit: NewVisitor) -> None:
    page = visit(Slice(NAME, MODEL, age="0-17"))
    hernia = cell(page, "hernia", None)
    expect(hernia).to_have_text("no positives")
    assert page.locator(".cell.few .track-dot").count() > 3


def test_the_measure_is_chosen_for_all_centers(visit: NewVisitor) -> None:
    page = visit(CENTERS)
    page.get_by_role("button", name="AP", exact=True).click()
    expect(page.get_by_role("button", name="AP", exact=True)).to_have_attribute("aria-pressed", "true")
    assert state(page)["measure"] == "precision"
    assert cell(page, "mass", LARGE).locator(".track-chance").count() == 1


def test_a_point_of_the_scatter_sets_the_finding(visit: NewVisitor) -> None:
    page = visit(NIH, panel="scatter")
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
def test_the_title_of_the_scatter_lies_above_its_legend(visit: NewVisitor, width: int) -> None:
    page = visit(NIH, panel="scatter", width=width)
    title, legend = page.locator(".gtitle").bounding_box(), page.locator("g.legend").bounding_box()
    assert title is not None and legend is not None
    assert title["y"] + title["height"] <= legend["y"]


def test_the_scatter_is_a_table_too_and_plotly_comes_once(visit: NewVisitor) -> None:
    page = visit(NIH)
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


def test_two_slices_are_compared_and_the_link_brings_both(visit: NewVisitor) -> None:
    page = visit(Slice("nih-oof", "nih-mini", sex="M"), panel="compare")
    page.get_by_role("button", name="Pin this slice").click()
    expect(page.locator(".side")).to_have_count(2)
    page.locator(".chip-sex .chip-away").click()
    wait_until_drawn(page)
    add_filter(page, "Sex", "female")
    expect(page.locator(".side").nth(0)).to_contain_text("women")
    expect(page.locator(".side").nth(1)).to_contain_text("men and boys")
    expect(page.locator(".side").nth(1)).to_contain_text("843 films")
    expect(page.locator(".side-shared")).to_contain_text("No film is in both")
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    differences = page.locator(".compared-difference .cell-figures").all_inner_texts()
    assert len(differences) == 15
    fragment = state(page)
    other = visit(NIH, **fragment)
    expect(panel(other).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    assert other.locator(".compared-difference .cell-figures").all_inner_texts() == differences
    other.get_by_role("button", name="Swap").click()
    expect(other.locator(".side").nth(0)).to_contain_text("men and boys")
    expect(other.locator(".side").nth(0)).not_to_contain_text("women")
    other.get_by_role("button", name="Unpin").click()
    expect(panel(other)).to_contain_text("No slice is pinned")


def test_an_interval_without_0_is_marked_by_more_than_color(visit: NewVisitor) -> None:
    page = visit(
        Slice("nih-oof", "nih-mini", view="AP"),
        panel="compare",
        beside=urlencode(state_of(Slice("nih-oof", "nih-mini", view="PA"))),
    )
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    marked = page.locator(".compared tr.differs")
    assert 0 < marked.count() < 15
    for row in marked.all():
        low, high = (
            float(end.replace("\u2212", "-"))
            for end in row.locator(".compared-difference .cell-interval").inner_text().strip("[]").split(",")
        )
        assert low >= 0 or high <= 0
        expect(row.get_by_role("img", name="interval without 0")).to_be_visible()
    plain = page.locator(".compared tbody tr:not(.differs)")
    assert plain.get_by_role("img", name="interval without 0").count() == 0


def test_what_ate_it_asks_for_a_finding_and_a_bar_shows_the_films(visit: NewVisitor) -> None:
    page = visit(NIH, panel="eaten")
    expect(panel(page)).to_contain_text("Which finding?")
    page.locator(".eaten-candidates button", has_text="Pneumonia").click()
    expect(page.locator(".eaten-title")).to_contain_text("Missed Pneumonia: 143 of 426")
    assert page.locator(".eater").count() > 5
    page.locator(".eater[data-finding=normal]").click()
    wait_until_shown(page)
    wait_until_drawn(page)
    expect(page.locator(".eater[data-finding=normal]")).to_have_attribute("aria-pressed", "true")
    called = page.locator(".eater[data-finding=normal] .among .cell-value").inner_text().split()[0]
    assert sentence(page).startswith("Misses of Pneumonia by nih-mini in nih-oof, where it called Normal")
    assert sentence(page).endswith(f" {called} films")
    page.locator(".eater[data-finding=normal]").click()
    wait_until_shown(page)
    assert "called" not in state(page) and sentence(page).endswith(" 143 films")


def test_a_doubted_label_has_its_reason_and_opens_its_film(visit: NewVisitor) -> None:
    page = visit(NIH, panel="doubts")
    titles = page.locator(".doubts-title").all_inner_texts()
    assert len(titles) == 3
    confident = page.locator(".doubts[data-rule=confident]")
    assert confident.locator(".doubt:visible").count() == 12
    confident.get_by_role("button", name="more").click()
    assert confident.locator(".doubt:visible").count() > 12
    expect(confident.locator(".doubt-reason").first).to_contain_text("is labelled")
    expect(confident.locator(".small-film img").first).to_have_js_property("complete", True)
    confident.locator(".small-film").first.click()
    expect(page.locator("dialog.case")).to_be_visible()
    assert "case" in state(page)


@pytest.mark.parametrize("name", PANELS)
def test_a_link_brings_the_panel(visit: NewVisitor, name: str) -> None:
    page = visit(Slice("nih-oof", "nih-mini", finding="Mass"), panel=name)
    assert page.locator(f".explore-panel[data-panel={name}]").is_visible()
    expect(panel(page)).not_to_be_empty()


@pytest.mark.parametrize("name", PANELS)
def test_hidden_labels_leave_nothing_in_a_panel(visit: NewVisitor, name: str) -> None:
    page = visit(Slice("nih-oof", "nih-mini", finding="Mass"), panel=name, beside=urlencode(state_of(NIH)))
    expect(panel(page)).not_to_be_empty()
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    answers = Answers(page)
    page.locator(".hide-switch").click()
    page.locator(".explore[data-hidden=true]:not(.pending)").wait_for()
    text = page.locator(".explore-panels").inner_text() + page.locator(".explore-panels").evaluate(
        "box => box.innerHTML"
    )
    assert not [finding for finding in FINDINGS if finding in text]
    assert "0." not in page.locator(".explore-panels").inner_text()
    assert not {"cell_table", "cell_intervals", "prevalence", "two_slices", "what_ate_it", "label_doubts"} & set(
        answers.asked
    )


@pytest.mark.parametrize("name", PANELS)
def test_names_of_a_visitors_data_are_text(visit: NewVisitor, name: str) -> None:
    own = Slice(clinic.NAME, clinic.MODELS[0], finding="Mass")
    page = visit(own, panel=name, beside=urlencode(state_of(Slice(clinic.NAME, clinic.MODELS[0]))))
    expect(panel(page)).not_to_be_empty()
    if name == "table":
        assert clinic.RUN in panel(page).inner_text()
    assert page.evaluate("window.ran") is None


@pytest.mark.parametrize("name", PANELS)
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(visit: NewVisitor, name: str, width: int) -> None:
    chosen = Slice(NAME, MODEL, finding="Nodule")
    page = visit(chosen, panel=name, width=width, beside=urlencode(state_of(CENTERS)), called="mass", outcome="miss")
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    found = Axe().run(page, options=RULES)
    assert len(found.response["passes"]) > 10  # the rules were asked
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", PANELS)
@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_no_panel_is_wider_than_its_place(visit: NewVisitor, name: str, width: int) -> None:
    page = visit(Slice(NAME, MODEL, finding="Nodule"), panel=name, width=width, beside=urlencode(state_of(CENTERS)))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert panel(page).evaluate("box => box.scrollWidth <= box.clientWidth")
