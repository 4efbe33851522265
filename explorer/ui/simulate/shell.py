"""The Simulate tab's component: its skeleton, script and styles from `static/`."""

from __future__ import annotations

from html import escape

from explorer.core.findings import FINDINGS, FrequencyGroup
from explorer.school.lessons.catalog import LESSONS
from explorer.school.lessons.step import Lesson
from explorer.school.preparing.ordered_scores import TRAINING_SEEDS
from explorer.simulator import ABNORMAL, SIDES
from explorer.ui.scripts import mount_script
from explorer.ui.shared.fragments import MADE_WITH, fill_fragment
from explorer.ui.simulate.beside import exposures
from explorer.ui.simulate.film_requests import LAST_SEED, MAX_FINDINGS
from explorer.ui.viewer.fragment import film_side

STYLES = (
    "shared/severity_chart.css",
    *(f"simulate/{name}.css" for name in ("simulate", "order", "beside", "answer", "quiz", "lessons")),
)
UNSEEN_GROUP = "unseen in training"


def shell() -> str:
    """The skeleton with the findings and the lessons; its viewer's ids have a prefix."""
    side = film_side(empty="", ids="sim-", hidden="answer")
    lessons = "\n".join(_lesson(number, lesson) for number, lesson in enumerate(LESSONS, 1))
    return fill_fragment(
        "simulate/simulate.html",
        film_side=side,
        lessons=lessons,
        findings="\n".join(
            f'<optgroup label="{group}">{_options(names)}</optgroup>' for group, names in finding_groups()
        ),
        last_seed=str(LAST_SEED),
        made_with=MADE_WITH,
    )


def script() -> str:
    """The component's script, with the findings on offer and their sides, and the ways to image a patient again."""
    known = {finding: {"sides": SIDES[finding]} for finding in ABNORMAL}
    own_seeds = TRAINING_SEEDS.stop, LAST_SEED  # seeds that the cohort does not use
    return mount_script(
        "simulate/simulate.js", "sample", known=known, most=MAX_FINDINGS, own_seeds=own_seeds, exposures=exposures()
    )


def finding_groups() -> list[tuple[str, list[str]]]:
    """The findings from head to tail by the paper's frequency groups; those unseen in training come last."""
    group_of = {finding: FINDINGS[finding].paper_group for finding in ABNORMAL}
    order = [group for group in FrequencyGroup if group in group_of.values()]
    known = [(group.value, [finding for finding in ABNORMAL if group_of[finding] is group]) for group in order]
    return [*known, (UNSEEN_GROUP, [finding for finding in ABNORMAL if group_of[finding] is None])]


def _options(names: list[str]) -> str:
    return "".join(f"<option>{escape(name)}</option>" for name in names)


def _lesson(number: int, lesson: Lesson) -> str:
    minutes = f'<span class="lessons-minutes">{lesson.minutes} min</span>'
    return f'<li><a href="#simulate?lesson={number}">{escape(lesson.title)}</a> {minutes}</li>'
