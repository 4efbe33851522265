"""The calls of Teach's *Reviews* section: reviews of this machine, a new one from a slice, and agreement."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cohorts.layout import CACHE, cohort_folder
from explorer.cohorts.public_ids import opaque_id
from explorer.core.reader_study import reader_name
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.school.reviews.adjudication import adjudicate
from explorer.school.reviews.agreement_table import agreement_table
from explorer.school.reviews.asked_findings import asked_findings, label_sets
from explorer.school.reviews.new_review import new_review_or_refusal
from explorer.school.reviews.protocols import PROTOCOLS
from explorer.school.reviews.ratings import ratings_of
from explorer.school.reviews.release import ReleaseRequest, release
from explorer.school.reviews.review import MAX_FILMS, ReviewRefusal
from explorer.school.reviews.review_files import opened_review, review_names, reviews_folder
from explorer.school.reviews.review_status import review_status
from explorer.school.reviews.vote_table import votes_csv
from explorer.store.slices import films_sentence
from explorer.ui.shared.links import cohort_id, resolve_slice
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal
from explorer.ui.shared.request_values import state_in, string_field, value_in
from explorer.ui.teach.review_payload import (
    ReviewAgreementPayload,
    ReviewGridPayload,
    ReviewLinePayload,
    ReviewListPayload,
    ReviewProgressPayload,
    ReviewReleasedPayload,
    SliceToReviewPayload,
)
from explorer.ui.teach.sent_review import review_in, strings_in, whole_number_from
from explorer.ui.teach.study_payload import StudyFilePayload
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.images import Images
    from explorer.store.store import Store


class ReviewCalls:
    """Script functions of the section, each with one argument."""

    def __init__(self, store: Store, images: Images) -> None:
        self._store = store
        self._images = images

    @property
    def script_functions(self) -> list[Callable[[object], object]]:
        """The functions of the section's script."""
        return [
            self.reviews_listed,
            self.review_slice,
            self.review_made,
            self.review_adjudicated,
            self.review_agreement,
            self.review_votes,
            self.review_released,
        ]

    def reviews_listed(self, _: object) -> ReviewListPayload | RefusedPayload:
        """The reviews of this machine."""
        return answer_or_refusal(lambda: _listed())

    def review_slice(self, sent: object) -> SliceToReviewPayload | RefusedPayload:
        """Take {state}: the films of a slice, and the findings that can be asked about."""

        def look() -> SliceToReviewPayload:
            chosen = resolve_slice(self._store, state_in(sent))
            return {
                "stage": "slice",
                "sentence": films_sentence(chosen, counted=self._store.counted(chosen.cohort)),
                "films": self._store.count(chosen).films,
                "findings": list(asked_findings(self._store, chosen)),
                "label_sets": [
                    {"name": name, "findings": list(found)} for name, found in label_sets(self._store, chosen).items()
                ],
                "finding": chosen.finding if chosen.finding != "Normal" else None,
            }

        return answer_or_refusal(look)

    def review_made(self, sent: object) -> ReviewListPayload | RefusedPayload:
        """Take {state, name, readers, per_film, films, suggest, findings, issues, order, file, label_set, anchors,
        repeats, strata}: make a review.

        `file` is {name, parts}: suggested labels, the pieces of their text. `repeats` are in percent. `strata`, if not
        empty, are numbers of films with 1, 2, ... suggested findings, such as "300, 300, 319", in place of `films`.
        """

        def make() -> ReviewListPayload:
            with review_in(sent, resolve_slice(self._store, state_in(sent))) as request:
                made = new_review_or_refusal(request, self._store, self._images)
            return _listed(made.review.name, made.notes)

        return answer_or_refusal(make)

    def review_adjudicated(self, sent: object) -> ReviewListPayload | RefusedPayload:
        """Take {name, new_reader}: give each film on which readers tie to a further reader, perhaps to an added one."""

        def give() -> ReviewListPayload:
            with closing(opened_review(string_field(sent, "name"))) as database:
                done = adjudicate(database, new_reader=value_in(sent, "new_reader") is True)
            return _listed(notes=tuple(done.sentences()))

        return answer_or_refusal(give)

    def review_agreement(self, sent: object) -> ReviewAgreementPayload | RefusedPayload:
        """Take {name}: how far the readers of a review agree."""

        def count() -> ReviewAgreementPayload:
            with closing(opened_review(string_field(sent, "name"))) as database:
                table = agreement_table(ratings_of(database.review, len(database.codes), database.votes()))
                name = database.review.name
            return {"stage": "agreement", "name": name, "notes": list(table.notes), "grids": [*map(_grid, table.grids)]}

        return answer_or_refusal(count)

    def review_votes(self, sent: object) -> StudyFilePayload | RefusedPayload:
        """Take {name}: every vote of a review, as a CSV file."""

        def write() -> StudyFilePayload:
            with closing(opened_review(string_field(sent, "name"))) as database:
                review, votes = database.review, database.votes()
            if not votes:
                raise ReviewRefusal("No reader has voted yet", "Serve the review, and give each reader their code.")
            return {"stage": "text", "name": f"votes-{review.name}.csv", "content": votes_csv(review, votes)}

        return answer_or_refusal(write)

    def review_released(self, sent: object) -> ReviewReleasedPayload | RefusedPayload:
        """Take {name, protocol, source, to, rare, select}: make the readers' labels a source, with the votes in files.

        `rare` and `select` are of REVEAL-CXR's procedure; null or empty takes the defaults.
        """

        def go() -> ReviewReleasedPayload:
            protocol = string_field(sent, "protocol")
            if protocol not in PROTOCOLS:
                raise ReviewRefusal("There is no such protocol", "Choose one from the list.")
            select = None if value_in(sent, "select") is None else whole_number_from(sent, "select", 2, MAX_FILMS)
            wanted = ReleaseRequest(
                protocol, string_field(sent, "source"), string_field(sent, "to"), strings_in(sent, "rare"), select
            )
            with closing(opened_review(string_field(sent, "name"))) as database:
                files = _new_folder(database.review.name)
                made = release(database, cohort_folder(database.review.cohort), wanted, files)
            labels = f"{quantity(made.labels, 'label')} of {quantity(made.films, 'film')}"
            words = f"{made.cohort} has the source {made.source}: {labels}. Labels, votes and agreement are in {files}."
            source = opaque_id(made.cohort, "labels", made.source)
            return {
                "stage": "released",
                "words": [*made.notes, words],
                "grids": [*map(_grid, made.halves.grids)] if made.halves else [],
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
            "findings": [],
            "suggests": False,
            "ties": 0,
            "waiting": 0,
            "readers": [],
        }
    return {
        "name": name,
        "about": review.about,
        "suggested_from": review.suggested_from,
        "words": list(status.sentences(command=False)),
        "serve": f"python -m explorer review serve {name}",
        "source": f"readers of {name}",
        "to": f"{review.cohort}-readers" if shipped else "",
        "findings": list(review.findings),
        "suggests": review.suggests,
        "ties": status.open_films,
        "waiting": status.waiting,
        "readers": readers,
    }


def _grid(grid: TextGrid) -> ReviewGridPayload:
    rows = [list(row) for row in grid.rows]
    return {"title": grid.title, "header": list(grid.header), "rows": rows, "notes": list(grid.notes)}
