"""Windows of the browser, kept from test to test: a new one costs two seconds of computing, an emptied one does not."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Page, Request

BLANK = "about:blank"
SMALL = "/gradio_api/app_id"  # of the app: a number
# What Gradio tells the console of its stream where a page is left, or loaded again, while it waits for an answer.
CUT_OFF = "AbortError: signal is aborted without reason"
UNANSWERED = "Unexpected error Connection errored out."
PATIENCE = 30_000  # ms, Playwright's own
KEPT = 2  # of each kind: two visitors at once are common, more are not
listened: set[Page] = set()  # what comes to these is written down until they are left: they do not stay
FORGET = "location.protocol === 'http:' && (localStorage.clear(), sessionStorage.clear())"
# The address is read before this ends, also where it was the same and something on the page was not.
FOLLOW = """fragment => new Promise((done) => {
    if (location.hash === fragment) return done(dispatchEvent(new PopStateEvent("popstate")));
    addEventListener("hashchange", () => setTimeout(done), { once: true });
    location.hash = fragment;
})"""
TIDY = """async () => {
    for (const fold of document.querySelectorAll(".evaluate-board details[open]")) fold.open = false;
    for (const dialog of document.querySelectorAll("dialog[open]")) {
        const closed = new Promise((done) => dialog.addEventListener("close", done, { once: true }));
        dialog.close();
        await closed; // the page changes its address by it
    }
    for (const fold of document.querySelectorAll(".evaluate-models")) fold.open = true; // as in a wide window
    document.activeElement?.blur();
    scrollTo(0, 0);
}"""


@dataclass
class Complaints:
    """What a page must not do: fail, complain, or ask another machine for anything."""

    heard: list[str] = field(default_factory=list)
    is_left: bool = False  # its stream was cut off by itself, and the next document has not come

    def listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.heard.append(f"exception: {error}"))
        page.on("console", lambda message: self.console(message.type, message.text))
        page.on("request", self._request)
        page.on("domcontentloaded", lambda _: setattr(self, "is_left", False))

    def console(self, kind: str, text: str) -> None:
        if kind not in ("error", "warning"):
            return
        self.is_left |= text.startswith(CUT_OFF)
        if not (self.is_left and text.strip().startswith((CUT_OFF, UNANSWERED))):
            self.heard.append(f"console: {text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:")):
            self.heard.append(f"request: {request.url}")


@dataclass(frozen=True)
class Kind:
    """What a window is made with; `still`: the visitor asked for reduced motion; `touch`: there are fingers."""

    clipboard: bool = False
    still: bool = False
    touch: bool = False

    @property
    def motion(self) -> Literal["reduce", "no-preference"]:
        return "reduce" if self.still else "no-preference"

    def context(self, browser: Browser) -> BrowserContext:
        return browser.new_context(
            permissions=["clipboard-read", "clipboard-write"] if self.clipboard else [],
            reduced_motion=self.motion,
            has_touch=self.touch,
        )


class Windows:
    """Windows of one browser, each with cookies and storage of its own."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: defaultdict[Kind, list[tuple[Page, Complaints]]] = defaultdict(list)
        self._staying: defaultdict[Kind, list[tuple[Page, Complaints]]] = defaultdict(list)  # at most one each

    @contextmanager
    def window(self, width: int, height: int, kind: Kind, stays: bool = False) -> Iterator[Page]:
        """An empty window as somebody new has it, who never was anywhere; in the end nothing must have complained.

        Where it `stays` the next one who says so gets it on the page on which it was left: see `go`.
        """
        staying = self._staying[kind]
        free = staying if stays and staying else self._free[kind]
        page, complaints = free.pop() if free else self._made(kind)
        page.set_viewport_size({"width": width, "height": height})
        complaints.heard.clear()  # that the server of whoever was here before has ended meanwhile
        yield page
        heard = list(complaints.heard)
        complaints.heard.clear()
        leaves = not stays or bool(staying) or page in listened
        listened.discard(page)
        if page.is_closed():
            page.context.close()
        elif not leaves:
            tidy(page, kind)
            staying.append((page, complaints))
        elif len(self._free[kind]) < KEPT:
            empty(page, kind)
            complaints.heard.clear()  # Gradio tells the console that it is left
            self._free[kind].append((page, complaints))
        else:
            page.context.close()
        assert heard == [], heard

    def _made(self, kind: Kind) -> tuple[Page, Complaints]:
        page, complaints = kind.context(self._browser).new_page(), Complaints()
        complaints.listen(page)
        return page, complaints


def empty(page: Page, kind: Kind) -> None:
    """Undo what a test can do to a window, and leave the page."""
    reset(page, kind)
    leave(page)
    page.evaluate(FORGET)
    page.context.clear_cookies()


def tidy(page: Page, kind: Kind) -> None:
    """Undo what a test can do to a window, and leave it where it is: what the page shows is in its address."""
    reset(page, kind)
    page.evaluate(TIDY)
    page.evaluate(FORGET)


def reset(page: Page, kind: Kind) -> None:
    page.unroute_all()
    page.set_default_timeout(PATIENCE)
    page.emulate_media(reduced_motion=kind.motion)
    page.mouse.move(-1, -1)


def go(page: Page, url: str) -> None:
    """To an address of the app: by its fragment where the window stayed on the app's page, half the cost of a visit."""
    place, _, fragment = url.partition("#")
    if page.url.partition("#")[0] == place and fragment:
        page.evaluate(FOLLOW, f"#{fragment}")
    else:
        page.goto(url)


def leave(page: Page) -> None:
    """Go where no script runs, on the same server if it has such a page.

    Then the next visit finds the page's process with the scripts compiled, half of what a visit costs. To `about:blank`
    the browser takes another process each time: the page asks for that by its cross-origin-opener-policy.
    """
    try:
        answer = page.goto(urljoin(page.url, SMALL)) if page.url.startswith("http:") else None
    except Error:  # the server is gone
        answer = None
    if answer is None or not answer.ok:
        page.goto(BLANK)


def is_left(address: str) -> bool:
    return address == BLANK or urlsplit(address).path == SMALL


@functools.cache
def windows(browser: Browser) -> Windows:
    """Those of a browser."""
    return Windows(browser)
