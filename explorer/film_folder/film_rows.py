"""What is kept of each film of a folder: what the model says of it, in little room, or why it says nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.reading.finding_list import FindingRow, FindingState
from explorer.reading.flag_verdict import HEADLINE_VERDICTS, FlagVerdict
from explorer.reading.reader import Reading
from models.cards.card import Card
from models.films.film import View

NORMAL = "Normal"


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file that may be a film: its place among those that came, what its visitor calls it, and where it lies."""

    number: int
    name: str
    file: str = ""  # below the folder's films; empty where it is not kept


@dataclass(frozen=True, slots=True)
class FlaggedFinding:
    """A finding that the model flags, and how far that is to be believed."""

    finding: str
    verdict: FlagVerdict


@dataclass(frozen=True, slots=True, eq=False)
class FilmRow:
    """A film that was read: scores (findings,) in the order of the card, and features (d,).

    `flagged` are the findings that Read lists as above their threshold, in its order, with its verdict on each. `far`:
    the film is unlike the test films.
    """

    source: FolderFile
    scores: NDArray[np.float32]
    features: NDArray[np.float32]
    flagged: tuple[FlaggedFinding, ...]
    far: bool
    cautions: tuple[str, ...]
    view: View
    size: tuple[int, int]  # height, width
    picture: bytes  # WebP

    @property
    def confident(self) -> int:
        """How many findings stand in Read's headline."""
        return sum(each.verdict in HEADLINE_VERDICTS for each in self.flagged)


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that was not read; `openable` where it is a film that the gate refused."""

    source: FolderFile
    reason: str
    detail: str = ""
    openable: bool = False


def scores_of(reading: Reading) -> NDArray[np.float32]:
    """The scores (findings,) of a reading in the order of its card."""
    by_finding = {row.finding: row.score for row in reading.rows}
    return np.array([by_finding[finding] for finding in reading.card.findings], dtype=np.float32)


def flagged(rows: Iterable[FindingRow], *, far: bool) -> tuple[FlaggedFinding, ...]:
    """The findings that Read lists as above their threshold, in the order of the rows; Normal is none.

    How often a flag is right on a film that is `far` from the test films is not known.
    """
    return tuple(
        FlaggedFinding(row.finding, "not known" if far and row.verdict != "unreliable" else row.verdict)
        for row in rows
        if row.verdict and row.finding != NORMAL
    )


def state_of(card: Card, finding: str, score: float) -> FindingState | None:
    """What the page says of a score: see `FindingRow.state`."""
    point, judged = card.operating_points.get(finding), finding not in card.cannot_judge
    threshold = None if point is None else point.threshold
    return FindingRow(finding, score, threshold, judged=judged, band=card.bands.get(finding)).state


def counted(refused: Iterable[RefusedFile]) -> dict[str, int]:
    """How many files for each reason, the most frequent one first."""
    return dict(Counter(each.reason for each in refused).most_common())


def sorted_rows(rows: Sequence[FilmRow], card: Card | None, order: str) -> list[FilmRow]:
    """By a finding's score, or "above" by the findings in Read's headline, then all flagged ones; else as they came."""
    if order == "above":
        return sorted(rows, key=lambda row: (-row.confident, -len(row.flagged), row.source.number))
    if card is not None and order in card.findings:
        place = card.findings.index(order)
        return sorted(rows, key=lambda row: (-float(row.scores[place]), row.source.number))
    return sorted(rows, key=lambda row: row.source.number)
