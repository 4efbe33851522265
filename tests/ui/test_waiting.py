"""When the page asks again, and which answers it drops."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.ui.loaded_modules import loaded_modules, run

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with loaded_modules(chromium) as page:
        yield page


def test_what_is_computed_is_asked_for_soon_and_then_less_often(page: Page) -> None:
    waits = run(page, "shared/asked_again.js", "v.map(m.waitBeforeRepeat)", *range(6))
    assert waits == pytest.approx([200, 300, 450, 675, 700, 700])


POLLED = """(async () => {
    const box = document.body.appendChild(document.createElement("div"));
    box.textContent = "computing";
    let asked = 0;
    const polling = new m.Polling(box, async () => { if (++asked === v[0]) polling.stop(); });
    const said = [];
    const say = () => said.push([asked, "computing" in box.dataset]);
    const later = () => new Promise((done) => setTimeout(() => done(say()), 900));
    polling.start();
    polling.start(); // it runs already
    await later();
    box.hidden = true;
    await later();
    await later();
    box.hidden = false;
    await later();
    await later();
    box.remove();
    return said;
})()"""


def test_nothing_is_asked_for_while_nobody_sees_it_nor_after_the_end(page: Page) -> None:
    said = run(page, "shared/asked_again.js", POLLED, 3)
    assert isinstance(said, list)
    seen, hidden, still_hidden, shown, ended = said
    assert seen[0] in (1, 2) and seen[1]
    assert hidden == still_hidden == seen  # 0 or more were asked before, none since
    assert shown[0] == 3 and ended == [3, False]


def test_an_answer_is_dropped_where_something_else_is_wanted_since(page: Page) -> None:
    said = run(
        page,
        "shared/latest.js",
        """(() => {
            let wanted = "a";
            const isLatest = m.watchLatest(() => wanted), said = [isLatest()];
            wanted = "b";
            said.push(isLatest(), m.watchLatest(() => wanted)());
            return said;
        })()""",
    )
    assert said == [True, False, True]
