"""Words with commands in them: how the page's modules show them."""

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


def shown(page: Page, words: str) -> object:
    box = "Object.assign(document.createElement('p'), { textContent: 'before' })"
    return run(page, "shared/refusal.js", f"((box) => (m.showWithCommands(box, v[0]), box.innerHTML))({box})", words)


@pytest.mark.parametrize(
    ("words", "html"),
    [
        ("Take a filter away.", "Take a filter away."),
        ("`python -m explorer demo` makes it.", "<code>python -m explorer demo</code> makes it."),
        ("Run `make class`, or `make run`", "Run <code>make class</code>, or <code>make run</code>"),
        ("one ` alone, and `` two", "one ` alone, and `` two"),
        ("`<b>`: <i>no</i> & so on", "<code>&lt;b&gt;</code>: &lt;i&gt;no&lt;/i&gt; &amp; so on"),
        ("", ""),
    ],
)
def test_a_command_is_in_the_type_of_code_and_all_else_is_text(page: Page, words: str, html: str) -> None:
    assert shown(page, words) == html.replace("<code>", '<code class="command">')


def test_a_refusal_is_what_is_wrong_and_what_to_do(page: Page) -> None:
    title, detail = "No film", "Give one: `tailscope run`."
    refusal = {"stage": "refused", "title": title, "detail": detail}
    assert run(page, "shared/refusal.js", "m.refusalWords(v[0])", refusal) == f"{title}. {detail}"
    box = "document.createElement('p')"
    said = run(page, "shared/refusal.js", f"((box) => (m.showRefusal(box, v[0]), box.textContent))({box})", refusal)
    assert said == f"{title}. {detail}".replace("`", "")
