"""The calls of Teach's *Reviews* section: reviews of this machine, a new one from a slice, and agreement."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from explorer.cohorts.layout import CACHE, cohort_folder
from explorer.cohorts.public_ids import opaque_id
from explorer.core.reader_study import reader_name
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.school.reviews.agreement_table import agreement_table
from explorer.school.reviews.new_review import BY_LABELS, BY_MODEL, NO_SUGGESTIONS, ReviewRequest, new_review
from explorer.school.reviews.protocols import PROTOCOLS
from explorer.school.reviews.ratings import ratings_of
from explorer.school.reviews.release import ReleaseRequest, release
from explorer.school.reviews.review import MAX_FILMS, MAX_READERS, ReviewRefusal, ReviewRules
from explorer.school.reviews.review_files import opened_review, review_names, reviews_folder
from explorer.school.reviews.review_status import review_status
from explorer.store.slices import films_sentence
from explorer.ui.shared.links import cohort_id, resolve_slice
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal
from explorer.ui.shared.request_values import state_in, string_field, value_in
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.images import Images
    from explorer.store.store import Store

SUGGESTS = (NO_SUGGESTIONS, BY_LABELS, BY_MODEL)


class ReviewProgressPayload(TypedDict):
    """A reader without a name: readings done, of how many; `code` opens their work."""

    reader: str
    code: str
    done: int
    readings: int


class ReviewLinePayload(TypedDict):
    """A review of this machine; `words` say how far it is, or why it cannot be read.

    `source` is a name for the readers' labels; `to` one for a copy of a shipped cohort, which is never changed.
    """

    name: str
    about: str
    suggested_from: str
    words: list[str]
    serve: str
    source: str
    to: str
    readers: list[ReviewProgressPayload]


class ReviewListPayload(TypedDict):
    """The reviews of this machine, by name; `made` is the one just made, or empty, and `notes` what it left out."""

    stage: Literal["reviews"]
    reviews: list[ReviewLinePayload]
    made: str
    notes: list[str]


class SliceToReviewPayload(TypedDict):
    """A slice of Explore to review: its films in words, their number, and the findings that can be asked about."""

    stage: Literal["slice"]
    sentence: str
    films: int
    findings: list[str]
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
    """What was released, in words; `address` opens Evaluate under the new labels."""

    stage: Literal["released"]
    words: list[str]
    address: str


class ReviewCalls:
    """Script functions of the section, each with one argument."""

    def __init__(self, store: Store, images: Images) -> None:
        self._store = store
        self._images = images

    @property
    def script_functions(self) -> list[Callable[[object], object]]:
        """The functions of the section's script."""
        return [self.reviews_listed, self.review_slice, self.review_made, self.review_agreement, self.review_released]

    def reviews_listed(self, _: object) -> ReviewListPayload | RefusedPayload:
        """The reviews of this machine."""
        return answer_or_refusal(lambda: _listed())

    def review_slice(self, sent: object) -> SliceToReviewPayload | RefusedPayload:
        """Take {state}: the films of a slice, and the findings that can be asked about."""

        def look() -> SliceToReviewPayload:
            chosen = resolve_slice(self._store, state_in(sent))
            scored = self._store.model(chosen.cohort, chosen.model).findings
            return {
                "stage": "slice",
                "sentence": films_sentence(chosen, counted=self._store.counted(chosen.cohort)),
                "films": self._store.count(chosen).films,
                "findings": [name for name in scored if name != "Normal"],
                "finding": chosen.finding if chosen.finding != "Normal" else None,
            }

        return answer_or_refusal(look)

    def review_made(self, sent: object) -> ReviewListPayload | RefusedPayload:
        """Take {state, name, readers, per_film, films, suggest, findings}: make a review of a slice's films."""

        def make() -> ReviewListPayload:
            suggest = string_field(sent, "suggest")
            if suggest not in SUGGESTS:
                raise ReviewRefusal("There is no such suggestion", "Choose nothing, labels or the model.")
            found = value_in(sent, "findings")
            findings = tuple(each for each in found if isinstance(each, str)) if isinstance(found, list) else ()
            readers = _number(sent, "readers", MAX_READERS)
            request = ReviewRequest(
                string_field(sent, "name"),
                resolve_slice(self._store, state_in(sent)),
                suggest,
                findings,
                readers,
                ReviewRules(per_film=min(_number(sent, "per_film", MAX_READERS), readers)),
                sample=_number(sent, "films", MAX_FILMS),
            )
            made = new_review(request, self._store, self._images)
            return _listed(made.review.name, made.notes)

        return answer_or_refusal(make)

    def review_agreement(self, sent: object) -> ReviewAgreementPayload | RefusedPayload:
        """Take {name}: how far the readers of a review agree."""

        def count() -> ReviewAgreementPayload:
            with closing(opened_review(string_field(sent, "name"))) as database:
                table = agreement_table(ratings_of(database.review, len(database.codes), database.votes()))
                name = database.review.name
            return {"stage": "agreement", "name": name, "notes": list(table.notes), "grids": [*map(_grid, table.grids)]}

        return answer_or_refusal(count)

    def review_released(self, sent: object) -> ReviewReleasedPayload | RefusedPayload:
        """Take {name, protocol, source, to}: make the readers' labels a source of labels, with the votes in files."""

        def go() -> ReviewReleasedPayload:
            protocol = string_field(sent, "protocol")
            if protocol not in PROTOCOLS:
                raise ReviewRefusal("There is no such protocol", "Choose one from the list.")
            wanted = ReleaseRequest(protocol, string_field(sent, "source"), string_field(sent, "to"))
            with closing(opened_review(string_field(sent, "name"))) as database:
                files = _new_folder(database.review.name)
                made = release(database, cohort_folder(database.review.cohort), wanted, files)
            labels = f"{quantity(made.labels, 'label')} of {quantity(made.films, 'film')}"
            words = f"{made.cohort} has the source {made.source}: {labels}. Labels, votes and agreement are in {files}."
            source = opaque_id(made.cohort, "labels", made.source)
            return {
                "stage": "released",
                "words": [*made.notes, words],
                "address": f"#evaluate?cohort={cohort_id(made.cohort)}&labels={source}",
            }

        return answer_or_refusal(go)


def _new_folder(name: str) -> Path:
    """A folder for a release that does not exist yet."""
    folders = (reviews_folder() / f"{name}-release-{number}" for number in count(1))
    return next(folder for folder in folders if not folder.exists())


def _listed(made: str = "", notes: tuple[str, ...] = ()) -> ReviewListPayload:
    return {"stage": "reviews", "reviews": [_line(name) for name in review_names()], "made": made, "notes": list(notes)}


def _line(name: str) -> ReviewLinePayload:
    """A review and how far it is; one that cannot be read has the reason for words."""
    try:
        with closing(opened_review(name)) as database:
            status = review_status(database)
            readers: list[ReviewProgressPayload] = [
                {"reader": reader_name(each.reader), "code": code, "done": each.done, "readings": each.readings}
                for each, code in zip(status.readers, database.codes, strict=True)
            ]
            review = database.review
            shipped = cohort_folder(review.cohort).path.parent == CACHE
    except Refusal as refusal:
        return {
            "name": name,
            "about": "",
            "suggested_from": "",
            "words": [str(refusal)],
            "serve": "",
            "source": "",
            "to": "",
            "readers": [],
        }
    return {
        "name": name,
        "about": review.about,
        "suggested_from": review.suggested_from,
        "words": list(status.sentences()),
        "serve": f"python -m explorer review serve {name}",
        "source": f"readers of {name}",
        "to": f"{review.cohort}-readers" if shipped else "",
        "readers": readers,
    }


def _grid(grid: TextGrid) -> ReviewGridPayload:
    rows = [list(row) for row in grid.rows]
    return {"title": grid.title, "header": list(grid.header), "rows": rows, "notes": list(grid.notes)}


def _number(sent: object, name: str, most: int) -> int:
    """A whole number from 1 that was sent. Raises ReviewRefusal."""
    found = value_in(sent, name)
    if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= most:
        raise ReviewRefusal("A number is out of range", f"Give a whole number from 1 to {most:,}.")
    return found
