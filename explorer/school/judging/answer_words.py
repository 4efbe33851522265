"""An answer and a film's truth in a few words, for learners' sheets and the class table."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.core.figures import fixed
from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.core.word_lists import and_list
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.tally import NO_FINDING, NOT_THERE
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Truth
from models.anatomy.places import PlaceGrid

PAIR_WORDS = ("the first film", "the second film")


def answer_words(answer: LearnerAnswer, places: PlaceGrid | None = None) -> str:
    """Return the answer in words, without its certainty; `places` are those of the film, None if not known."""
    if answer.findings is not None:
        return _with_sides(answer.findings) or NO_FINDING
    if answer.normal is not None:
        return "normal" if answer.normal else "not normal"
    if answer.present is not None:
        return "present" if answer.present else "absent"
    if answer.picked is not None:
        return PAIR_WORDS[answer.picked]
    if answer.point is None:
        return NOT_THERE
    x, y = answer.point
    if places is not None:
        return places.place(x, y)
    return f"{fixed(100 * x, 0)} % from the left, {fixed(100 * y, 0)} % from the top"


def truth_words(question: FilmQuestion, truth: Truth, target: str = "", most: int | None = None) -> str:
    """Return the true answer to the question in words, for use after the reveal.

    The finding that the film was chosen for comes first; findings beyond the first `most` are only counted.
    """
    if question.kind == "pair":
        return "unknown" if truth.pair is None else PAIR_WORDS[truth.pair]
    if question.kind == "normal":
        shown = _present(truth, target, most)
        return {True: "normal", False: f"not normal: {shown}", None: "unknown"}[truth.normal]
    if question.kind == "findings":
        return _present(truth, target, most)
    finding = question.finding or ""
    label = truth.labels.get(finding, "unknown")
    side = truth.sides.get(finding, "none")
    return f"{label} ({side})" if label == "present" and side != "none" else label


def _present(truth: Truth, target: str, most: int | None) -> str:
    shown = [finding for finding in truth.present if finding not in COMPATIBLE_WITH_NORMAL] or list(truth.present)
    shown.sort(key=lambda finding: finding != target)
    rest = len(shown) - (len(shown) if most is None else most)
    words = _with_sides({finding: truth.sides.get(finding, "none") for finding in shown[:most]}) or NO_FINDING
    return f"{words}, +{rest} more" if rest > 0 else words


def _with_sides(sides: Mapping[str, str]) -> str:
    return and_list([f"{finding} ({side})" if side not in ("", "none") else finding for finding, side in sides.items()])
