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
