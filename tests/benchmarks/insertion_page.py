"""What a finding put into a film costs on the page: `python -m tests.benchmarks.insertion_page`; exits 1 on a miss.

In Chromium, on RG1 of pydicom-data (1,955 by 1,841 px): from a movement of the slider to the changed picture and
scores, for each finding, and from the request to the map of 100 places and to 11 severities of a mass; with one
network, then with the ensemble's four.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure
from tests.support.installed_browser import installed_browser
from tests.ui.app_server import start, stop
from tests.ui.conftest import FLAGS
from tests.ui.reading_room import SLOW, open_sample

NEEDS = ("browser", "app")
# By one network that can judge masses, then by four of them.
MODELS = (("nih-linear-probe", 200.0, 6.0), ("nih-ensemble", None, None))
ROUNDS, FIRST = 9, "Mass"
CHANGE = """async (to) => {
    const slider = document.querySelector(".insertion-severity input");
    const details = document.querySelector(".insertion-details");
    const start = performance.now();
    slider.value = to;
    slider.dispatchEvent(new Event("input"));
    const wait = (settle) => setTimeout(settle, 4);
    while (!details.textContent.includes("severity " + to.toFixed(2))) await new Promise(wait);
    return performance.now() - start;
}"""
ANSWER = """async ([name, done]) => {
    const start = performance.now();
    document.querySelector("[data-answer=" + name + "]").click();
    while (!document.querySelector(done)) await new Promise((settle) => setTimeout(settle, 10));
    return (performance.now() - start) / 1000;
}"""


def by_model(page: Page, model: str, change: float | None, places: float | None, rounds: int) -> Iterator[Figure]:
    """The figures of one model that reads the film."""
    page.evaluate("model => { location.hash = '#read?model=' + model; }", model)
    page.locator(".model-fold-names", has_text=model).wait_for(state="attached")
    open_sample(page)
    page.get_by_role("button", name="Put a finding into this film").click()
    page.locator(".insertion-score").first.wait_for(timeout=SLOW)
    findings = page.locator(".insertion-finding option").evaluate_all("all => all.map((each) => each.value)")
    for finding in [each for each in findings if each != FIRST] + [FIRST]:
        page.locator(".insertion-finding").select_option(finding)
        page.locator(".insertion-details p", has_text=f": {finding}, ").wait_for(timeout=SLOW)
        times = [float(page.evaluate(CHANGE, 0.1 + 0.05 * (turn % 16))) for turn in range(rounds + 1)][1:]
        yield Figure(f"{model}: a change of {finding}", statistics.median(times), "ms", change)
    yield Figure(f"{model}: 100 places", float(page.evaluate(ANSWER, ["blind_spots", ".insertion-key"])), "s", places)
    yield Figure(
        f"{model}: 11 severities", float(page.evaluate(ANSWER, ["dose_response", "#read .severity-chart"])), "s"
    )
    page.locator("#read .view .close").first.click()


def measured(small: bool) -> Iterator[Figure]:
    """Every figure."""
    with tempfile.TemporaryDirectory() as folder:
        server = start(Path(folder))
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=str(installed_browser()), args=FLAGS)
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.goto(server.url)
                page.locator("#read .room[data-state=empty]").wait_for()
                for model, change, places in MODELS[:1] if small else MODELS:
                    yield from by_model(page, model, change, places, 2 if small else ROUNDS)
                browser.close()
        finally:
            stop(server)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
