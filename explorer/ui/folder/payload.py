"""The payloads of the folder panel."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Literal, TypedDict

from explorer.film_folder.film_rows import FilmRow, RefusedFile, counts_by_reason, score_state, sorted_rows
from explorer.film_folder.visitor_folder import VisitorFolder
from explorer.reading.finding_json import chosen_here_words, finding_free_payload
from explorer.reading.finding_list import FindingState
from explorer.reading.flag_verdict import FlagVerdict
from models.cards.card import Card

FILMS_PER_PAGE = 50  # films per page
MAX_REFUSED = 200  # refused files listed
MAX_REASONS = 20
MAX_FLAGGED = 6  # flagged findings listed per film


class FolderOpenedPayload(TypedDict):
    """A folder is open under `token`; `request` is the number of the script's request."""

    stage: Literal["folder"]
    token: str
    request: int | None


class FolderAcceptedPayload(TypedDict):
    """The folder accepted a call, such as to add a file or to stop."""

    stage: Literal["taken"]


class FlaggedPayload(TypedDict):
    """A finding that the model flags, and how reliable the flag is."""

    finding: str
    verdict: FlagVerdict


class FolderFilmPayload(TypedDict):
    """A film in the table; `score` and `state` belong to the finding that the table is sorted by.

    `confident` counts its flagged findings in Read's headline; none if it is `far`, unlike the test films.
    """

    number: int
    name: str
    confident: int
    far: bool
    flagged: list[FlaggedPayload]
    more: int  # flagged findings that are not listed
    score: float | None
    state: FindingState | None
    cautions: list[str]


class RefusedFilePayload(TypedDict):
    """A file that was not read; `number` if it can be opened anyway."""

    name: str
    reason: str
    detail: str
    number: int | None


class ReasonPayload(TypedDict):
    """How many files were not read for a reason."""

    reason: str
    files: int


class FolderPayload(TypedDict):
    """The folder's present state and a page of its films; `refused` are the first files that were not read.

    `expect` says how many findings the model flags on finding-free films, if measured, and which thresholds are not its
    own.
    """

    stage: Literal["shown"]
    model: str
    simulated: bool
    findings: list[str]
    thresholds: dict[str, float]
    expect: str
    expected: int
    read: int
    not_read: int
    passed_over: int
    running: bool
    seconds_left: float | None
    note: str
    kept: str
    order: str
    page: int
    pages: int
    size: int
    films: list[FolderFilmPayload]
    reasons: list[ReasonPayload]
    refused: list[RefusedFilePayload]


class LinkPayload(TypedDict):
    """The address that shows the folder in Explore."""

    stage: Literal["link"]
    link: str


class KeptPayload(TypedDict):
    """The cohort made of the folder, its number of films, and its address in Explore."""

    stage: Literal["kept"]
    name: str
    films: int
    link: str


def folder_payload(folder: VisitorFolder, order: str, page: int) -> FolderPayload:
    """The folder and one page of its films, counted from 0, ordered by a finding, "above" or "arrival".

    Films are not ordered by findings that the model cannot judge, because Read hides those scores too.
    """
    progress = folder.progress()
    rows, refused, card = folder.results()
    findings = [] if card is None else [finding for finding in card.findings if finding not in card.cannot_judge]
    order = order if order in (*findings, "above") else "arrival"
    pages = max(1, -(-len(rows) // FILMS_PER_PAGE))
    page = min(max(page, 0), pages - 1)
    shown = sorted_rows(rows, card, order)[page * FILMS_PER_PAGE : (page + 1) * FILMS_PER_PAGE]
    return {
        "stage": "shown",
        "model": "" if card is None else card.name,
        "simulated": folder.simulated,
        "findings": findings,
        "thresholds": {} if card is None else {name: point.threshold for name, point in card.operating_points.items()},
        "expect": _expect(card),
        "expected": progress.expected,
        "read": progress.read,
        "not_read": progress.refused,
        "passed_over": progress.passed_over,
        "running": progress.running,
        "seconds_left": progress.seconds_left,
        "note": progress.note,
        "kept": folder.kept,
        "order": order,
        "page": page,
        "pages": pages,
        "size": FILMS_PER_PAGE,
        "films": [_film(row, card, order) for row in shown],
        "reasons": [
            {"reason": reason, "files": files}
            for reason, files in list(counts_by_reason(refused).items())[:MAX_REASONS]
        ],
        "refused": [_refused(each) for each in refused[:MAX_REFUSED]],
    }


def pictures_payload(rows: Sequence[FilmRow], numbers: frozenset[int]) -> dict[str, str]:
    """Thumbnails of films as data URLs, by number."""
    return {
        str(row.source.number): "data:image/webp;base64," + base64.b64encode(row.picture).decode()
        for row in rows
        if row.source.number in numbers
    }


def _expect(card: Card | None) -> str:
    if card is None:
        return ""
    free = finding_free_payload(card.finding_free)
    return " ".join(filter(None, [chosen_here_words(card), free["says"] if free else ""]))


def _film(row: FilmRow, card: Card | None, order: str) -> FolderFilmPayload:
    score = None if card is None or order not in card.findings else float(row.scores[card.findings.index(order)])
    return {
        "number": row.source.number,
        "name": row.source.name,
        "confident": row.confident,
        "far": row.far,
        "flagged": [{"finding": each.finding, "verdict": each.verdict} for each in row.flagged[:MAX_FLAGGED]],
        "more": max(0, len(row.flagged) - MAX_FLAGGED),
        "score": score,
        "state": None if score is None or card is None else score_state(card, order, score),
        "cautions": list(row.cautions),
    }


def _refused(each: RefusedFile) -> RefusedFilePayload:
    number = each.source.number if each.openable else None
    return {"name": each.source.name, "reason": each.reason, "detail": each.detail, "number": number}
