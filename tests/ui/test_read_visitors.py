"""Whose films they are: visitors of the Read tab never share one, and one is gone with its page."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest
from playwright.sync_api import Request, expect

from tests.ui import plain_http
from tests.ui.app_server import Server
from tests.ui.conftest import NewVisitor
from tests.ui.reading_room import canvas, film_of, grey, open_sample, upload, wait_until_read, wait_until_said

pytestmark = pytest.mark.browser


def test_two_visitors_never_share_a_film(new_visitor: NewVisitor) -> None:
    first, second = new_visitor(), new_visitor()
    open_sample(first, "masses")
    mine = canvas(first, "film")
    second.locator("[data-sample=leg]").click()
    wait_until_said(second)
    assert np.array_equal(canvas(first, "film"), mine)
    assert not np.array_equal(canvas(second, "film").shape, mine.shape)
    expect(first.locator(".facts")).to_contain_text("1841 x 1955 px")
    third = new_visitor()
    expect(third.locator(".room")).to_have_attribute("data-state", "empty")
    assert third.locator(".finding").count() == 0


def test_closing_the_page_forgets_the_film(new_visitor: NewVisitor, server: Server) -> None:
    page = new_visitor()
    calls: list[Request] = []
    page.on("request", lambda request: calls.append(request) if "component_server" in request.url else None)
    open_sample(page)
    call = json.loads(calls[0].post_data or "")
    assert plain_http.post(calls[0].url, json=call).json()["view"] == "PA"
    page.context.close()
    deadline = time.monotonic() + 30
    while plain_http.post(calls[0].url, json=call).json() is not None:
        assert time.monotonic() < deadline, "film still there"
        time.sleep(0.2)


def test_leaving_asks_where_a_film_of_the_visitors_own_would_be_lost(new_visitor: NewVisitor) -> None:
    page = new_visitor()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    open_sample(page)
    page.reload()
    page.locator(".room[data-state=empty]").wait_for()
    assert asked == []  # a sample is never lost
    upload(page, "film.png", grey(film_of("masses")[::4, ::4]))
    wait_until_read(page)
    page.locator(".finding").first.evaluate("button => button.closest('details').open = true")
    page.locator(".finding").first.click()  # a browser asks only where the visitor did something
    page.reload()
    page.locator(".room[data-state=empty]").wait_for()
    assert asked == ["beforeunload"]
