"""The Ask tab's own component: its skeleton in HTML, its script and styles from `static/`.

As in Read the script fills the skeleton with text nodes only: what somebody types is never taken for markup.
"""

from __future__ import annotations

from dataclasses import asdict

from explorer.asking.suggestions import EXAMPLES, suggestions
from explorer.ui.read.shell import LIMIT_BYTES, drop
from explorer.ui.scripts import mount
from explorer.ui.shared.fragments import MADE_WITH, PANEL_HEAD, filled
from explorer.ui.viewer.fragment import film_side

STYLES = tuple(f"ask/{name}.css" for name in ("ask", "question", "spread", "answer"))


def shell() -> str:
    """The skeleton; its viewer has ids of its own, for Read has one on the same page."""
    side = film_side(empty=drop(), ids="ask-", hidden="answers")
    return filled("ask/ask.html", film_side=side, panel_head=PANEL_HEAD, made_with=MADE_WITH)


def script() -> str:
    """What the component runs."""
    return mount("ask/ask.js", "uploaded", "sample", **data())


def data() -> dict[str, object]:
    """What the script needs to know: the words that may be typed, what to begin with, and how large a file may be."""
    return {"known": [asdict(each) for each in suggestions()], "examples": EXAMPLES, "limit": LIMIT_BYTES}
