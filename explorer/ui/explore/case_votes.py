"""Readers' votes beside the labels of a case that they made: how many of them, and who."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

import numpy as np

from explorer.analysis.cases.case_facts import EqualLabels
from explorer.core.arrays import Floats
from explorer.core.reader_study import reader_name
from explorer.core.word_lists import comma_list
from explorer.school.reviews.cohort_reviews import CohortReview, released_reviews


class LabelVotesPayload(TypedDict):
    """Readers' votes on a finding, in words: how many gave the label of this source.

    `unlabeled`: they gave it no label, as where they tie, and the words say how many hold it present.
    """

    source: str
    finding: str
    words: str
    unlabeled: bool


def label_votes(cohort: str, case: str, labels: Sequence[EqualLabels]) -> list[LabelVotesPayload]:
    """Return the votes behind the labels that readers of this machine's reviews made of a case.

    A film that a source does not label has no votes here: it may belong to a half that is held out.
    """
    found: dict[tuple[str, str], LabelVotesPayload] = {}
    for held in released_reviews(cohort):
        for source in held.sources(cohort):
            known = {name: each.label for each in labels if each.source == source for name in each.findings}
            for votes in _votes(held, case, source, known) if known else ():
                found.setdefault((source, votes["finding"]), votes)
    return list(found.values())


def _votes(held: CohortReview, case: str, source: str, known: Mapping[str, str]) -> Iterator[LabelVotesPayload]:
    review = held.ratings.review
    film = next((place for place, each in enumerate(review.films) if each.case == case), None)
    if film is None:
        return
    for place, finding in enumerate(review.findings):
        given = held.ratings.present[film, :, place]
        if (~np.isnan(given)).any():
            label = known.get(finding)
            words = _words(given, 0.0 if label == "absent" else 1.0)
            yield {"source": source, "finding": finding, "words": words, "unlabeled": label is None}


def _words(given: Floats, value: float) -> str:
    """Return how many of the votes (readers,) have a value, and which readers, unless all or none."""
    readers, of = [reader_name(int(each)) for each in np.flatnonzero(given == value)], int((~np.isnan(given)).sum())
    who = f": {comma_list(readers)}" if 0 < len(readers) < of else ""
    return f"{len(readers)} of {of}{who}"
