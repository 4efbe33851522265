"""What a map costs and is worth: `python -m tests.benchmarks.film_map` prints `name value goal`, exits 1 on a miss.

A cohort of `--cases` made-up films (100,000) on a made-up map is opened in the running app: from the click on the tab
until every point is drawn, and from the end of a lasso around some 10,000 of them until their gallery is there. The
shipped phantom's map is made anew (`--layout`): seconds, and how many nearest neighbors it keeps.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Page, sync_playwright

from explorer.analysis.film_maps.film_map_of import make_film_map
from explorer.cohorts.layout import CACHE, Folder
from explorer.store.slices import Slice
from explorer.ui.shared.links import slice_words
from tests.benchmarks.big_cohort import NAME, write_big_cohort
from tests.benchmarks.command_line import command, report
from tests.benchmarks.made_up_map import Positions, write_map
from tests.benchmarks.timing import Figure
from tests.support.installed_browser import installed_browser
from tests.ui.app_server import start, stop
from tests.ui.conftest import FLAGS

NEEDS = ("browser", "app")
ROUNDS = 5
LASSOED = 10_000
# From an action until the page says that it is done, and two frames later, so that it is seen.
UNTIL = """async ([act, done]) => {
    const frame = () => new Promise(requestAnimationFrame);
    const begun = performance.now();
    eval(act);
    while (!eval(done)) await frame();
    await frame();
    await frame();
    return performance.now() - begun;
}"""
OPEN = "document.querySelector('[role=tab][data-panel=map]').click()"
DRAWN = "document.querySelector('.explore-panel[data-panel=map][data-drawn]')"


def square_around(places: Positions) -> float:
    """Half the side, as a share of the map, of a square in its middle with LASSOED films, or a tenth of fewer."""
    far = np.abs(np.array(list(places.values())) / 65_536 - 0.5).max(axis=1)
    return float(np.sort(far)[min(LASSOED, len(far) // 10)])


def lasso(half: float) -> str:
    """The script of a pointer that draws a square around the middle of the map."""
    corners = [(0.5 - half, 0.5 - half), (0.5 + half, 0.5 - half), (0.5 + half, 0.5 + half), (0.5 - half, 0.5 + half)]
    return f"""(() => {{
        const place = document.querySelector(".map-place"), box = place.getBoundingClientRect();
        place.setPointerCapture = () => {{}};
        const tell = (type, [x, y]) => place.dispatchEvent(new PointerEvent(type, {{ pointerId: 1, pointerType: "mouse",
            button: 0, clientX: box.x + x * box.width, clientY: box.y + y * box.height, bubbles: true }}));
        const corners = {[list(corner) for corner in corners]};
        tell("pointerdown", corners[0]);
        for (const corner of corners) tell("pointermove", corner);
        tell("pointerup", corners[3]);
    }})()"""


def on_the_page(page: Page, url: str, half: float, rounds: int) -> Iterator[Figure | str]:
    drawn, lassoed, counts = [], [], []
    begins = f"{url}/#explore?" + urlencode(slice_words(Slice(NAME, "one", finding="Pleural Effusion")))
    shown = "document.querySelector('.explore[data-state=shown]:not(.pending)')"
    for each in range(rounds + 1):
        page.goto("about:blank")
        page.goto(begins)
        page.locator(".explore[data-state=shown]:not(.pending)").wait_for(timeout=180_000)
        page.wait_for_timeout(1000)
        drawn.append(page.evaluate(UNTIL, [OPEN, DRAWN]))
        shift = 0.002 * each  # or the answer would be known
        done = shown + " && /lassoed/.test(document.querySelector('.sentence').textContent)"
        lassoed.append(page.evaluate(UNTIL, [lasso(half + shift), done]))
        counts.append(page.locator(".sentence").inner_text())
    yield counts[-1]
    yield Figure("tab to map drawn, first", drawn[0], "ms")
    yield Figure("tab to map drawn, median", float(np.median(drawn[1:])), "ms", 1500)
    yield Figure("lasso to gallery, first", lassoed[0], "ms")
    yield Figure("lasso to gallery, median", float(np.median(lassoed[1:])), "ms", 500)


def layout() -> Iterator[Figure]:
    begun = time.perf_counter()
    made = make_film_map(Folder(CACHE / "phantom"), "phantom").made
    yield Figure("phantom laid out, 2,000 films", time.perf_counter() - begun, "s")
    yield Figure("  of 10 nearest kept", 100 * made.kept, "%", 100 * 3 * made.plain, least=True)
    yield Figure("  by two principal components", 100 * made.plain, "%")
    yield Figure("  by chance", 100 * made.chance, "%")


def figures(place: Path, n: int, rounds: int) -> Iterator[Figure | str]:
    """The cohort with its map below `place`, in the running app."""
    write_big_cohort(place / "cohorts", n)
    folder = Folder(place / "cohorts" / NAME)
    folder.embeddings("one").mkdir(parents=True)
    (folder.embeddings("one") / "part-00000.parquet").touch()  # nobody reads it: the map is there
    places = write_map(folder, "one")
    server = start(place, home=place)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=installed_browser(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            yield from on_the_page(page, server.url, square_around(places), rounds)
            browser.close()
    finally:
        stop(server)


def measured(asked: argparse.Namespace) -> Iterator[Figure | str]:
    """On the page, and the layout if it is asked for."""
    films, rounds = (300, 1) if asked.small else (asked.cases, ROUNDS)
    with TemporaryDirectory() as temporary:
        yield f"{films:,} films"
        yield from figures(Path(temporary), films, rounds)
    if asked.layout:
        yield from layout()


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--layout", action="store_true", help="make the phantom's map, too")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())
