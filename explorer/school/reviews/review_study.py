"""A review as a reader study of one finding: its readers' votes, and the scores of the cohort's models.

The truth is a source of labels that these readers did not make: the labels that count in the cohort, or a named source.
A majority of the other readers would be another truth for each reader, and their AUROC could not be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer.core.arrays import Floats
from explorer.core.reader_study import ReaderRating, reader_name
from explorer.core.word_lists import comma_list
from explorer.school.classroom.class_study import ALONE
from explorer.school.classroom.finding_study import FindingStudy, StudiedFinding, complete_finding_study, left_out_words
from explorer.school.reviews.graded_ratings import graded_ratings
from explorer.school.reviews.ratings import Ratings, ratings_of
from explorer.school.reviews.review import Review, ReviewRefusal
from explorer.school.reviews.review_database import ReviewDatabase
from explorer.store.names import models_named

if TYPE_CHECKING:
    from explorer.store.store import Store

SUGGESTED = "with suggestions"


@dataclass(frozen=True, slots=True, eq=False)
class StudiedReview:
    """A review's ratings beside the truth (films, findings): 1, 0 or NaN; `labels` says in words whose truth it is."""

    ratings: Ratings
    truth: Floats
    labels: str

    @property
    def review(self) -> Review:
        return self.ratings.review


def studied_review(database: ReviewDatabase, store: Store, source: str | None = None) -> StudiedReview:
    """Return a review with the labels of a source, by default those that count in its cohort.

    Raises ReviewRefusal if these labels are the readers' own, or label none of its films; and NoCohort.
    """
    review = database.review
    _refuse_own_labels(database, store, source)
    known, labels = store.labels(review.cohort, source), _labels_of(review, source)
    numbers = {case: number for number, case in enumerate(store.patients(review.cohort))}
    films = [place for place, film in enumerate(review.films) if film.case in numbers]
    asked = [place for place, name in enumerate(review.findings) if name in known.findings]
    truth = np.full((len(review.films), len(review.findings)), np.nan)
    if films and asked:
        rows = np.array([numbers[review.films[place].case] for place in films])
        columns = np.array([known.findings.index(review.findings[place]) for place in asked])
        there = known.labels[np.ix_(rows, columns)].astype(np.float64)
        truth[np.ix_(films, asked)] = np.where(there < 0, np.nan, there)
    if np.isnan(truth).all():
        raise ReviewRefusal(f"{labels} cover none of these films", "Choose another source of labels.")
    return StudiedReview(
        ratings_of(review, len(database.codes), database.votes()), truth, labels[0].lower() + labels[1:]
    )


def reviewed_findings(studied: StudiedReview) -> tuple[StudiedFinding, ...]:
    """Return the findings of a review, those rated on most films first."""
    found = [_counted(studied, place) for place in range(len(studied.review.findings))]
    return tuple(sorted(found, key=lambda each: (bool(each.why_not), -min(each.present, each.absent), each.finding)))


def review_study(studied: StudiedReview, finding: str, store: Store, models: Sequence[str] = ()) -> FindingStudy:
    """Return the reader study of a finding, beside models of the cohort: by default the one of the review's slice.

    Raises ReviewRefusal if the review does not ask about it, ClassRefusal if no study can be made of the votes, and
    WrongName for a model that did not score the cohort.
    """
    review = studied.review
    if finding not in review.findings:
        raise ReviewRefusal(f"The review has no finding {finding!r}", f"It asks about {comma_list(review.findings)}.")
    place, graded = review.findings.index(finding), graded_ratings(studied.ratings, finding)
    cases = [film.case for film in review.films]
    modality = SUGGESTED if review.suggests else ALONE
    ratings = [
        ReaderRating(reader_name(reader), cases[film], modality, float(graded.values[film, reader]))
        for film, reader in zip(*map(np.ndarray.tolist, np.nonzero(~np.isnan(graded.values))), strict=True)
    ]
    truth = {
        case: int(label) for case, label in zip(cases, studied.truth[:, place].tolist(), strict=True) if label == label
    }
    scores = _scores(store, review, finding, list(truth), models)
    study, left = complete_finding_study(_counted(studied, place), ratings, truth, scores, "readers")
    notes = [*graded.sentences(), *_notes(studied), *left_out_words(left)]
    if not scores:
        notes.append("No model that is compared scored this finding.")
    return FindingStudy(review.name, finding, study, left, tuple(notes))


def _counted(studied: StudiedReview, place: int) -> StudiedFinding:
    finding = studied.review.findings[place]
    rated, truth = ~np.isnan(graded_ratings(studied.ratings, finding).values), studied.truth[:, place]
    rated &= ~np.isnan(truth)[:, None]
    labels = truth[rated.any(1)]
    return StudiedFinding(finding, int((labels == 1).sum()), int((labels == 0).sum()), int(rated.any(0).sum()))


def _scores(
    store: Store, review: Review, finding: str, cases: list[str], models: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Return the scores of the models that scored a finding, by model and case. Raises WrongName."""
    cohort = review.cohort
    numbers = {case: number for number, case in enumerate(store.patients(cohort))}
    films = np.array([numbers[case] for case in cases], dtype=np.intp)
    there = store.models(cohort)
    usual = [each for each in there if each.model == review.model]
    found = {
        each.model: store.scores(cohort, each.model, [finding], films)[0].tolist()
        for each in (models_named(store, cohort, models) if models else usual or there)
        if finding in each.findings
    }
    return {
        model: {case: score for case, score in zip(cases, scores, strict=True) if score == score}
        for model, scores in found.items()
    }


def _notes(studied: StudiedReview) -> Iterator[str]:
    review = studied.review
    yield f"Films: {review.about}. Truth: {studied.labels}."
    if review.by_model:
        yield f"These films were chosen by what {review.model} says of them, so they do not show how good it is."
    if (seen := review.suggested_from).startswith("labels"):
        yield f"Readers saw suggestions, {seen}. If these are the truth here, readers look better than they are."
    elif seen:
        yield f"Readers saw suggestions, {seen}: their ratings are not independent of these."


def _labels_of(review: Review, source: str | None) -> str:
    return f"The labels of {source} in {review.cohort}" if source else f"The labels that count in {review.cohort}"


def own_sources(database: ReviewDatabase, cohort: str) -> frozenset[str]:
    """Return the sources of labels that a review's readers made in a cohort, by release or by the usual name."""
    made = {source for name, source in database.releases() if name == cohort}
    return frozenset(made | {f"readers of {database.review.name}"})


def _refuse_own_labels(database: ReviewDatabase, store: Store, source: str | None) -> None:
    cohort = database.review.cohort
    counts = source or store.default_source(cohort)
    own = sorted(each for each in own_sources(database, cohort) if (store.labels(cohort, each).labels >= 0).any())
    if counts in own or (counts is None and own):
        raise ReviewRefusal(
            f"Labels of {cohort} come from these readers themselves: {comma_list(own)}",
            "Readers cannot be judged by their own labels. Name another source of labels (--labels).",
        )
