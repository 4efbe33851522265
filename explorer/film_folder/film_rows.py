"""What is stored about each film of a folder: a compact result of the model, or the reason it was not read."""

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

NORMAL_FINDING = "Normal"


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file that may be a film: its number in order of arrival, the visitor's name for it, and its stored file."""

    number: int
    name: str
    file: str = ""  # relative to the folder's films; empty if not stored


@dataclass(frozen=True, slots=True)
class FlaggedFinding:
    """A finding that the model flags, and how reliable the flag is."""

    finding: str
    verdict: FlagVerdict


@dataclass(frozen=True, slots=True, eq=False)
class FilmRow:
    """A film that was read: scores (findings,) in the order of the card, and features (d,).

    `flagged` are the findings that Read lists above their threshold, in its order, with their verdicts. `far`: the film
    is unlike the test films.
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
        """How many findings are listed in Read's headline."""
        return sum(each.verdict in HEADLINE_VERDICTS for each in self.flagged)


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that was not read; `openable` if it is a film that the gate refused."""

    source: FolderFile
    reason: str
    detail: str = ""
    openable: bool = False


def reading_scores(reading: Reading) -> NDArray[np.float32]:
    """Return the scores (findings,) of a reading in the order of its card."""
    by_finding = {row.finding: row.score for row in reading.rows}
    return np.array([by_finding[finding] for finding in reading.card.findings], dtype=np.float32)


def flagged_findings(rows: Iterable[FindingRow], *, far: bool) -> tuple[FlaggedFinding, ...]:
    """Return the findings that Read lists above their threshold, in the order of the rows, without Normal.

    On a film that is `far` from the test films, it is unknown how often a flag is right.
    """
    return tuple(
        FlaggedFinding(row.finding, "not known" if far and row.verdict != "unreliable" else row.verdict)
        for row in rows
        if row.verdict and row.finding != NORMAL_FINDING
    )


def score_state(card: Card, finding: str, score: float) -> FindingState | None:
    """Return the state that the page shows for a score; see `FindingRow.state`."""
    point, judged = card.operating_points.get(finding), finding not in card.cannot_judge
    threshold = None if point is None else point.threshold
    return FindingRow(finding, score, threshold, judged=judged, band=card.bands.get(finding)).state


def counts_by_reason(refused: Iterable[RefusedFile]) -> dict[str, int]:
    """Return the number of files for each reason, most frequent first."""
    return dict(Counter(each.reason for each in refused).most_common())


def sorted_rows(rows: Sequence[FilmRow], card: Card | None, order: str) -> list[FilmRow]:
    """Sort by a finding's score, or for "above" by findings in the headline, then by all flagged; else by arrival."""
    if order == "above":
        return sorted(rows, key=lambda row: (-row.confident, -len(row.flagged), row.source.number))
    if card is not None and order in card.findings:
        place = card.findings.index(order)
        return sorted(rows, key=lambda row: (-float(row.scores[place]), row.source.number))
    return sorted(rows, key=lambda row: row.source.number)
