"""What the page asks about the reader study that a review's votes make; the review may go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from explorer.school.reviews.review_files import opened_review
from explorer.school.reviews.review_study import StudiedReview, review_study, reviewed_findings, studied_review
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal
from explorer.ui.shared.request_values import string_field
from explorer.ui.teach.study_payload import (
    FindingStudyPayload,
    StudyFilePayload,
    chosen_finding,
    sent_difference,
    study_file,
    study_payload,
)

if TYPE_CHECKING:
    from explorer.store.store import Store


class ReviewStudyCalls:
    """The script functions of a review's reader study; each returns its payload or a refusal."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def script_functions(self) -> list[Callable[[object], object]]:
        """The functions that the page may call."""
        return [self.review_study, self.review_study_file]

    def review_study(self, sent: object) -> FindingStudyPayload | RefusedPayload:
        """The reader study of a review, {name, finding}; of the first finding that has one if none is named."""

        def look() -> FindingStudyPayload:
            with self._studied(sent) as studied:
                found = reviewed_findings(studied)
                chosen = chosen_finding(sent, found)
                study = review_study(studied, chosen, self._store) if chosen else None
                command = f"python -m explorer readers --review {studied.review.name}"
            return study_payload(found, study, sent_difference(sent), None, command)

        return answer_or_refusal(look)

    def review_study_file(self, sent: object) -> StudyFilePayload | RefusedPayload:
        """The ratings of a study {name, finding, format: "csv" or "imrmc"}, as a file."""

        def write() -> StudyFilePayload:
            with self._studied(sent) as studied:
                study = review_study(studied, string_field(sent, "finding"), self._store)
            return study_file(study, string_field(sent, "format"))

        return answer_or_refusal(write)

    @contextmanager
    def _studied(self, sent: object) -> Iterator[StudiedReview]:
        with closing(opened_review(string_field(sent, "name"))) as database:
            yield studied_review(database, self._store)
