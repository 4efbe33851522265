"""The Simulate tab's own component: its skeleton in HTML, its script and styles from `static/`."""

from __future__ import annotations

import json
from html import escape

from explorer.core.findings import FINDINGS, FrequencyGroup
from explorer.phantom import ABNORMAL, SIDES
from explorer.ui import read_shell
from explorer.ui.read_shell import VIEWER, filled, film_side
from explorer.ui.simulate.films import LAST_SEED, MOST, TRAINED
from explorer.ui.simulate.lessons import LESSONS

STYLES = tuple(f"simulate/{name}.css" for name in ("simulate", "order", "answer", "lessons"))
_PARTS = "state newest requests films answer simulate".split()
SCRIPTS = (*VIEWER, *"words.js calls.js hung.js onward.js".split(), *(f"simulate/{name}.js" for name in _PARTS))
UNSEEN = "unseen in training"


def shell() -> str:
    """The skeleton with the findings and the lessons in it; its viewer has ids of its own."""
    side = film_side(empty="", ids="sim-", hidden="answer")
    lessons = "\n".join(
        f'<li><a href="#simulate?lesson={number}">{escape(lesson.title)}</a></li>'
        for number, lesson in enumerate(LESSONS, 1)
    )
    return filled(
        "simulate/simulate.html",
        film_side=side,
        lessons=lessons,
        findings="\n".join(f'<optgroup label="{group}">{_options(names)}</optgroup>' for group, names in groups()),
        last_seed=str(LAST_SEED),
    )


def script() -> str:
    """The component's script, with the findings that can be asked for and their sides."""
    known = json.dumps({finding: {"sides": SIDES[finding]} for finding in ABNORMAL})
    limits = f"const MOST = {MOST};\nconst OWN_SEEDS = [{TRAINED.stop}, {LAST_SEED}];\n"  # of no film of the cohort
    return f"const KNOWN = {known};\n" + limits + read_shell.script(SCRIPTS)


def groups() -> list[tuple[str, list[str]]]:
    """The findings from head to tail by the paper's frequency groups, those unseen in training last."""
    of = {finding: FINDINGS[finding].paper_group for finding in ABNORMAL}
    order = [group for group in FrequencyGroup if group in of.values()]
    known = [(group.value, [finding for finding in ABNORMAL if of[finding] is group]) for group in order]
    return [*known, (UNSEEN, [finding for finding in ABNORMAL if of[finding] is None])]


def _options(names: list[str]) -> str:
    return "".join(f"<option>{escape(name)}</option>" for name in names)
