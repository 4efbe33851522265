"""The words of a lesson fit their films: every fact that a step declares is read from the cohort and the models."""

from __future__ import annotations

import base64
import re
from functools import partial

import numpy as np
import pytest

from explorer.asking.asker import Asker
from explorer.asking.model import load_text_model
from explorer.cohorts.images import Images
from explorer.core.findings import Outcome
from explorer.reading.model_loader import LazyModel
from explorer.reading.reader import Reader
from explorer.school.lessons.catalog import LESSONS, lesson_playlist
from explorer.school.lessons.counted import LessonFacts, lesson_facts
from explorer.school.lessons.fact import (
    FilmFact,
    FilmOutcome,
    HeatInMask,
    MapShownByDefault,
    OtherCenterOutcome,
    TwinMapPeak,
    TwinMapShown,
    TwinOutcome,
)
from explorer.school.lessons.step import Lesson, LessonStep
from explorer.school.playlists.film_truth import film_truth
from explorer.school.playlists.found_film import CohortFilm, FilmSources, find_film
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.simulated_truth import simulated_truth
from explorer.school.preparing.model_scores import named_scores, stored_scores
from explorer.settings import CLASSIFIERS, VLMS
from explorer.simulator.address import parse_film_address
from explorer.store.store import Store
from explorer.ui.simulate.lesson_calls import step_address
from explorer.ui.simulate.payload import ModelScorePayload
from explorer.ui.simulate.scores import PhantomModels
from models.load import classifier

pytestmark = pytest.mark.slow
LONGEST = 420  # characters of what the bar says at once
TITLES = {lesson.title: lesson for lesson in LESSONS}


@pytest.fixture(scope="module")
def store() -> Store:
    return Store()


@pytest.fixture(scope="module")
def known(store: Store) -> LessonFacts:
    return lesson_facts(store, CLASSIFIERS.simulated, VLMS.simulated)


@pytest.fixture(scope="module")
def made(known: LessonFacts) -> dict[str, tuple[LessonStep, ...]]:
    return {title: lesson.make_steps(known) for title, lesson in TITLES.items()}


class Film:
    """A simulated film as the page has the shipped models read it."""

    def __init__(self, judges: PhantomModels, where: str) -> None:
        self.film = parse_film_address(where)
        self.judges = judges
        self.said = judges.classifier(self.film)

    def row(self, finding: str) -> ModelScorePayload:
        return next(row for row in self.said["rows"] if row["finding"] == finding)

    def outcome(self, model: str, finding: str) -> Outcome | None:
        assert model == self.said["model"]["name"]
        return self.row(finding)["outcome"]

    def outcome_on_twin(self, model: str, finding: str) -> Outcome | None:
        assert model == self.said["model"]["name"]
        return self.row(finding)["twin"]["outcome"]

    def outcome_elsewhere(self, model: str, finding: str) -> Outcome | None:
        said = self.judges.beside(self.film, "centers")
        assert model == said["model"]
        return next(row["outcome"] for row in said["rows"] if row["finding"] == finding)

    def map_unasked(self, model: str, finding: str) -> bool:
        return self.outcome(model, finding) is Outcome.HIT and self.worth_showing(finding)

    def map_on_twin(self, model: str, finding: str) -> bool:
        return self.outcome_on_twin(model, finding) is Outcome.FALSE_ALARM and self.worth_showing(finding)

    def peak_on_twin(self, model: str, finding: str) -> float:
        heat = self.said["heat"]
        assert heat is not None and heat["heat_maximum"] is not None
        maps = np.frombuffer(base64.b64decode(heat["twin"]), "<f4").reshape(-1, heat["grid"], heat["grid"])
        return float(maps[heat["findings"].index(finding)].max()) / heat["heat_maximum"]

    def worth_showing(self, finding: str) -> bool:
        heat = self.said["heat"]
        assert heat is not None
        return heat["worth"][finding]["shown"] is not False

    def heat_over_chance(self, model: str, finding: str) -> float:
        heat = self.said["heat"]
        assert heat is not None
        inside = heat["inside"][finding]
        assert inside["heat"] is not None
        return inside["heat"] / inside["mask"]


def is_so(fact: FilmFact, film: Film) -> bool:
    """Whether a fact is true of a film that was read."""
    match fact:
        case OtherCenterOutcome(model, finding, outcome):
            return film.outcome_elsewhere(model, finding) is outcome
        case TwinOutcome(model, finding, outcome):
            return film.outcome_on_twin(model, finding) is outcome
        case FilmOutcome(model, finding, outcome):
            return film.outcome(model, finding) is outcome
        case TwinMapShown(model, finding, drawn):
            return film.map_on_twin(model, finding) is drawn
        case MapShownByDefault(model, finding, drawn):
            return film.map_unasked(model, finding) is drawn
        case TwinMapPeak(model, finding, most):
            return film.peak_on_twin(model, finding) <= most
        case HeatInMask(model, finding, least, most):
            return least <= film.heat_over_chance(model, finding) <= most


@pytest.fixture(scope="module")
def judges(store: Store) -> PhantomModels:
    reader = Reader(LazyModel(CLASSIFIERS.simulated, lambda: classifier(CLASSIFIERS.simulated, "cpu")))
    return PhantomModels(reader, Asker(partial(load_text_model, VLMS.simulated, "cpu")), store)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda each: each.title)
def test_every_step_is_there_and_declares_its_facts(lesson: Lesson, made: dict[str, tuple[LessonStep, ...]]) -> None:
    steps = made[lesson.title]
    assert len(steps) == {"What sampling buys on the tail": 3, "Another hospital": 3}.get(
        lesson.title, 5 if "heat" in lesson.title else 4
    )
    assert 5 <= lesson.minutes <= 10
    for step in steps:
        film = step.film
        assert step.facts and film.question.finding in {fact.finding for fact in step.facts}
        assert max(len(film.before) + len(lesson.about), len(film.note), len(lesson.closing)) <= LONGEST
        assert film.before and film.note and step.number.go
    assert len({(step.film.cohort, step.film.case) for step in steps}) == len(steps)


def test_the_facts_of_the_cohorts_films_hold(store: Store, made: dict[str, tuple[LessonStep, ...]]) -> None:
    checked = 0
    for step in (each for steps in made.values() for each in steps if each.film.cohort):
        for fact in step.facts:
            assert isinstance(fact, FilmOutcome)
            scored = store.scored(step.film.cohort, fact.model, [step.film.case])[step.film.case]
            assert scored[fact.finding].outcome is fact.outcome, (step.film.case, fact)
            truth = simulated_truth(parse_film_address(step_address(store, step))).labels[fact.finding]
            assert (truth == "present") == (fact.outcome in (Outcome.HIT, Outcome.MISS)), (step.film.case, fact)
            checked += 1
    assert checked >= 20


def test_the_facts_of_simulated_films_hold(judges: PhantomModels, made: dict[str, tuple[LessonStep, ...]]) -> None:
    steps = [each for steps in made.values() for each in steps if not each.film.cohort]
    assert len(steps) == 6
    for step in steps:
        film = Film(judges, step.shown or step.film.case)
        for fact in step.facts:
            assert is_so(fact, film), (step.film.case, fact)
        first = step.facts[0]
        assert isinstance(first, FilmOutcome)
        labels = simulated_truth(parse_film_address(step.film.case)).labels
        assert (labels[first.finding] == "present") == (first.outcome in (Outcome.HIT, Outcome.MISS))
    wrong = FilmOutcome("phantom", "Mass", Outcome.HIT)
    subtle = next(step for step in steps if FilmOutcome("phantom", "Mass", Outcome.MISS) in step.facts)
    assert not is_so(wrong, Film(judges, subtle.film.case))  # a fact can be untrue


def test_words_and_facts_say_the_same(made: dict[str, tuple[LessonStep, ...]]) -> None:
    """What the first sentence of a note says is what the first fact says."""
    for step in (each for steps in made.values() for each in steps):
        first, start = step.facts[0], step.film.note.lower()
        assert isinstance(first, FilmOutcome)
        if first.outcome in (Outcome.HIT, Outcome.MISS):
            assert start.startswith(("present", "it is present", "a subtle one is present", "the same patient")), start
        else:
            assert start.startswith(("it is absent", "absent", "there is nothing")), start
        if first.outcome is Outcome.MISS:
            assert "missed" in step.film.note or "below the threshold" in step.film.note


LAB = re.compile(r"lab-[a-z-]+-\d")
SAYS = {  # of a network that a note names: what its scores must be
    Outcome.HIT: ("{} flagged it", "{}, which saw it often, flagged it", "{}, which had seen center B, flagged it"),
    Outcome.MISS: ("{} missed it",),
    Outcome.FALSE_ALARM: ("{} flagged it",),
    Outcome.CORRECT_REJECTION: ("{} did not",),
}


def test_the_networks_that_a_note_speaks_of_are_those_whose_scores_are_shown(
    store: Store, made: dict[str, tuple[LessonStep, ...]]
) -> None:
    """Score against threshold as a plain comparison, in what Simulate's bar and what a class's reveal are given."""
    named = []
    sources = FilmSources(store, Images({}), usual=(CLASSIFIERS.simulated, VLMS.simulated))
    for title, step in ((title, each) for title, steps in made.items() for each in steps):
        film, asked = step.film, step.film.question.finding
        assert bool(film.models) == (title in ("What sampling buys on the tail", "Another hospital"))
        if not film.models:
            assert not LAB.search(film.before + film.note) and named_scores(store, film) == []
            continue
        shown = {row["model"]: row for row in named_scores(store, film)}
        assert tuple(shown) == film.models and {row["finding"] for row in shown.values()} == {asked}
        assert {*LAB.findall(film.note), *(fact.model for fact in step.facts)} <= shown.keys()
        assert [each.model for each in sources.models(film.cohort, film.models)] == list(film.models)
        case = find_film(sources, film)
        assert isinstance(case, CohortFilm)
        for model, row in shown.items():
            (fact,) = [each for each in step.facts if each.model == model] or [None]
            assert row["title"] == store.model(film.cohort, model).title != ""
            assert row["threshold"] is not None and row["outcome"] is not None
            assert (row["score"] >= row["threshold"]) == (row["outcome"] in (Outcome.HIT, Outcome.FALSE_ALARM))
            if fact is not None:
                assert isinstance(fact, FilmOutcome) and row["outcome"] is fact.outcome
            if model in film.note:
                assert any(words.format(model) in film.note for words in SAYS[row["outcome"]]), (film.note, row)
                named.append(row["outcome"])
            says = stored_scores(case, store.model(film.cohort, model), film_truth(case), asked)
            told = next(each for each in says["rows"] if each["finding"] == asked)
            assert (told["score"], told["threshold"]) == (row["score"], row["threshold"])
            assert says["origin"].startswith(row["origin"]) and row["origin"] == row["origin"].strip() != ""
    assert set(named) == set(Outcome)


def test_a_lesson_is_a_playlist(known: LessonFacts, made: dict[str, tuple[LessonStep, ...]]) -> None:
    lesson = LESSONS[0]
    playlist = lesson_playlist(
        lesson, made[lesson.title], lambda step: (f"#explore?{step.number.place}", "#explore td")
    )
    assert (playlist.title, playlist.about, playlist.closing) == (lesson.title, lesson.about, lesson.closing)
    assert [film.question for film in playlist.films[:3]] == [FilmQuestion("present", known.rarest)] * 3
    assert {film.mark for film in playlist.films} == {"#explore td"}
    assert [film.link for film in playlist.films] == ["#explore?table"] * 3 + ["#explore?scatter"]
