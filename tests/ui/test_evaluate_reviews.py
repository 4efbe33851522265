"""A review's readers beside the models in A finding: their votes as points, their certainty as curves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE
from explorer.core.arrays import Floats
from explorer.school.reviews.allocation import allocated
from explorer.school.reviews.review import Review, ReviewFilm, Vote
from explorer.school.reviews.review_database import ReviewDatabase, make_review
from explorer.school.reviews.review_files import review_file
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.evaluate.panels.finding_asked import FINDING_WORD
from explorer.ui.shared.links import cohort_id, model_id
from explorer.ui.shared.services import Services
from tests.explorer.school.reviews.made_reviews import NO_REPEATS, next_id
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME
from tests.support.wording import Wording
from tests.ui.evaluate_asker import Ask, asker

READERS, FILMS = 3, 20
ALONE = replace(NO_REPEATS, per_film=1)
WORDS = {
    "cohort": cohort_id(NAME),
    "models": ".".join(model_id(NAME, model) for model in MODELS),
    "panel": "finding",
    "finding": FINDING_WORD.write(NAME, "Mass") or "",
}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    made = write_several(tmp_path / "cohorts", 11, 60)
    return Store(lambda: (made.folder,))


@pytest.fixture
def ask(store: Store) -> Iterator[Ask]:
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        yield asker(Services(store, Images(), None, job))


def labeled(store: Store) -> dict[str, float]:
    """The label of each film for a mass, by case."""
    cases, joint = list(store.patients(NAME)), joint_scores(store, Slice(NAME, MODELS[0]), MODELS)
    labels = zip(joint.films, joint.labels[:, joint.findings.index("Mass")].tolist(), strict=True)
    return {cases[film]: label for film, label in labels if label == label}


def made_review(cases: list[str]) -> ReviewDatabase:
    films = tuple(ReviewFilm(case, None, None) for case in cases)
    review = Review("masses", NAME, "Films", "", False, ("Mass",), NO_REPEATS, films)
    make_review(review_file("masses"), review, allocated(len(films), READERS, NO_REPEATS), ["AAAA0", "AAAA1", "AAAA2"])
    return ReviewDatabase(review_file("masses"))


def vote(database: ReviewDatabase, seen: Floats, certain: int | None, readers: int = READERS) -> None:
    """Votes on a mass where `seen` (readers, films) is 1; the first reader alone says how certain."""
    for reader in range(readers):
        for each in database.readings_of(reader):
            found = frozenset({"Mass"} if seen[reader, each.film] else ())
            own = Vote("own findings", found, certainty=certain if not reader else None)  # type: ignore[arg-type]
            database.vote(reader, each.place, next_id(), own)


def test_a_reviews_readers_are_points_and_curves(ask: Ask, store: Store, wording: Wording) -> None:
    known = labeled(store)
    cases = list(known)[:FILMS]
    truth = np.array([known[case] for case in cases])
    seen = (np.random.default_rng(4).random((READERS, FILMS)) < 0.5).astype(float)
    with closing(made_review(cases)) as database:
        assert ask("panel", WORDS)["content"]["groups"] == [], "a review without a vote"
        vote(database, seen, 2)
        found = ask("panel", WORDS)
        names = ["most of the review masses", *(f"R{reader}, the review masses" for reader in (1, 2, 3))]
        assert [mark["name"] for mark in found["content"]["groups"]] == names
        most = (seen.sum(0) >= 2).astype(float)
        for mark, called in zip(found["content"]["groups"], (most, *seen), strict=True):
            counts = mark["hits"], mark["misses"], mark["false_alarms"], mark["correct_rejections"]
            wanted = ((1, 1), (1, 0), (0, 1), (0, 0))
            assert counts == tuple(int(np.sum((truth == there) & (called == yes))) for there, yes in wanted)
        data = found["content"]["figure"]["data"]
        stars = next(each for each in data if each.get("name") == "readers of the review masses")
        assert stars["y"] == pytest.approx([called[truth == 1].mean() for called in seen], abs=1e-4)
        dotted = {each["name"] for each in data if str(each.get("name")).startswith("R1, ")}
        assert dotted == {"R1, the review masses"}
        assert not [each for each in data if each.get("name") == "R2, the review masses"], "no certainty, no curve"
        assert len(found["content"]["above"]) == 4
        wording(next(note for note in found["notes"] if "a review" in note))
        first = database.readings_of(0)[-1]  # the last vote may be changed
        changed = Vote("own findings", frozenset({"Mass"} - ({"Mass"} if seen[0, first.film] else set())), certainty=2)
        database.vote(0, first.place, next_id(), changed)
        again = ask("panel", WORDS)["content"]["groups"][1]
        assert again["hits"] + again["false_alarms"] == int(seen[0].sum()) + (-1 if seen[0, first.film] else 1)


def test_under_labels_that_its_readers_made_the_page_says_so(ask: Ask, store: Store, wording: Wording) -> None:
    known = labeled(store)
    seen = np.ones((READERS, FILMS))
    with closing(made_review(list(known)[:FILMS])) as database:
        vote(database, seen, None)
        assert not [note for note in ask("panel", WORDS)["notes"] if "look better" in note]
        database.add_release(NAME, "three")
        database.add_release("elsewhere", "others")
        next_vote = replace(Vote("own findings"), note="seen again")
        database.vote(2, database.readings_of(2)[-1].place, next_id(), next_vote)
        merged = ask("panel", WORDS)["notes"]
        wording(next(note for note in merged if "look better" in note))


def test_a_review_of_another_cohort_or_finding_is_not_shown(ask: Ask, store: Store) -> None:
    known = labeled(store)
    films = tuple(ReviewFilm(case, None, None) for case in list(known)[:4])
    for name, cohort, finding in (("far", "another", "Mass"), ("other", NAME, "Hernia")):
        review = Review(name, cohort, "Films", "", False, (finding,), ALONE, films)
        make_review(review_file(name), review, allocated(4, 1, ALONE), ["AAAA0"])
        with closing(ReviewDatabase(review_file(name))) as database:
            database.vote(0, 0, next_id(), Vote("own findings", frozenset({finding})))
    review_file("bad").write_bytes(b"nothing of the kind" * 100)
    assert ask("panel", WORDS)["content"]["groups"] == []
    with closing(ReviewDatabase(review_file("far"))) as database:
        database.add_release(NAME, "three")  # its labels went to a copy, which has the same films
        database.vote(0, 0, next_id(), Vote("own findings"))
    assert [mark["name"] for mark in ask("panel", WORDS)["content"]["groups"]][-1] == "R1, the review far"
