"""Simulated films in the running app: SIMULATED wherever one is, made on demand, read by the model for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.ui.shared.links import slice_words
from tests.support.wording import Wording
from tests.ui.app_server import Server, start, stop
from tests.ui.phantom_room import EFFUSION, phantom
from tests.ui.reading_room import SLOW, open_sample, read_at, start_over
from tests.ui.text_shown import text_with
from tests.ui.windows import Kind, go, windows

INSIDE = re.compile(
    r"[0-9.]+ % of its heat lies inside the mask, which is [0-9.]+ % of the film\.|It has no heat at all\."
)
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app with a small simulated cohort and, in place of the shipped one, the model that scored it."""
    home = tmp_path_factory.mktemp("home")
    card = phantom(home).card
    server = start(tmp_path_factory.mktemp("phantom"), "--model", str(card), home=home)
    yield server
    stop(server)


@pytest.fixture
def visit(chromium: Browser, running: Server) -> Iterator[Visit]:
    """Opens Explore by its address where the last test left it."""
    with ExitStack() as opened:

        def visit(fragment: str) -> Page:
            page = opened.enter_context(windows(chromium).window(1440, 900, Kind(), stays=True))
            page.set_default_timeout(SLOW)
            go(page, f"{running.url}/{fragment}")
            page.locator(".explore:not([data-state=opening]):not(.pending)").first.wait_for()
            return page

        yield visit


@pytest.fixture
def explorer(visit: Visit) -> Page:
    return visit("#explore?" + urlencode(slice_words(EFFUSION)))


def open_case(page: Page, name: str) -> None:
    page.locator(".tile", has_text="hit").first.wait_for()
    page.locator(f".tile[aria-label*='{name}']").first.click()
    page.locator(".case .film-side.has-film:not(.waiting)").wait_for()


def test_explore_says_simulated_and_shows_films_without_a_folder(explorer: Page) -> None:
    expect(explorer.locator(".simulated-word")).to_be_visible()
    tiles = explorer.locator(".tile")
    expect(tiles).to_have_count(8)
    for index in range(8):
        expect(tiles.nth(index).locator(".tile-simulated")).to_have_text("SIMULATED")
        tiles.nth(index).scroll_into_view_if_needed()
        explorer.wait_for_function(
            "index => document.querySelectorAll('.tile img')[index].naturalWidth === 160", arg=index
        )
    assert (tiles.first.get_attribute("aria-label") or "").startswith("SIMULATED")


def test_the_real_films_are_one_click_away_and_so_is_the_way_back(explorer: Page) -> None:
    explorer.locator(".other-cohort", has_text="Real films: nih-oof").click()
    expect(explorer.locator(".sentence")).to_contain_text("nih-oof")
    expect(explorer.locator(".simulated-word")).to_be_hidden()
    expect(explorer.locator(".tile-simulated")).to_have_count(0)
    expect(explorer.locator(".other-cohort")).to_contain_text("Simulated films:")


def test_a_case_outlines_its_masks_on_a_key_until_labels_are_hidden(explorer: Page) -> None:
    open_case(explorer, "labeled Cardiomegaly, Pleural Effusion")
    masks = explorer.locator(".case svg.masks")
    expect(masks.locator("g")).to_have_count(2)
    expect(masks).to_be_visible()
    expect(explorer.locator(".case .simulated-mark")).to_have_text("SIMULATED")
    expect(explorer.locator(".case-labels")).to_contain_text("2 masks")
    expect(explorer.locator(".case-notes")).to_contain_text("SIMULATED")
    expect(explorer.locator(".case-notes")).to_contain_text(INSIDE)
    explorer.keyboard.press("m")
    expect(masks).to_be_hidden()
    explorer.keyboard.press("m")
    expect(masks).to_be_visible()
    explorer.keyboard.press("h")
    expect(masks).to_be_hidden()
    expect(explorer.locator(".case .simulated-mark")).to_be_visible()
    assert "mask" not in explorer.locator(".case-panel").inner_text()
    explorer.locator(".case-first input").uncheck()  # as it was found: else the next case is hidden, too


def test_masks_have_a_key_whose_dots_are_in_the_list(explorer: Page) -> None:
    open_case(explorer, "labeled Cardiomegaly, Pleural Effusion")
    case = explorer.locator("dialog.case")
    expect(case.locator(".case-masked")).to_have_text("2 exact masks shown (M)")
    chips = case.locator(".mask-chip")
    expect(chips).to_have_count(2)
    effusion = case.locator(".masks g[data-finding='Pleural Effusion']")
    heart = case.locator(".masks g[data-finding=Cardiomegaly]")
    expect(effusion).to_be_visible()
    expect(heart).to_be_visible()
    chips.filter(has_text="Cardiomegaly").hover()
    expect(effusion).to_be_hidden()
    expect(heart).to_be_visible()
    case.locator(".case-title").hover()
    expect(effusion).to_be_visible()
    chips.filter(has_text="Cardiomegaly").get_by_role("checkbox").uncheck()
    case.locator(".case-title").hover()
    case.locator(".case-title").focus()
    expect(heart).to_be_hidden()
    expect(effusion).to_be_visible()
    dot = chips.filter(has_text="Pleural Effusion").locator(".mask-dot")
    color = dot.evaluate("dot => getComputedStyle(dot).backgroundColor")
    row = case.locator(".case-scores .masked-row[data-finding='Pleural Effusion']").first
    assert row.evaluate("row => getComputedStyle(row, '::after').backgroundColor") == color
    line = effusion.locator(".mask-line").evaluate("line => getComputedStyle(line).stroke")
    assert line == color
    explorer.keyboard.press("h")
    expect(case.locator(".mask-key")).to_be_hidden()
    assert case.locator(".mask-key").inner_html() == ""  # nothing tells what is on the film
    expect(case.locator(".case-masked")).to_have_text("")
    case.locator(".case-first input").uncheck()


def test_a_mask_of_a_whole_region_is_dashed_and_said_to_be_one(explorer: Page, wording: Wording) -> None:
    open_case(explorer, "labeled Kyphosis")
    expect(explorer.locator(".case svg.masks .mask-line.global")).to_have_count(1)
    wording(text_with(explorer.locator(".case-labels"), "Kyphosis"))


def test_a_case_goes_on_to_simulate_with_the_same_film(explorer: Page) -> None:
    open_case(explorer, "labeled Pneumothorax")
    explorer.locator(".case-simulate").click()
    expect(explorer.get_by_role("tab", name="Simulate", exact=True)).to_have_attribute("aria-selected", "true")
    assert re.search(r"#simulate\?center=[AB]&seed=0&Pneumothorax=(left|right),[01]\.[0-9]{2}$", explorer.url)
    explorer.go_back()
    expect(explorer.locator(".tile").first).to_be_visible()
    expect(explorer.locator("dialog.case")).to_be_hidden()


def test_the_table_has_average_precision_as_nature_has_the_findings(visit: Visit) -> None:
    page = visit("#explore?" + urlencode(slice_words(EFFUSION) | {"panel": "table", "measure": "precision"}))
    natural = page.locator(".cells-line[data-finding=pleural-effusion] .cell-also", has_text="natural")
    expect(natural).to_have_count(3)  # both centers together, and each
    number = r"[01]\.[0-9]{2,}"
    figure = re.compile(rf"natural {number} (chance )?{number} (no interval|\[{number}\u2013{number}\])")
    for each in range(3):
        expect(natural.nth(each)).to_have_text(figure)
    spoken = page.locator(".cells-line[data-finding=pleural-effusion] .cell[data-measure=precision]").first
    expect(spoken).to_have_attribute(
        "aria-label",
        re.compile(
            rf"natural prevalence [a-z ]+{number}, [a-z]+ {number}, "
            rf"95 % interval (no interval|{number} to )"
        ),
    )
    assert "rare findings are overrepresented" in str(natural.first.get_attribute("title"))
    expect(page.locator(".explore-panel:visible .cells-legend")).to_contain_text("AP at natural prevalence")


def test_hidden_films_are_still_said_to_be_simulated(explorer: Page) -> None:
    explorer.locator(".hide-switch").click()
    expect(explorer.locator(".tile-reveal").first).to_be_visible()
    expect(explorer.locator(".tile-simulated").first).to_be_visible()
    expect(explorer.locator(".tile").first).to_have_attribute("aria-label", "SIMULATED, Film 1, hidden")


@pytest.fixture(scope="module")
def read(chromium: Browser, running: Server) -> Iterator[Page]:
    with read_at(chromium, running.url) as page:
        page.set_default_timeout(SLOW)
        yield page


@pytest.fixture
def reader(read: Page) -> Page:
    """Read without a film, on the page of the test before."""
    return start_over(read)


def test_read_takes_a_simulated_sample_to_the_model_for_it(reader: Page) -> None:
    page = reader
    open_sample(page, "phantom-effusion")
    expect(page.locator("#read .simulated-mark")).to_have_text("SIMULATED")
    expect(page.locator("#read .facts")).to_contain_text("SIMULATED")
    expect(page.locator("#read .made-model")).to_contain_text("tiny")
    expect(page.locator("#read .alike-title")).to_contain_text("small-phantom (SIMULATED)")
    with page.expect_download() as saved:
        page.locator("#read [data-export=csv]").click()
    assert ",SIMULATED," in Path(saved.value.path()).read_text(encoding="utf-8")


def test_and_a_patients_film_beside_it_to_the_other(reader: Page) -> None:
    page = reader
    open_sample(page, "masses")
    expect(page.locator("#read .made-model")).to_contain_text("nih-ensemble")
    expect(page.locator("#read .simulated-mark")).to_be_hidden()
    expect(page.locator("#read .alike-title")).to_contain_text("nih-oof")


LONG_NAMES = """part => {
    for (const fold of part.querySelectorAll("details")) fold.open = true;
    const long = "Vertebral Degenerative Changes of Long Standing";
    for (const name of part.querySelectorAll(".case-row-name")) name.textContent = long;
}"""


def test_rows_of_a_case_take_the_height_of_their_names(explorer: Page) -> None:
    open_case(explorer, "labeled Kyphosis")
    explorer.locator(".case-scores").evaluate(LONG_NAMES)
    rows = explorer.locator(".case-scores button.case-row").all()
    assert rows
    for row in rows:
        assert row.evaluate("row => row.querySelector('.case-row-name').offsetHeight > 20"), "it takes two lines"
        assert row.evaluate("row => row.querySelector('.case-row-name').offsetHeight <= row.offsetHeight")
