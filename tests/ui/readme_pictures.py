"""Take the README's pictures anew: `python -m tests.ui.readme_pictures`. No film is on them: they are real ones.

Pictures go to `explorer/ui/pictures/`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.ui.conftest import FLAGS, ROOT, start, stop
from tests.ui.explore_room import SLOW, wait_until_shown
from tests.ui.reading_room import choose, film_of, grey, open_sample, upload, wait_until_said

PICTURES = ROOT / "explorer" / "ui" / "pictures"


def take(page: Page) -> None:
    """Findings with the numbers of one, the key list, a refusal."""
    page.locator("#read .room[data-state=empty]").wait_for()
    open_sample(page)
    page.locator(".join-title").wait_for(timeout=SLOW)
    choose(page, "Pleural Effusion")
    page.locator("#read .panel").screenshot(path=PICTURES / "findings.png")
    page.keyboard.press("?")
    page.locator(".keys").screenshot(path=PICTURES / "keys.png")
    page.keyboard.press("Escape")
    upload(page, "film.png", grey(1 - film_of("masses")))
    page.locator(".way-remedy").wait_for()
    wait_until_said(page)
    page.locator(".word").screenshot(path=PICTURES / "refusal.png")


def take_ask(page: Page) -> None:
    """An answer about the film that hangs in Read, and a question that has none."""
    page.reload()
    open_sample(page)
    page.get_by_role("tab", name="Ask").click()
    for text in ("a cat on a mat", "pleural effusion"):
        page.locator("#ask-text").fill(text)
        page.keyboard.press("Enter")
        page.locator(".answer-text").get_by_text(text, exact=True).wait_for(timeout=SLOW)
    page.locator("#ask .panel").screenshot(path=PICTURES / "ask.png")


def take_explore(page: Page, address: str) -> None:
    """The slice that a researcher asks for first, and what is said of a case; without an image folder no film shows."""
    page.goto(f"{address}/#explore?group=rare&outcome=miss&source=padchest")
    page.reload()  # Explore opens by a page's first address
    wait_until_shown(page)
    page.locator(".cells").get_by_text("Mass", exact=True).wait_for(timeout=SLOW)
    page.get_by_text("computing").first.wait_for(state="hidden", timeout=SLOW)
    page.wait_for_timeout(500)  # what was dimmed while it waited is drawn bright again
    page.screenshot(path=PICTURES / "explore.png")
    page.locator(".tile").first.click()
    page.locator(".case-nearest li").first.wait_for(timeout=SLOW)
    page.locator(".case-panel").screenshot(path=PICTURES / "case.png")


def main() -> None:
    """Start the app, take the pictures, end it."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = start(Path(folder))
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(server.url)
            take(page)
            take_ask(page)
            take_explore(page, server.url)
        finally:
            browser.close()
            stop(server)


if __name__ == "__main__":
    main()
