"""What a reader may vote, and what it means."""

from __future__ import annotations

import pytest

from explorer.school.reviews.review import ReviewFilm, ReviewRefusal, Site, Vote, checked_vote
from tests.explorer.school.reviews.made_reviews import FINDINGS
from tests.support.wording import Wording

SUGGESTED = ReviewFilm("a", "films", "a.png", ("Mass",))
BARE = ReviewFilm("b", "films", "b.png")


def test_a_vote_changes_the_suggested_findings() -> None:
    sent = {"verdict": "agree mostly", "added": ["Nodule"], "removed": ["Mass"], "certainty": 2, "note": " faint "}
    vote = checked_vote(sent, SUGGESTED, FINDINGS)
    assert vote == Vote("agree mostly", frozenset({"Nodule"}), frozenset({"Mass"}), 2, "faint")
    assert vote.findings(SUGGESTED.suggested) == {"Nodule"}
    assert checked_vote({"verdict": "agree all"}, SUGGESTED, FINDINGS).findings(("Mass",)) == {"Mass"}
    assert checked_vote({"verdict": "own findings"}, BARE, FINDINGS).findings(None) == frozenset()


def test_who_disagrees_without_a_correction_has_no_findings() -> None:
    assert checked_vote({"verdict": "disagree"}, SUGGESTED, FINDINGS).findings(("Mass",)) is None
    assert checked_vote({"verdict": "disagree", "removed": ["Mass"]}, SUGGESTED, FINDINGS).findings(("Mass",)) == set()


def test_an_uncertain_suggestion_can_be_decided_either_way_or_left() -> None:
    film = ReviewFilm("a", "films", "a.png", ("Mass",), ("Nodule",))
    for sent, seen, left in (
        ({"verdict": "agree all"}, {"Mass"}, {"Nodule"}),
        ({"verdict": "agree mostly", "added": ["Nodule"]}, {"Mass", "Nodule"}, set()),
        ({"verdict": "agree mostly", "removed": ["Nodule"]}, {"Mass"}, set()),
    ):
        vote = checked_vote(sent, film, FINDINGS)
        assert (vote.findings(film.suggested), vote.left_uncertain(film.uncertain)) == (seen, left)
    with pytest.raises(ReviewRefusal):
        checked_vote({"verdict": "disagree", "added": ["Nodule"], "removed": ["Nodule"]}, film, FINDINGS)


def test_sides_and_places_are_kept_for_findings_that_are_present() -> None:
    sites = {"Mass": {"side": "right", "place": "base"}, "Nodule": {"side": None, "place": "hilum"}}
    vote = checked_vote({"verdict": "agree mostly", "added": ["Nodule"], "sites": sites}, SUGGESTED, FINDINGS)
    assert vote.sites == {"Mass": Site("right", "base"), "Nodule": Site(None, "hilum")}
    empty = {"verdict": "agree all", "sites": {"Mass": {"side": None}}}
    assert checked_vote(empty, SUGGESTED, FINDINGS) == Vote("agree all")


@pytest.mark.parametrize(
    ("sent", "film"),
    [
        ({"verdict": "yes"}, SUGGESTED),
        ({"verdict": "own findings"}, SUGGESTED),
        ({"verdict": "agree all"}, BARE),
        ({"verdict": "agree all", "added": ["Nodule"]}, SUGGESTED),
        ({"verdict": "disagree", "added": ["Mass"]}, SUGGESTED),
        ({"verdict": "disagree", "removed": ["Nodule"]}, SUGGESTED),
        ({"verdict": "disagree", "added": ["Fracture"]}, SUGGESTED),
        ({"verdict": "disagree", "added": ["Nodule", "Nodule"]}, SUGGESTED),
        ({"verdict": "disagree", "added": "Nodule"}, SUGGESTED),
        ({"verdict": "disagree", "certainty": True}, SUGGESTED),
        ({"verdict": "disagree", "certainty": 4}, SUGGESTED),
        ({"verdict": "disagree", "note": "x" * 501}, SUGGESTED),
        ({"verdict": "disagree", "note": "two\nlines"}, SUGGESTED),
        ({"verdict": "agree all", "sites": {"Nodule": {"side": "left"}}}, SUGGESTED),
        ({"verdict": "disagree", "sites": {"Mass": {"side": "left"}}}, SUGGESTED),
        ({"verdict": "agree all", "sites": {"Mass": {"side": "up"}}}, SUGGESTED),
        ({"verdict": "agree all", "sites": {"Mass": {"place": 1}}}, SUGGESTED),
        ({"verdict": "agree all", "sites": {"Mass": {"size": 1}}}, SUGGESTED),
        ({"verdict": "agree all", "sites": {"Mass": {}}}, SUGGESTED),
        ({"verdict": "agree all", "sites": ["Mass"]}, SUGGESTED),
    ],
)
def test_a_vote_that_contradicts_itself_or_the_film_is_refused(
    sent: dict[str, object], film: ReviewFilm, wording: Wording
) -> None:
    with pytest.raises(ReviewRefusal) as caught:
        checked_vote(sent, film, FINDINGS)
    assert caught.value.status == 400
    wording(caught.value)
