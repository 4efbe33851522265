"""The real app in a process of its own, and visitors of it in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from explorer.school.classroom.classroom import Classroom
from explorer.store.slices import Slice
from explorer.ui.shared.links import DEFAULT_COHORT, SLICE_ADDRESS_WORDS, cohort_id, slice_words
from tests.support.prepared_class import prepared_class
from tests.support.sealed import sealed, write_sealed
from tests.support.small_phantom import write_phantom
from tests.ui.app_server import Server, start, stop
from tests.ui.class_room import class_room
from tests.ui.clinic import write_clinic
from tests.ui.evaluate_room import wait_until_compared
from tests.ui.explore_room import SLOW
from tests.ui.model_home import write_models
from tests.ui.panel_room import wait_until_drawn
from tests.ui.reading_room import read_at, start_over
from tests.ui.three_centers import LARGE, UNLABELLED, three_centers
from tests.ui.two_films import two_films
from tests.ui.two_sources import two_sources
from tests.ui.unsure import unsure
from tests.ui.windows import PATIENCE, Kind, go, is_left, windows

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync "
    "--js-flags=--single-threaded"  # its helpers' part of a visit is a tenth, and the cores are busy with other workers
).split()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start(tmp_path_factory.mktemp("server"))
    yield running
    stop(running)


@pytest.fixture(scope="session")
def cohort_server(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Server]:
    """The app with the films of the shipped cohort, and cohorts of the visitor's own."""
    home = tmp_path_factory.mktemp("home")
    write_clinic(home / "cohorts")
    three_centers(home / "cohorts")
    three_centers(home / "cohorts", "one-labelled", (LARGE, UNLABELLED, LARGE))
    two_films(home / "cohorts")
    two_sources(home / "cohorts")
    unsure(home / "cohorts", threshold=0.5)
    write_phantom(home / "cohorts", DEFAULT_COHORT)  # where none is shipped
    images = f"nih={shared / 'data' / 'nih_cxr14'}"
    running = start(tmp_path_factory.mktemp("cohorts"), "--images", images, home=home)
    yield running
    stop(running)


@pytest.fixture(scope="session")
def changed_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app for tests that change what everybody sees: marks, thresholds, files. Each puts back what others look at.

    Of two cohorts of the visitor's own one model each is damaged.
    """
    place = tmp_path_factory.mktemp("changed")
    clinic = sealed(write_clinic(place / "home" / "cohorts", run=""))
    clinic.model("second").write_text("[]")
    rows = write_sealed(place / "home" / "cohorts")
    content = bytearray((rows.predictions("one") / "part-00000.parquet").read_bytes())
    content[50] ^= 1
    (rows.predictions("one") / "part-00000.parquet").write_bytes(content)
    running = start(place)
    yield running
    stop(running)


@pytest.fixture(scope="session")
def chromium(browser_path: str) -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)  # five seconds by itself, which a loaded machine can need
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield browser
        browser.close()


NewVisitor = Callable[..., Page]


@pytest.fixture
def new_visitor(chromium: Browser, server: Server) -> Iterator[NewVisitor]:
    """Opens the page as somebody new: own cookies, own storage."""
    with ExitStack() as opened:

        def visit(url: str = server.url, width: int = 1440, height: int = 900) -> Page:
            page = opened.enter_context(windows(chromium).window(width, height, Kind()))
            page.goto(url)
            page.locator(".room[data-state=empty]").wait_for()
            return page

        yield visit


def in_nih(fragment: str) -> str:
    """An address of Explore in the cohort of real films: by itself it begins with the simulated one."""
    words = dict(parse_qsl(fragment.partition("?")[2]))
    if not fragment.startswith("#explore") or words.keys() & {"cohort", "sealed"}:
        return fragment
    begins = {} if words.keys() & {*SLICE_ADDRESS_WORDS, "hide", "ask"} else {"outcome": "miss"}
    return "#explore?" + urlencode({"cohort": cohort_id("nih-oof")} | begins | words)


@pytest.fixture(scope="session")
def phantom_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app with phantom models of random weights and a small simulated cohort."""
    from tests.ui.simulate_room import start_simulating  # which imports from here

    running = start_simulating(tmp_path_factory.mktemp("simulated"))
    yield running
    stop(running)


@pytest.fixture(scope="session")
def models_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app with models of the visitor's own, which saves films as DICOM."""
    folder = tmp_path_factory.mktemp("models")
    write_models(folder / "home" / "models")
    running = start(folder, "--dicom-export")
    yield running
    stop(running)


@pytest.fixture
def new_explorer(chromium: Browser, cohort_server: Server) -> Iterator[NewVisitor]:
    """Opens Explore in the cohort of real films, or another tab, by an address as somebody new.

    Where the address is of Explore alone the first visit may be that of whoever was there before: see `new_board`.
    """
    with ExitStack() as opened:

        def visit(fragment: str = "#explore", width: int = 1440, height: int = 900, *, anew: bool = False) -> Page:
            wide = width > 760  # below it the page is loaded as a phone does
            stays = not anew and wide and fragment.startswith("#explore")
            page = opened.enter_context(windows(chromium).window(width, height, Kind(clipboard=True), stays))
            go(page, f"{cohort_server.url}/{in_nih(fragment)}")
            explore, read = ".explore:not([data-state=opening]):not(.pending)", ".room[data-state=empty]"
            page.locator(explore if "explore" in fragment else read).wait_for()
            return page

        yield visit


@pytest.fixture
def new_changer(chromium: Browser, changed_server: Server) -> Iterator[NewVisitor]:
    """Goes to Explore by the words of an address; the first visit may be that of whoever was there before."""
    with ExitStack() as opened:

        def visit(width: int = 1440, height: int = 900, **words: str) -> Page:
            page = opened.enter_context(windows(chromium).window(1440, 900, Kind(clipboard=True), stays=True))
            page.set_viewport_size({"width": width, "height": height})
            go(page, f"{changed_server.url}/#explore?{urlencode(words)}")
            page.locator(".explore:not([data-state=opening]):not(.pending)").wait_for()
            return page

        yield visit


@pytest.fixture
def new_board(chromium: Browser, cohort_server: Server) -> Iterator[NewVisitor]:
    """Goes to Evaluate by the words of an address, and waits until points are there.

    The first visit of a test may be that of whoever was there before, who follows a link: the address holds the state.
    """
    with ExitStack() as opened:

        def visit(width: int = 1440, height: int = 900, **words: str) -> Page:
            stays = width == 1440  # what is folded depends on the width in which the page is loaded
            page = opened.enter_context(windows(chromium).window(width, height, Kind(clipboard=True), stays))
            go(page, f"{cohort_server.url}/#evaluate?{urlencode(words)}")
            wait_until_compared(page)
            return page

        yield visit


@pytest.fixture
def new_panel(new_explorer: NewVisitor) -> NewVisitor:
    """Opens a slice with a panel as `new_explorer` does."""

    def visit(chosen: Slice, panel: str = "table", width: int = 1440, *, anew: bool = False, **words: str) -> Page:
        page = new_explorer("#explore?" + urlencode(slice_words(chosen) | {"panel": panel} | words), width, anew=anew)
        page.set_default_timeout(SLOW)
        wait_until_drawn(page)
        return page

    return visit


@pytest.fixture
def visitor(new_visitor: NewVisitor) -> Page:
    return new_visitor()


@pytest.fixture
def reader(chromium: Browser, server: Server) -> Iterator[Page]:
    """Read without a film, on the page of the test before.

    For tests that leave its switches as they found them, and are in Read alone: other tabs put viewers on the page.
    """
    with windows(chromium).window(1440, 900, Kind(), stays=True) as page:
        if page.url.startswith(f"{server.url}/") and not is_left(page.url):
            page.get_by_role("tab", name="Read", exact=True).click()
            start_over(page)
        else:
            page.goto(server.url)
        page.locator(".room[data-state=empty]").wait_for()
        yield page


@pytest.fixture(scope="module")
def desk(chromium: Browser, server: Server) -> Iterator[Page]:
    """One visit of Read for the tests of a file, each of which finds the films of the one before: see `bare`."""
    with read_at(chromium, server.url) as page:
        yield page


@pytest.fixture
def bare(desk: Page) -> Page:
    """That visit without a film: what else a test changed it has to undo."""
    return start_over(desk)


@pytest.fixture(scope="module")
def masses(chromium: Browser, server: Server) -> Iterator[Page]:
    """RG1 read, for the tests of a file that look at it: what the last one chose or unfolded is still so."""
    with read_at(chromium, server.url) as page:
        page.locator("[data-sample=masses]").click()
        page.locator(".room[data-state=read]").wait_for()
        yield page


@pytest.fixture(scope="module")
def classroom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Classroom]:
    """A class's server, and no class yet."""
    with class_room(tmp_path_factory.mktemp("class")) as running:
        yield running


@pytest.fixture
def lesson(classroom: Classroom) -> Iterator[Classroom]:
    """A class that has just begun, at the teacher's pace."""
    classroom.begin(prepared_class())
    yield classroom
    if classroom.board()["running"]:
        classroom.end()
