"""Answers of the server held back, so that they come late, out of order or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from playwright.sync_api import Page, Request, Route

from explorer.ui.shared.refusals import refusal_payload
from models.refusal import Refusal
from tests.ui.windows import PATIENCE

CALLS = re.compile("component_server")
STEP = 50.0  # ms
MOMENT = 300.0  # ms
REFUSAL = refusal_payload(Refusal("There is no room", "Ask again."))


def called(request: Request) -> str:
    """Which of the server's functions a script asks; empty for every other request."""
    if not CALLS.search(request.url):
        return ""
    return str(json.loads(request.post_data or "{}").get("fn_name", ""))


class HeldAnswers:
    """Questions of some names wait until they are let go; `only`: those of these numbers, from 0."""

    def __init__(self, page: Page, *names: str, only: Collection[int] | None = None) -> None:
        self._page, self._names, self._only = page, names, only
        self._routes: list[Route] = []
        self._seen = 0
        self._holding = True
        page.route(CALLS, self._hold)

    def _hold(self, route: Route) -> None:
        if not self._holding or called(route.request) not in self._names:
            return route.fallback()
        self._seen += 1
        if self._only is not None and self._seen - 1 not in self._only:
            return route.fallback()
        self._routes.append(route)
        return None

    def wait(self, count: int = 1) -> None:
        """Until so many wait."""
        waited = 0.0
        while len(self._routes) < count:
            assert waited < 2 * PATIENCE, f"{len(self._routes)} of {count} questions came"
            self._page.wait_for_timeout(STEP)
            waited += STEP

    def let_go(self, number: int = 0) -> None:
        """One of those that wait."""
        self._routes.pop(number).continue_()

    def refuse(self, number: int = 0) -> None:
        """One of those that wait."""
        self._routes.pop(number).fulfill(json=REFUSAL)

    def end(self) -> None:
        """All of them, in their order, and those to come."""
        self._holding = False
        while self._routes:
            self.let_go()

    def arrive(self) -> None:
        """All of them, and a moment longer than it takes to show what they bring: it would be there."""
        requests = [route.request for route in self._routes]
        self.end()
        for request in requests:
            if response := request.response():
                response.finished()
        self._page.wait_for_timeout(MOMENT)


def refused(page: Page, name: str, times: int) -> None:
    """The first questions of a name are refused."""
    left = times

    def answer(route: Route) -> None:
        nonlocal left
        if called(route.request) == name and left:
            left -= 1
            return route.fulfill(json=REFUSAL)
        return route.fallback()

    page.route(CALLS, answer)


def asks(page: Page, name: str) -> list[Request]:
    """The questions of a name from now on; it grows."""
    found: list[Request] = []
    page.on("request", lambda request: found.append(request) if called(request) == name else None)
    return found
