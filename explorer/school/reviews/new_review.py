"""Makes a review from a slice of a cohort: its films, suggested labels, sequences and codes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.label_issues.rules import label_issues
from explorer.cohorts.unlisted import public_name
from explorer.core.word_lists import quantity
from explorer.school.classroom.join_code import new_code
from explorer.school.reviews.allocation import allocated
from explorer.school.reviews.asked_findings import asked_findings, unsuggested_note
from explorer.school.reviews.review import Review, ReviewFilm, ReviewRefusal, ReviewRules
from explorer.school.reviews.review_database import make_review
from explorer.school.reviews.review_files import review_file
from explorer.school.reviews.suggested import (
    Suggested,
    stratified,
    suggested_by_file,
    suggested_by_labels,
    suggested_by_model,
    unnamed_note,
    with_suggestions,
)
from explorer.store.slices import Slice, films_sentence
from explorer.tabular.problems import Refused

if TYPE_CHECKING:
    from explorer.cohorts.images import Images
    from explorer.store.store import Store

MAX_ISSUES = 2_000  # of each rule
NO_SUGGESTIONS, BY_LABELS, BY_MODEL = "none", "labels", "model"


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """What to review: the films of a slice, or of its label issues (`issues`), with suggested labels.

    `suggest` is `none`, `model`, `labels`, `labels:SOURCE`, or the path of a file. `findings`, or the labels of the
    taxonomy `label_set`, are those that readers may name, by default the model's. `strata` draws films by their number
    of suggested findings, `sample` draws so many; both None: all films.
    """

    name: str
    chosen: Slice
    suggest: str = NO_SUGGESTIONS
    findings: tuple[str, ...] = ()
    readers: int = 3
    rules: ReviewRules = ReviewRules()
    issues: bool = False
    sample: int | None = None
    strata: tuple[int, ...] = ()
    label_set: str = ""

    @property
    def by_labels(self) -> bool:
        """Whether labels of the cohort, or of one of its sources, are suggested."""
        return self.suggest == BY_LABELS or self.suggest.startswith(f"{BY_LABELS}:")

    @property
    def source(self) -> str | None:
        """The source of the labels that are suggested; None for those that count by default."""
        return self.suggest.partition(":")[2] or self.chosen.label_source


@dataclass(frozen=True, slots=True)
class MadeReview:
    """A review as made: the code of each reader, how many films each got, and notes on what was left out."""

    review: Review
    codes: tuple[str, ...]
    shares: tuple[int, ...]
    notes: tuple[str, ...]


def new_review(request: ReviewRequest, store: Store, images: Images) -> MadeReview:
    """Make a review and store it. Raises ReviewRefusal, WrongInput, FailedChecks, and the store's errors."""
    file = review_file(request.name)
    if file.exists():
        raise ReviewRefusal(f"There is already a review {request.name}", "Choose another name, or delete it.")
    cohort = store.cohort(request.chosen.cohort)
    findings = asked_findings(store, request.chosen, request.findings, request.label_set)
    films, notes = _films(store, images, request)
    suggested = _suggested(store, request, [film.case for film in films], findings)
    if suggested is not None:
        if request.suggest != BY_MODEL and not request.by_labels:
            films = [film for film in films if film.case in suggested]  # a file may name fewer films than the slice
            notes = (*notes, *unnamed_note(suggested, films, findings))
        films = list(with_suggestions(films, suggested))
        notes = (*notes, *_unsuggested(store, request, findings))
        if request.rules.order == "helpful" and request.suggest != BY_MODEL:
            films, unsure = _with_doubts(store, request, films, findings)
            notes = (*notes, *unsure)
    if request.strata:
        if suggested is None:
            raise ReviewRefusal(
                "Films cannot be drawn by strata", "Strata count suggested findings: suggest labels, too (--suggest)."
            )
        drawn, lacking = stratified(films, request.strata, request.rules.seed)
        films, notes = list(drawn), (*notes, *lacking)
    elif request.sample is not None:
        picked = np.random.default_rng([request.rules.seed, len(films)]).permutation(len(films))[: request.sample]
        films = [films[int(each)] for each in sorted(picked)]
    sequences = allocated(len(films), request.readers, request.rules)
    review = Review(
        name=request.name,
        cohort=cohort.name,
        about=_about(store, request),
        suggested_from="" if suggested is None else _suggested_from(request),
        simulated=cohort.simulated,
        findings=findings,
        rules=request.rules,
        films=tuple(films),
        model=request.chosen.model,
        by_model=request.issues or request.chosen.needs_model,
    )
    codes: list[str] = []
    while len(codes) < request.readers:
        if (code := new_code()) not in codes:
            codes.append(code)
    make_review(file, review, sequences, codes)
    return MadeReview(review, tuple(codes), tuple(map(len, sequences)), notes)


def new_review_or_refusal(request: ReviewRequest, store: Store, images: Images) -> MadeReview:
    """Like `new_review`, but problems of a file of suggested labels are a ReviewRefusal, without the file's folder."""
    try:
        return new_review(request, store, images)
    except Refused as refused:
        words = str(refused).replace(f"{Path(request.suggest).parent}{os.sep}", "")
        raise ReviewRefusal("These labels cannot be suggested", words) from refused


def _films(store: Store, images: Images, request: ReviewRequest) -> tuple[list[ReviewFilm], tuple[str, ...]]:
    """Return the request's films that have an image here, and notes on the others."""
    names = list(store.patients(request.chosen.cohort))
    if request.issues:
        rules = label_issues(store, request.chosen, limit=MAX_ISSUES)
        doubted = {case for rule in rules for issue in rule.issues for case in issue.cases}
        cases: Sequence[str] = [case for case in names if case in doubted]
    else:
        cases = [names[int(number)] for number in store.films(request.chosen)]
    if not cases:
        raise ReviewRefusal("There is nothing to review", "The slice has no films. Widen it.")
    lines = store.cases(request.chosen.cohort, cases)
    here = [ReviewFilm(line.case, line.root, line.file) for line in lines if images.film(line.root, line.file)]
    lacking = len(lines) - len(here)
    if not here:
        root = next((line.root for line in lines if line.root), None) or "NAME"
        raise ReviewRefusal(
            f"The images of {request.chosen.cohort} are not on this machine",
            f"Readers need the films. Give their folder with --images {root}=DIR.",
        )
    note = f"{quantity(lacking, 'film is', 'films are')} left out: the image is not on this machine."
    return here, (note,) if lacking else ()


def _suggested(store: Store, request: ReviewRequest, cases: Sequence[str], findings: Sequence[str]) -> Suggested | None:
    cohort, suggest = request.chosen.cohort, request.suggest
    if suggest == NO_SUGGESTIONS:
        return None
    if suggest == BY_MODEL:
        return suggested_by_model(store, cohort, request.chosen.model, cases, findings)
    if request.by_labels:
        return suggested_by_labels(store, cohort, request.source, cases, findings)
    return suggested_by_file(Path(suggest), list(store.patients(cohort)), findings)


def _unsuggested(store: Store, request: ReviewRequest, findings: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the findings that the model or the labels do not list; a file may name any."""
    cohort = request.chosen.cohort
    if request.suggest == BY_MODEL:
        listed: Sequence[str] = store.model(cohort, request.chosen.model).findings
    elif request.by_labels:
        known = store.labels(cohort, request.source)
        listed = [known.findings[int(place)] for place in np.flatnonzero((known.labels >= 0).any(axis=0))]
    else:
        return ()
    return unsuggested_note(_suggested_from(request), listed, findings)


def _with_doubts(
    store: Store, request: ReviewRequest, films: Sequence[ReviewFilm], findings: Sequence[str]
) -> tuple[list[ReviewFilm], tuple[str, ...]]:
    """Return the films with their doubts, and a note if the model calls nothing."""
    chosen = request.chosen
    try:
        called = suggested_by_model(store, chosen.cohort, chosen.model, [film.case for film in films], findings)
    except ReviewRefusal as refusal:
        return list(films), (f"Unread films come in random order: {refusal.title}. {refusal.detail}",)
    return [
        replace(film, doubt=len((set(called[film.case].present) ^ set(film.suggested or ())) - set(film.uncertain)))
        if film.case in called
        else film
        for film in films
    ], ()


def _suggested_from(request: ReviewRequest) -> str:
    if request.suggest == BY_MODEL:
        return f"{request.chosen.model} above its thresholds"
    if request.by_labels:
        return f"labels of {request.source}" if request.source else "labels of the cohort"
    return f"the file {Path(request.suggest).name}"


def _about(store: Store, request: ReviewRequest) -> str:
    films = films_sentence(request.chosen, counted=store.counted(request.chosen.cohort))
    return f"Label issues in {public_name(request.chosen.cohort)}: {films}" if request.issues else films
