"""Take the README's pictures anew: `python -m tests.ui.readme_pictures`. All films on them are simulated.

Pictures go to `explorer/ui/pictures/`, and a contact sheet beside them.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from explorer.school.playlists.playlist import FilmQuestion, Playlist, PlaylistFilm
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.school.playlists.playlist_json import playlist_text
from explorer.simulator import render
from explorer.simulator.address import make_address
from explorer.simulator.sheet import contact_sheet
from tests.support.installed_browser import installed_browser
from tests.ui.app_server import ROOT, free_port, start, stop
from tests.ui.class_desk import Device
from tests.ui.class_room import phone, sure, until
from tests.ui.conftest import FLAGS
from tests.ui.evaluate_room import wait_until_complete
from tests.ui.explore_room import SLOW, wait_until_shown
from tests.ui.reading_room import choose, grey, open_sample, show_map, upload, wait_until_said
from tests.ui.simulate_room import wait_until_said as said_of_both

PICTURES = ROOT / "explorer" / "ui" / "pictures"


SHEET = ("Pleural Effusion", "Mass", "Pneumothorax", "Azygos Lobe", "Interstitial Pattern", "Support Devices")
FILMS = (
    PlaylistFilm("", make_address("A", 500_000, ["Mass"]), FilmQuestion("findings"), "A cough for three weeks."),
    PlaylistFilm("", make_address("A", 500_002, ["Pneumothorax"]), FilmQuestion("normal")),
)
SIMULATED = "simulate?center=A&seed=300041&Hydropneumothorax=right,0.70&show=masks"


def take(page: Page) -> None:
    """A simulated film that has been read, the key list, a refusal of a film that was inverted."""
    page.locator("#read .room[data-state=empty]").wait_for()
    open_sample(page, "phantom-hydropneumothorax")
    page.locator(".join-title").wait_for(timeout=SLOW, state="attached")
    choose(page, "Hydropneumothorax")
    show_map(page)
    page.wait_for_timeout(500)  # the map fades in
    page.screenshot(path=PICTURES / "read.png")
    page.keyboard.press("?")
    page.locator(".keys").screenshot(path=PICTURES / "keys.png")
    page.keyboard.press("Escape")
    upload(page, "film.png", grey(1 - render(7, [], "A")[0]))
    page.locator(".way-remedy").wait_for()
    wait_until_said(page)
    page.locator(".word").screenshot(path=PICTURES / "refusal.png")


def take_ask(page: Page) -> None:
    """An answer about the film that hangs in Read, and a question that has none."""
    page.reload()
    open_sample(page, "phantom-effusion")
    page.get_by_role("tab", name="Ask").click()
    for text in ("a cat on a mat", "pleural effusion"):
        page.locator("#ask-text").fill(text)
        page.keyboard.press("Enter")
        page.locator(".answer-text").get_by_text(text, exact=True).wait_for(timeout=SLOW)
    page.wait_for_timeout(500)
    page.screenshot(path=PICTURES / "ask.png")


def take_evaluate(page: Page, address: str) -> None:
    """The leaderboard of the shipped models with every interval."""
    page.goto(f"{address}/#evaluate")
    page.reload()  # a tab opens by a page's first address
    wait_until_complete(page)
    page.screenshot(path=PICTURES / "evaluate.png")


def take_explore(page: Page, address: str) -> None:
    """The slice that a researcher asks for first, and one of its cases with the outlines of what is there."""
    page.goto(f"{address}/#explore?group=rare&outcome=miss&source=padchest")
    page.reload()  # Explore opens by a page's first address
    wait_until_shown(page)
    page.locator(".cells").get_by_text("Mass", exact=True).wait_for(timeout=SLOW)
    page.get_by_text("computing").first.wait_for(state="hidden", timeout=8 * SLOW)
    page.wait_for_timeout(8000)  # small pictures are drawn on demand
    page.screenshot(path=PICTURES / "explore.png")
    page.locator(".tile").first.click()
    page.locator(".case-nearest li").first.wait_for(timeout=SLOW)
    page.wait_for_timeout(3000)
    page.screenshot(path=PICTURES / "case.png")


def take_simulate(page: Page, address: str) -> None:
    """A film with its outline, and what both models say of it and of its twin."""
    page.goto(f"{address}/#{SIMULATED}")
    page.reload()
    said_of_both(page)
    page.wait_for_timeout(500)
    page.screenshot(path=PICTURES / "simulate.png")


def take_class(browser: Browser, folder: Path) -> None:
    """A class in one file on a phone: a question, its reveal, the own sheet."""
    playlist, file = folder / "playlist.json", folder / "class.html"
    playlist.write_text(playlist_text(Playlist("Chest films", FILMS)), encoding="utf-8")
    words = [sys.executable, "-m", "explorer", "class", "file", str(playlist), "--out", str(file)]
    subprocess.run(words, cwd=ROOT, check=True, timeout=600)
    with phone(browser) as page:
        page.goto(file.as_uri())
        page.get_by_role("button", name="Begin").click()
        until(page, "question")
        for text in ("mass", "pneumothorax"):
            page.get_by_role("combobox").fill(text)
            page.keyboard.press("Enter")
        page.get_by_role("group", name="Side of Mass").get_by_role("radio", name="left").check()
        page.get_by_role("radio", name="probable").check()
        small_picture(page, "class-question")
        sure(page)
        until(page, "reveal")
        small_picture(page, "class-reveal")
        page.get_by_role("button", name="Next film").click()
        until(page, "question")
        page.get_by_role("radio", name="Not normal").check()
        sure(page)
        until(page, "reveal")
        page.get_by_role("button", name="My sheet").click()
        until(page, "sheet")
        small_picture(page, "class-sheet")


def take_present(page: Page, address: str) -> None:
    """On a projector: a class after the reveal of its first film, and a case of Explore."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{address}/#teach?section=class")
    page.reload()
    page.get_by_role("button", name="Begin class").click()
    page.locator(".class-code").wait_for(timeout=8 * SLOW)
    place, code = (page.locator(f".class-{part}").first.inner_text() for part in ("address", "code"))
    page.get_by_role("button", name="First film").click()
    for place_in_class, named in enumerate(4 * ["Mass"] + 2 * ["Nodule"] + ["Consolidation"]):
        learner = Device(place, code, f"Learner {place_in_class + 1}")
        learner.answer(0, findings={named: "left"})
        learner.close()
    page.get_by_role("button", name="Present", exact=True).click()
    page.get_by_text("7 of 7 answered").wait_for()
    page.keyboard.press("Enter")
    page.locator(".presenting .present-right").wait_for()
    small_picture(page, "present-class")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="End class").first.click()
    page.get_by_role("dialog").get_by_role("button", name="End class").click()
    page.goto(f"{address}/#explore?group=rare&outcome=miss&source=padchest")
    page.reload()
    wait_until_shown(page)
    page.locator(".tile").first.click()
    page.locator(".case-outcome .outcome-word").wait_for(timeout=SLOW)
    page.locator("dialog.case .film-side.has-film:not(.waiting)").wait_for(timeout=SLOW)
    page.keyboard.press("e")
    page.wait_for_timeout(3000)
    small_picture(page, "present-case")


def take_lesson(page: Page, address: str) -> None:
    """A step of a lesson, hidden, and its number where it stands; a playlist in the editor."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{address}/#simulate?lesson=2")
    page.reload()
    page.locator(".lesson-question").wait_for(timeout=8 * SLOW)
    page.locator(".simulating[data-hidden=true][data-state=shown]").wait_for(timeout=SLOW)
    small_picture(page, "lesson-question")
    page.locator(".lesson-reveal").click()
    said_of_both(page)
    page.locator(".lesson-link").click()
    page.locator(".number-marked").first.wait_for(timeout=SLOW)
    page.wait_for_timeout(5000)  # thumbnails and intervals come
    small_picture(page, "lesson-number")
    page.locator(".lesson-close").click()
    page.goto(f"{address}/#teach")
    page.reload()
    page.get_by_text("Chest films", exact=True).first.click()
    page.locator(".editor-films > li").first.wait_for(timeout=SLOW)
    page.locator(".editor-films .film-picture img").nth(len(FILMS) - 1).wait_for(timeout=8 * SLOW)
    small_picture(page, "playlist")


def small_picture(page: Page, name: str) -> None:
    """What a phone or a projector shows, as a small file."""
    page.wait_for_timeout(300)
    with Image.open(io.BytesIO(page.screenshot())) as image:
        image.convert("RGB").save(PICTURES / f"{name}.webp", quality=70, method=6)


def main() -> None:
    """Start the app, take the pictures, end it."""
    PICTURES.mkdir(exist_ok=True)
    contact_sheet(SHEET, 224).save(PICTURES / "sheet.webp", quality=70)
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile("w") as errors,
        sync_playwright() as playwright,
    ):
        PlaylistFiles(lambda: Path(folder) / "home" / "playlists").add(Playlist("Chest films", FILMS))
        served = ("--class", "--class-bind", "127.0.0.1", "--class-port", str(free_port()))
        server = start(Path(folder), *served, errors=errors)  # as a visitor does: tests' apps draw fewer resamples
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(server.url)
            take(page)
            take_ask(page)
            take_explore(page, server.url)
            take_evaluate(page, server.url)
            take_simulate(page, server.url)
            take_class(browser, Path(folder))
            take_present(page, server.url)
            take_lesson(page, server.url)
        finally:
            browser.close()
            stop(server)


if __name__ == "__main__":
    main()
