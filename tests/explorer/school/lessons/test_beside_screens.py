"""Lessons read beside the screens they lead to: numbers of Explore and Evaluate, outcomes of Simulate's panel."""

from __future__ import annotations

import re
from functools import partial

import pytest

from explorer.analysis.leaderboard.means import leaderboard
from explorer.analysis.performance.performance_table import count_table
from explorer.asking.asker import Asker
from explorer.asking.model import load_text_model
from explorer.core.findings import Outcome
from explorer.core.rates import Rate
from explorer.reading.model_loader import LazyModel
from explorer.reading.reader import Reader
from explorer.school.lessons.catalog import LESSONS
from explorer.school.lessons.counted import lesson_facts
from explorer.school.lessons.fact import FilmOutcome, OtherCenterOutcome, TwinOutcome
from explorer.school.lessons.film_search import MIN_VISIBLE_SEVERITY
from explorer.school.lessons.step import LessonStep
from explorer.settings import CLASSIFIERS, VLMS
from explorer.simulator.address import parse_film_address
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.simulate.lesson_calls import step_address
from explorer.ui.simulate.scores import PhantomModels
from models.load import classifier

pytestmark = pytest.mark.slow
RATE = re.compile(r"[\d,]+ of [\d,]+: [\d.]+ \[[\d.]+\N{EN DASH}[\d.]+\]")
MEAN = re.compile(r"(?<!: )(?<![\d,])(\d\.\d\d) \[[\d.]+\N{EN DASH}[\d.]+\]")
PANEL = 4  # lessons that are read by the models of Simulate's panel; the others by networks of the lab
CALLED = (Outcome.HIT, Outcome.FALSE_ALARM)


@pytest.fixture(scope="module")
def store() -> Store:
    return Store()


@pytest.fixture(scope="module")
def steps(store: Store) -> list[tuple[int, LessonStep]]:
    known = lesson_facts(store, CLASSIFIERS.simulated, VLMS.simulated)
    return [(number, step) for number, lesson in enumerate(LESSONS, 1) for step in lesson.make_steps(known)]


@pytest.fixture(scope="module")
def judges(store: Store) -> PhantomModels:
    reader = Reader(LazyModel(CLASSIFIERS.simulated, lambda: classifier(CLASSIFIERS.simulated, "cpu")))
    return PhantomModels(reader, Asker(partial(load_text_model, VLMS.simulated, "cpu")), store)


def written(rate: Rate) -> str:
    assert rate.value is not None and rate.interval is not None
    low, high = rate.interval
    return f"{rate.hits:,} of {rate.n:,}: {rate.value:.2f} [{low:.2f}\N{EN DASH}{high:.2f}]"


def in_explore(store: Store, cohort: str, model: str) -> set[str]:
    """Every sensitivity, specificity and precision of Explore's table, as a note writes them."""
    shown: set[str] = set()
    for line in count_table(store, Slice(cohort, model)).lines:
        for cell in (line.pooled, *line.cells):
            alarms = cell.specificity.n - cell.specificity.hits
            precision = Rate(cell.sensitivity.hits, cell.sensitivity.hits + alarms)
            shown |= {written(each) for each in (cell.sensitivity, cell.specificity, precision) if each.n}
    return shown


def test_every_rate_of_a_note_stands_in_explores_table(store: Store, steps: list[tuple[int, LessonStep]]) -> None:
    read = 0
    for _, step in steps:
        chosen = step.number.slice
        rates = RATE.findall(step.film.note)
        if not rates:
            continue
        assert chosen is not None
        models = {chosen.model, *(step.number.beside and [step.number.beside.model] or []), *step.number.models}
        shown = set[str]().union(*(in_explore(store, chosen.cohort, model) for model in models))
        assert set(rates) <= shown, step.film.note
        read += len(rates)
    assert read >= 15


def test_every_mean_and_precision_of_a_note_is_that_of_its_screen(
    store: Store, steps: list[tuple[int, LessonStep]]
) -> None:
    read = 0
    for _, step in steps:
        chosen, said = step.number.slice, [float(each) for each in MEAN.findall(step.film.note)]
        if not said or chosen is None or step.number.place not in ("board", "scatter", "table"):
            continue
        if step.number.place == "board":
            board = leaderboard(store, chosen, step.number.models)
            values = {round(float(value), 2) for mean in board.means.values() for value in mean.point}
        else:
            lines = count_table(store, Slice(chosen.cohort, chosen.model)).lines
            cells = [cell for line in lines for cell in (line.pooled, *line.cells)]
            figures = [f for c in cells for f in (c.average_precision, c.sensitivity.value, c.specificity.value)]
            values = {round(float(each), 2) for each in figures if each is not None}
        assert all(any(abs(each - value) < 0.011 for value in values) for each in said), step.film.note
        read += len(said)
    assert read >= 10


def outcomes_in_panel(judges: PhantomModels, where: str, model: str, finding: str) -> Outcome:
    """What Simulate says of a finding on a film: among those that are there, or among what is called besides."""
    film = parse_film_address(where)
    said = judges.classifier(film) if model == CLASSIFIERS.simulated else judges.text_model(film)
    assert said["model"]["name"] == model
    row = next((row for row in said["rows"] if row["finding"] == finding), None)
    if row is not None:
        assert row["outcome"] is not None and row["threshold"] is not None
        assert (row["score"] >= row["threshold"]) == (row["outcome"] in CALLED)
        return row["outcome"]
    alarms = {each["finding"] for each in said["false_alarms"]}
    return Outcome.FALSE_ALARM if finding in alarms else Outcome.CORRECT_REJECTION


def test_the_panel_says_of_a_film_what_the_note_says(
    store: Store, steps: list[tuple[int, LessonStep]], judges: PhantomModels
) -> None:
    """Called in the note and missed in the panel, by another threshold: so it was for findings without labels."""
    read = 0
    for number, step in steps:
        first = step.facts[0]
        if number > PANEL or not isinstance(first, FilmOutcome) or isinstance(first, (OtherCenterOutcome, TwinOutcome)):
            continue
        if first.model == VLMS.simulated and first.outcome in (Outcome.FALSE_ALARM, Outcome.CORRECT_REJECTION):
            continue  # the panel asks the image-text model of what is there
        assert outcomes_in_panel(judges, step_address(store, step), first.model, first.finding) is first.outcome
        read += 1
    assert read >= 10


def test_the_panels_thresholds_are_those_that_explore_counts_by(store: Store, judges: PhantomModels) -> None:
    said = judges.text_model(parse_film_address("phantom://v2/A/300041?Adenopathy=left,0.60&Goiter=,0.60"))
    shown = {row["finding"]: row["threshold"] for row in said["rows"]}
    assert shown == pytest.approx({"Adenopathy": 0.5, "Goiter": 0.5}), "of findings that no label named"


def test_what_is_to_be_found_can_be_seen_or_the_note_says_that_nobody_could(
    store: Store, steps: list[tuple[int, LessonStep]]
) -> None:
    asked = 0
    for _, step in steps:
        film = parse_film_address(step.shown or step_address(store, step))
        for request in film.requests:
            if request.finding == step.film.question.finding:
                asked += 1
                assert (request.severity or 0) >= MIN_VISIBLE_SEVERITY or "too faint to see" in step.film.note, (
                    film.address
                )
    assert asked >= 12
