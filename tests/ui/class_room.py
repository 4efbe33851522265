"""A class that is really served, and learners of it on phones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, Route

from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.opening import open_class

PHONE = {"width": 390, "height": 844}
OFFLINE = "Connection lost"
ELSEWHERE = "http://room-4.local/"  # not a name of this machine


@contextmanager
def class_room(folder: Path) -> Iterator[Classroom]:
    """The class's server on 127.0.0.1, with the learners' page as it is shipped; classes are kept below a folder."""
    opened = open_class(ClassSettings(on=True, port=0, bind="127.0.0.1"), folder, kept=folder / "classes")
    assert opened is not None
    opened.start()
    try:
        yield opened.classroom
    finally:
        opened.close()


@contextmanager
def phone(browser: Browser, *, touch: bool = True) -> Iterator[Page]:
    """A phone of its own, with fingers."""
    context = browser.new_context(viewport={**PHONE}, has_touch=touch, reduced_motion="reduce", accept_downloads=True)
    try:
        yield context.new_page()
    finally:
        context.close()


def address(classroom: Classroom) -> str:
    """What the QR code says: the first address with the code in its fragment."""
    board = classroom.board()
    return f"{board['addresses'][0]}#{board['code']}"


def join(page: Page, classroom: Classroom, nickname: str) -> None:
    """Come in by the QR code's address."""
    page.goto(address(classroom))
    page.get_by_label("Nickname").fill(nickname)
    page.get_by_role("button", name="Join").click()


def until(page: Page, screen: str) -> None:
    """Wait until a screen stands, and its film if it has one."""
    page.locator(f"#class-page[data-screen={screen}]").wait_for()
    if page.locator(".class-stage").count():
        page.locator(".class-stage[data-loaded]").first.wait_for(state="attached")


def sure(page: Page, words: str = "probable") -> None:
    """Say how sure, and answer."""
    page.get_by_role("radio", name=words).check()
    page.get_by_role("button", name="Answer", exact=True).click()


def too_large(page: Page) -> list[str]:
    """What is not seen at once of film, question and button, and what scrolls: nothing, if all fits one screen."""
    found: list[str] = page.evaluate("""() => {
        const found = [];
        for (const [name, least] of [[".class-stage", 200], [".class-asked", 20], [".class-main-button", 44]]) {
            const part = [...document.querySelectorAll(name)].find((each) => each.clientHeight);
            const { top, bottom, height } = part.getBoundingClientRect();
            if (height < least || top < 0 || bottom > innerHeight) found.push(name + " from " + top + " to " + bottom);
        }
        for (const part of [document.scrollingElement, document.querySelector(".class-film-screen")]) {
            if (part.scrollHeight > part.clientHeight) found.push(part.className + " scrolls: " + part.scrollHeight);
            if (part.scrollWidth > part.clientWidth) found.push(part.className + " is wide: " + part.scrollWidth);
        }
        return found;
    }""")
    return found


def too_wide(page: Page) -> list[str]:
    """What reaches beyond the right edge of the screen."""
    found: list[str] = page.evaluate("""() => [...document.querySelectorAll("body *")]
        .filter((part) => part.checkVisibility() && !part.closest(".class-stage"))
        .filter((part) => part.getBoundingClientRect().right > innerWidth + 0.5)
        .map((part) => part.tagName + "." + part.className)""")
    return found


def too_small(page: Page) -> list[str]:
    """What a finger is to hit and is less than 44 pixels high or wide."""
    found: list[str] = page.evaluate("""() => {
        const names = ["button", ".class-input", ".class-choice", ".class-switch-label", ".class-range"];
        return [...document.querySelectorAll(names.join())]
            .filter((part) => part.checkVisibility({ visibilityProperty: true }))
            .filter((part) => part.getBoundingClientRect().width < 44 || part.getBoundingClientRect().height < 44)
            .map((part) => part.className + ": " + part.textContent);
    }""")
    return found


def under_another_name(page: Page, served: str) -> None:
    """Let the page open a server of this machine at ELSEWHERE, as from another device; `served` is its own address."""
    own = served.partition("#")[0]

    def answer(route: Route) -> None:
        words = {name: each for name, each in route.request.headers.items() if name not in ("origin", "referer")}
        route.fulfill(response=route.fetch(url=route.request.url.replace(ELSEWHERE, own), headers=words))

    page.route(f"{ELSEWHERE}**", answer)
