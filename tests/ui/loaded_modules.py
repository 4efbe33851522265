"""A page that has loaded the app's modules, and what their functions give there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from explorer.ui.scripts import STATIC_FOLDER
from tests.ui.module_page import open_page
from tests.ui.viewer_harness import viewer_page

MODULES = sorted(path.relative_to(STATIC_FOLDER).as_posix() for path in STATIC_FOLDER.rglob("*.js"))
LOAD = """async (modules) => {
    const loaded = await Promise.all(modules.map((name) => import("/" + name)));
    window.modules = Object.fromEntries(modules.map((name, place) => [name, loaded[place]]));
}"""


@contextmanager
def loaded_modules(browser: Browser) -> Iterator[Page]:
    """A page that has all modules but that of the tabs, which changes its page, for `run`."""
    with viewer_page(browser) as page:
        open_page(page, "<!doctype html><title>Modules</title>")
        page.evaluate(LOAD, [name for name in MODULES if name != "shared/tabs.js"])
        yield page


def run(page: Page, module: str, body: str, *values: object) -> object:
    """What a function of a module's exports `m` and the list `v` of values gives."""
    found: object = page.evaluate(f"([name, v]) => {{ const m = modules[name]; return {body}; }}", [module, values])
    return found
