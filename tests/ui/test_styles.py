"""Style sheets survive what Gradio does to them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from explorer.ui.scripts import STATIC


@pytest.mark.parametrize("path", sorted(STATIC.rglob("*.css")), ids=lambda path: path.name)
def test_no_selector_has_a_comma_in_parentheses_and_no_rule_is_dropped(path: Path) -> None:
    """Gradio puts its own prefix behind every comma of a selector, even inside `:is()`, and drops container queries."""
    text = path.read_text(encoding="utf-8")
    assert re.findall(r":(?:is|not|where|has)\([^)]*,", text) == []
    assert "@container" not in text
