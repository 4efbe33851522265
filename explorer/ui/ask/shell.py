"""The Ask tab's own component: its skeleton in HTML, its script and styles from `static/`.

As in Read the script fills the skeleton with text nodes only: what somebody types is never taken for markup.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from explorer.asking.question import LONGEST
from explorer.asking.suggestions import suggestions
from explorer.ui import read_shell
from explorer.ui.read_shell import FILMS, VIEWER, drop, filled, film_side

STYLES = tuple(f"ask/{name}.css" for name in ("ask", "question", "spread", "answer"))
_PARTS = "suggestions question_line templates spread_bar answer_lines answer asked_list asked_films ask".split()
SCRIPTS = (*VIEWER, *FILMS, *(f"ask/{name}.js" for name in _PARTS))


def shell() -> str:
    """The skeleton; its viewer has ids of its own, for Read has one on the same page."""
    side = film_side(empty=drop(), ids="ask-", hidden="answers")
    return filled("ask/ask.html", film_side=side, panel_head=filled("panel_head.html"), longest=str(LONGEST))


def script() -> str:
    """The component's script, with the words that may be typed."""
    known = json.dumps([asdict(each) for each in suggestions()])
    return f"const KNOWN = {known};\n" + read_shell.script(SCRIPTS)
