"""The Ask tab's component: its skeleton, script and styles from `static/`.

The script fills the skeleton with text nodes only, so typed text is never parsed as markup.
"""

from __future__ import annotations

from dataclasses import asdict

from explorer.asking.suggestions import EXAMPLE_QUESTIONS, suggestions
from explorer.ui.read.shell import MAX_UPLOAD_BYTES, drop_zone
from explorer.ui.scripts import mount_script
from explorer.ui.shared.fragments import MADE_WITH, PANEL_HEAD, fill_fragment
from explorer.ui.viewer.fragment import film_side

STYLES = tuple(f"ask/{name}.css" for name in ("ask", "question", "spread", "answer"))


def shell() -> str:
    """The skeleton; its viewer's ids have a prefix, because Read has a viewer on the same page."""
    side = film_side(empty=drop_zone(), ids="ask-", hidden="answers")
    return fill_fragment("ask/ask.html", film_side=side, panel_head=PANEL_HEAD, made_with=MADE_WITH)


def script() -> str:
    """The component's script."""
    return mount_script("ask/ask.js", "uploaded", "sample", **script_data())


def script_data() -> dict[str, object]:
    """The script's data: suggestions, examples and the upload limit."""
    return {"known": [asdict(each) for each in suggestions()], "examples": EXAMPLE_QUESTIONS, "limit": MAX_UPLOAD_BYTES}
