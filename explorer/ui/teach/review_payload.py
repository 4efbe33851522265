"""What Teach's *Reviews* section gets from the server."""

from __future__ import annotations

from typing import Literal, TypedDict


class ReviewProgressPayload(TypedDict):
    """A reader without a name: readings done, of how many; `code` opens their work."""

    reader: str
    code: str
    done: int
    readings: int


class ReviewLinePayload(TypedDict):
    """A review of this machine; `words` say how far it is, or why it cannot be read.

    `source` is a name for the readers' labels; `to` one for a copy of a shipped cohort, which is never changed. Readers
    tie on `ties` films; `waiting` of these have been given to a further reader. `suggests`: readers see labels.
    """

    name: str
    about: str
    suggested_from: str
    words: list[str]
    serve: str
    source: str
    to: str
    findings: list[str]
    suggests: bool
    ties: int
    waiting: int
    readers: list[ReviewProgressPayload]


class ReviewListPayload(TypedDict):
    """The reviews of this machine, by name; `made` is the one just made, or empty, and `notes` say what was done."""

    stage: Literal["reviews"]
    reviews: list[ReviewLinePayload]
    made: str
    notes: list[str]


class LabelSetPayload(TypedDict):
    """A label set, such as CheXpert's, whose findings can be asked about."""

    name: str
    findings: list[str]


class SliceToReviewPayload(TypedDict):
    """A slice of Explore to review: its films in words, their number, and the findings that can be asked about: those
    of its model, or of a label set.
    """

    stage: Literal["slice"]
    sentence: str
    films: int
    findings: list[str]
    label_sets: list[LabelSetPayload]
    finding: str | None


class ReviewGridPayload(TypedDict):
    """A table of texts under a header."""

    title: str
    header: list[str]
    rows: list[list[str]]
    notes: list[str]


class ReviewAgreementPayload(TypedDict):
    """How far the readers of a review agree, as tables of texts."""

    stage: Literal["agreement"]
    name: str
    notes: list[str]
    grids: list[ReviewGridPayload]


class ReviewReleasedPayload(TypedDict):
    """What was released, in words; `address` opens Evaluate under the new labels.

    `grids` have the two halves of REVEAL-CXR's procedure side by side.
    """

    stage: Literal["released"]
    words: list[str]
    grids: list[ReviewGridPayload]
    address: str
