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


# Of Gradio and Plotly.
FOREIGN = {"gradio-container", "html-container", "tab-container", "tabitem", "selected", "nsewdrag"}
BUILT = {"chip-cohort", "chip-model", "chip-source"}  # from a filter's key


def test_every_class_that_a_style_names_is_given_by_a_page_or_a_script() -> None:
    """A class renamed in a script alone leaves its rule without effect: what it showed stays hidden."""
    styles = "".join(re.sub(r"/\*.*?\*/", "", p.read_text(encoding="utf-8"), flags=re.S) for p in STATIC.rglob("*.css"))
    pages = "".join(p.read_text(encoding="utf-8") for kind in ("js", "html") for p in STATIC.rglob(f"*.{kind}"))
    code = "".join(p.read_text(encoding="utf-8") for p in STATIC.parent.rglob("*.py"))
    quoted = " ".join(re.findall(r'"[^"\n]*"|`[^`]*`', pages + code))
    given = set(re.findall(r"[a-zA-Z][\w-]*", quoted))
    named = set(re.findall(r"\.([a-zA-Z][\w-]*)", styles))
    assert named - given == FOREIGN | BUILT


def test_the_learners_page_has_the_tokens_of_the_page() -> None:
    """It has no Gradio, which drops a second `:root`: so the two cannot share a file."""
    tokens = re.compile(r"^  (--[a-z-]+): ([^;]+);", re.MULTILINE)
    ours, theirs = (
        dict(tokens.findall((STATIC / name).read_text(encoding="utf-8").partition("}")[0]))
        for name in ("shared/tailscope.css", "class/class.css")
    )
    assert len(theirs) > 10
    assert theirs == {name: ours[name] for name in theirs}
