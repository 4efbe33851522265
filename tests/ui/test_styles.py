"""Style sheets survive what Gradio does to them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from explorer.school.class_file import learner_page
from explorer.ui.gradio_host.serve import STYLE_SHEETS
from explorer.ui.scripts import STATIC_FOLDER


@pytest.mark.parametrize("path", sorted(STATIC_FOLDER.rglob("*.css")), ids=lambda path: path.name)
def test_no_selector_has_a_comma_in_parentheses_and_no_rule_is_dropped(path: Path) -> None:
    """Gradio puts its own prefix behind every comma of a selector, even inside `:is()`, and drops container queries."""
    text = path.read_text(encoding="utf-8")
    assert re.findall(r":(?:is|not|where|has)\([^)]*,", text) == []
    assert "@container" not in text


COLORS = "shared/colors.css"
# Of Gradio and Plotly.
FOREIGN = {"gradio-container", "html-container", "tab-container", "tabitem", "selected", "nsewdrag"}


def test_every_class_that_a_style_names_is_given_by_a_page_or_a_script() -> None:
    """A class renamed in a script alone leaves its rule without effect: what it showed stays hidden."""
    styles = "".join(
        re.sub(r"/\*.*?\*/", "", p.read_text(encoding="utf-8"), flags=re.S) for p in STATIC_FOLDER.rglob("*.css")
    )
    pages = "".join(p.read_text(encoding="utf-8") for kind in ("js", "html") for p in STATIC_FOLDER.rglob(f"*.{kind}"))
    code = "".join(p.read_text(encoding="utf-8") for p in STATIC_FOLDER.parent.rglob("*.py"))
    quoted = " ".join(re.findall(r'"[^"\n]*"|`[^`]*`', pages + code))
    given = set(re.findall(r"[a-zA-Z][\w-]*", quoted))
    named = set(re.findall(r"\.([a-zA-Z][\w-]*)", styles))
    assert named - given <= FOREIGN


def test_colors_and_sizes_that_have_names_are_named_in_one_place() -> None:
    """Gradio drops a second `:root`; the learners' page, which has no Gradio, has the same one."""
    texts = {
        path.relative_to(STATIC_FOLDER).as_posix(): path.read_text(encoding="utf-8")
        for path in STATIC_FOLDER.rglob("*.css")
    }
    assert [name for name, text in texts.items() if ":root" in re.sub(r"/\*.*?\*/", "", text, flags=re.S)] == [COLORS]
    named = set(re.findall(r"^  (--[a-z-]+):", texts[COLORS], re.MULTILINE))
    assert STYLE_SHEETS[0] == learner_page.STYLES[0] == COLORS
    used = {name for sheet in learner_page.STYLES for name in re.findall(r"var\((--[a-z-]+)", texts[sheet])}
    own = {name for text in texts.values() for name in re.findall(r"^\s+(--[a-z-]+):", text, re.MULTILINE)}
    assert used <= named | own and {"--miss", "--hit", "--false-alarm"} <= used
