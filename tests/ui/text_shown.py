"""What an element of the page says, once it says it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

SOMETHING = re.compile(r"\S")


def text_with(shown: Locator, key: str | re.Pattern[str] = SOMETHING, timeout: float | None = None) -> str:
    """The text of an element, folded or not, as soon as `key`, a name or a number of it, is there."""
    expect(shown).to_contain_text(key, timeout=timeout)
    return shown.inner_text() or shown.text_content() or ""
