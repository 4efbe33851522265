"""The Simulate tab's own component: its skeleton in HTML, its script and styles from `static/`."""

from __future__ import annotations

from html import escape

from explorer.core.findings import FINDINGS, FrequencyGroup
from explorer.school.lessons.catalog import LESSONS
from explorer.school.lessons.step import Lesson
from explorer.simulator import ABNORMAL, SIDES
from explorer.ui.scripts import mount
from explorer.ui.shared.fragments import MADE_WITH, filled
from explorer.ui.simulate.film_requests import LAST_SEED, MOST, TRAINED
from explorer.ui.viewer.fragment import film_side

STYLES = tuple(f"simulate/{name}.css" for name in ("simulate", "order", "answer", "quiz", "lessons"))
UNSEEN = "unseen in training"


def shell() -> str:
    """The skeleton with the findings and the lessons in it; its viewer has ids of its own."""
    side = film_side(empty="", ids="sim-", hidden="answer")
    lessons = "\n".join(_lesson(number, lesson) for number, lesson in enumerate(LESSONS, 1))
    return filled(
        "simulate/simulate.html",
        film_side=side,
        lessons=lessons,
        findings="\n".join(f'<optgroup label="{group}">{_options(names)}</optgroup>' for group, names in groups()),
        last_seed=str(LAST_SEED),
        made_with=MADE_WITH,
    )


def script() -> str:
    """What the component runs, with the findings that can be asked for and their sides."""
    known = {finding: {"sides": SIDES[finding]} for finding in ABNORMAL}
    own_seeds = TRAINED.stop, LAST_SEED  # of no film of the cohort
    return mount("simulate/simulate.js", "sample", known=known, most=MOST, own_seeds=own_seeds)


def groups() -> list[tuple[str, list[str]]]:
    """The findings from head to tail by the paper's frequency groups, those unseen in training last."""
    of = {finding: FINDINGS[finding].paper_group for finding in ABNORMAL}
    order = [group for group in FrequencyGroup if group in of.values()]
    known = [(group.value, [finding for finding in ABNORMAL if of[finding] is group]) for group in order]
    return [*known, (UNSEEN, [finding for finding in ABNORMAL if of[finding] is None])]


def _options(names: list[str]) -> str:
    return "".join(f"<option>{escape(name)}</option>" for name in names)


def _lesson(number: int, lesson: Lesson) -> str:
    minutes = f'<span class="lessons-minutes">{lesson.minutes} min</span>'
    return f'<li><a href="#simulate?lesson={number}">{escape(lesson.title)}</a> {minutes}</li>'
