"""Votes beside the labels that readers made: in the case view of a cohort that has them as a source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from explorer.analysis.cases.case_facts import EqualLabels
from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE
from explorer.school.reviews.review import Vote
from explorer.school.reviews.review_files import opened_review, review_file
from explorer.store.store import Store
from explorer.ui.explore.case_votes import label_votes
from explorer.ui.shared.links import cohort_id, model_id
from tests.explorer.cli.command import run
from tests.explorer.school.reviews.made_reviews import database_of, next_id, own, review_of
from tests.ui.case_asker import asker


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))


def released(votes: Sequence[Mapping[int, Vote]], releases: Sequence[tuple[str, str]]) -> None:
    """The review small of three films, with each reader's votes by film."""
    place = review_file("small").parent
    place.mkdir(parents=True)
    with closing(database_of(place, review_of([None] * 3), len(votes))) as database:
        for reader, by_film in enumerate(votes):
            for each in database.readings_of(reader):
                if each.film in by_film:
                    database.vote(reader, each.place, next_id(), by_film[each.film])
        for cohort, source in releases:
            database.add_release(cohort, source)


def labels(source: str = "three") -> tuple[EqualLabels, ...]:
    """f0: a mass is present and a nodule is not; an effusion has no label."""
    return EqualLabels("present", source, True, ("Mass",)), EqualLabels("absent", source, True, ("Nodule",))


MASS, BOTH = own("Mass"), own("Mass", "Pleural Effusion")


def test_who_gave_a_label_and_what_has_none() -> None:
    released([{0: BOTH}, {0: MASS}, {0: own("Nodule", "Pleural Effusion")}], [("mine", "three"), ("mine", "b")])
    found = {each["finding"]: (each["words"], each["unlabeled"]) for each in label_votes("mine", "f0", labels())}
    assert found == {
        "Mass": ("2 of 3: R1, R2", False),
        "Nodule": ("2 of 3: R1, R2", False),
        "Pleural Effusion": ("2 of 3: R1, R3", True),
    }
    assert {each["source"] for each in label_votes("mine", "f0", labels())} == {"three"}


@pytest.mark.parametrize(
    ("cohort", "case", "given"),
    [
        ("mine", "f0", ()),  # no label of this source: perhaps of the half that is held out
        ("mine", "f0", labels("reports")),
        ("mine", "f9", labels()),
        ("other", "f0", labels()),
    ],
)
def test_labels_of_others_have_no_votes(cohort: str, case: str, given: tuple[EqualLabels, ...]) -> None:
    released([{0: MASS}] * 3, [("mine", "three")])
    assert label_votes(cohort, case, given) == []


def test_a_vote_without_an_opinion_is_not_counted() -> None:
    released([{0: MASS}, {0: MASS}, {}], [("mine", "three")])
    assert {each["words"] for each in label_votes("mine", "f0", labels())} == {"2 of 2", "0 of 2"}


def test_the_case_view_has_the_votes_of_a_release(tmp_path: Path) -> None:
    slice_of = ("--cohort", "phantom", "--model", "phantom", "--sample", "4", "--repeats", "0")
    assert run("review", "new", "few", *slice_of, "--finding", "Mass", "--finding", "Nodule").exit_code == 0
    with closing(opened_review("few")) as database:
        case = database.review.films[0].case
        for reader, vote in enumerate([own("Mass"), own("Mass", "Nodule"), own("Nodule")]):
            for each in database.readings_of(reader):
                database.vote(reader, each.place, next_id(), vote)
    done = run("review", "release", "few", "--to", "mine", "--source", "three", "--out", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    with closing(Store()) as store:
        state = {"cohort": cohort_id("mine"), "model": model_id("mine", "phantom")}
        opened = store.case("mine", case)
        assert opened is not None
        facts = asker(store, Images())("case_facts", opened.id, state)
        shown = {(each["source"], each["finding"]): each["words"] for each in facts["votes"]}
        assert shown == {("three", "Mass"): "2 of 3: R1, R2", ("three", "Nodule"): "2 of 3: R2, R3"}
        assert {each["source"] for each in facts["labels"]} > {"three"}
