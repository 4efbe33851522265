"""Contrast is asked once for each look of a text; no text of too little contrast gets by for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.ui import axe

PAGE = """<!doctype html><html lang="en"><head><title>Contrast</title>
<style>body { background: rgb(255, 255, 255); color: rgb(10, 20, 30); font-size: 16px; } p, button { color: inherit; }
button { background: rgb(255, 255, 255); opacity: 1; }</style></head>
<body><main><h1>Heading</h1><p id="text">Some words</p><button id="button">Press</button></main></body></html>"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def fresh(page: Page, monkeypatch: pytest.MonkeyPatch) -> Page:
    """A page of which nothing has been asked."""
    monkeypatch.setattr(axe, "looks", set())
    page.goto("about:blank")  # another window: this one knows what has passed
    page.set_content(PAGE)
    return page


@pytest.fixture
def again(fresh: Page) -> Page:
    """A page whose looks have all passed."""
    assert axe.violations(fresh).violations_count == 0
    assert len(axe.looks) == 3  # of the heading, the text and the button
    return fresh


def of_contrast(page: Page) -> list[str]:
    """The elements with too little."""
    found = axe.violations(page).response["violations"]
    assert {each["id"] for each in found} <= {"color-contrast"}
    return [node["target"][0] for each in found for node in each["nodes"]]


def test_a_look_that_passed_is_not_asked_again(again: Page) -> None:
    again.evaluate("""() => {
        const check = axe._audit.checks["color-contrast"], evaluate = check.evaluate;
        globalThis.asked = [];
        check.evaluate = function (element, ...rest) {
            asked.push(element.id);
            return evaluate.call(this, element, ...rest);
        };
    }""")
    assert of_contrast(again) == []
    assert again.evaluate("asked") == []
    again.evaluate("document.getElementById('text').style.fontSize = '17px'")
    assert of_contrast(again) == []
    assert again.evaluate("asked") == ["text"]


@pytest.mark.parametrize(
    "change",
    [
        "text.style.color = 'rgb(200, 200, 200)'",
        "text.style.webkitTextFillColor = 'rgb(200, 200, 200)'",
        "text.style.backgroundColor = 'rgb(20, 30, 40)'",
        "text.parentElement.style.backgroundColor = 'rgb(20, 30, 40)'",
        "text.style.opacity = '0.3'",
        "text.parentElement.style.opacity = '0.3'",
    ],
)
def test_another_look_is_asked(again: Page, change: str) -> None:
    again.evaluate(f"() => {{ const text = document.getElementById('text'); {change}; }}")
    assert "#text" in of_contrast(again)


def test_what_lies_over_another_box_is_asked_though_its_styles_have_passed(again: Page) -> None:
    again.evaluate("""() => {
        const box = Object.assign(document.createElement("div"), { style: "height: 80px; background: black" });
        document.querySelector("main").append(box);
        const { top, left } = box.getBoundingClientRect();
        const text = document.getElementById("text");
        text.style = `position: absolute; top: ${top}px; left: ${left}px`;
    }""")
    assert of_contrast(again) == ["#text"]


def test_what_was_exempt_has_not_passed(fresh: Page) -> None:
    button = fresh.locator("#button")
    button.evaluate("(button) => { button.disabled = true; button.style.color = 'rgb(200, 200, 200)'; }")
    assert of_contrast(fresh) == []
    button.evaluate("(button) => (button.disabled = false)")
    assert of_contrast(fresh) == ["#button"]


def test_what_was_hidden_has_not_passed(fresh: Page) -> None:
    text = fresh.locator("#text")
    text.evaluate("(text) => { text.style.color = 'rgb(200, 200, 200)'; text.style.visibility = 'hidden'; }")
    assert of_contrast(fresh) == []
    text.evaluate("(text) => (text.style.visibility = '')")
    assert of_contrast(fresh) == ["#text"]
