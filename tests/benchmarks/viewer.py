"""The viewer and the page in Chromium: `python -m tests.benchmarks.viewer` prints `name value goal`, exits 1 on a miss.

The film is noise of 1,024 x 1,024 pixels, the worst there is to pack and to draw; the page is 1,020 x 820.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from playwright.sync_api import Page, sync_playwright

from explorer.reading.png16 import film_to_png
from tests.benchmarks.command_line import command, report
from tests.benchmarks.page_weight import page_figures
from tests.benchmarks.timing import Figure, paired_ms
from tests.support.answers import film_answer
from tests.support.installed_browser import installed_browser
from tests.ui.conftest import FLAGS
from tests.ui.viewer_harness import heat, open_viewer, opinion_payload, show

NEEDS = ("browser", "app")
# A drag of two seconds, the pointer reporting twice a frame; per frame, milliseconds since the last and spent painting.
DRAG = """async (moves) => {
    const stage = document.querySelector(".stage"), box = stage.getBoundingClientRect();
    stage.setPointerCapture = () => {};
    const tell = (type, x, y) => stage.dispatchEvent(new PointerEvent(type, {
        pointerId: 1, pointerType: "mouse", clientX: box.x + x, clientY: box.y + y, bubbles: true }));
    const viewer = lightbox.now, paint = viewer.paint.bind(viewer), painted = [], frames = [];
    viewer.paint = () => {
        const start = performance.now();
        paint();
        painted.push(performance.now() - start);
    };
    tell("pointerdown", 300, 300);
    for (let i = 0; i < moves; i++) {
        frames.push(await new Promise(requestAnimationFrame));
        tell("pointermove", 300 - i, 300);
        tell("pointermove", 300 - i, 301);
    }
    tell("lostpointercapture", 300 - moves, 300);
    viewer.paint = paint;
    return [frames.slice(1).map((at, i) => at - frames[i]), painted];
}"""
SHOW = """async (film) => {
    const start = performance.now();
    lightbox.showFilm("a", film, await unpackFilm(film.image, film.checksum));
    return performance.now() - start;
}"""
MAPS = """() => {
    const {opinion} = lightbox.now.overlay.map;
    return [...Array(31).keys()].map((i) => {
        const start = performance.now();
        lightbox.showHeat("a", opinion, i % 3);
        return performance.now() - start;
    });
}"""


def dragging(page: Page, what: str, moves: int) -> Iterator[Figure]:
    frames, painted = page.evaluate(DRAG, moves)
    yield Figure(f"window drag, {what}", 1000 / float(np.mean(frames)), "fps", 50, least=True)
    yield Figure("  painting, median of frames", float(np.median(painted)), "ms", 1000 / 60)


def measured(moves: int, visits: int) -> Iterator[Figure]:
    noise = np.random.default_rng(0).random((1024, 1024), np.float32)
    yield Figure("pack on the server", paired_ms({"pack": lambda: film_to_png(noise)}, 5)["pack"], "ms")
    film = film_answer(noise)
    maps = opinion_payload(np.random.default_rng(1).random((3, 5, 5), np.float32), 160, (160, 160))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1020, "height": 820})
        open_viewer(page)
        yield Figure("unpack and draw, first film", page.evaluate(SHOW, film), "ms")  # later ones come from a cache
        yield from dragging(page, "one film", moves)
        heat(page, maps)
        yield from dragging(page, "one film with its map", moves)
        yield Figure("finding to map", float(np.median(page.evaluate(MAPS))), "ms", 50)
        show(page, film, "b")
        yield from dragging(page, "two linked films", moves)
        page.close()
        yield from page_figures(browser, visits)
        browser.close()


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(*((10, 1) if asked.small else (120, 5))), asked)


if __name__ == "__main__":
    raise SystemExit(main())
