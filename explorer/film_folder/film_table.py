"""The scores of a folder's films as a CSV file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explorer.analysis.exports.film_report import STATES
from explorer.core.csv_table import Cells, csv_text
from explorer.film_folder.film_rows import FilmRow, RefusedFile, state_of
from explorer.reading.finding_list import relations_of
from models.cards.card import Card

COLUMNS = (
    "film",
    "finding",
    "score",
    "threshold",
    "outcome",
    "verdict",
    "relations",
    "unlike_test_films",
    "cautions",
    "not_read",
    "model",
    "use",
)
USE = "not for medical use"
SIMULATED = "SIMULATED"


def table_text(
    rows: Sequence[FilmRow], refused: Sequence[RefusedFile], card: Card | None, *, simulated: bool = False
) -> str:
    """A line for each film and finding, in the order in which the films came; a file that was not read has one line.

    Films are called as their visitor calls them; nothing of a header is in it.
    """
    use = f"{SIMULATED}, {USE}" if simulated else USE
    read = [(row.source.number, line) for row in rows if card for line in _lines(row, card, use)]
    others = [(each.source.number, _refused(each)) for each in refused]
    return csv_text(COLUMNS, (line for _, line in sorted([*read, *others], key=lambda pair: pair[0])))


def _lines(row: FilmRow, card: Card, use: str) -> Iterator[Cells]:
    relations, verdicts = relations_of(card), {each.finding: each.verdict for each in row.flagged}
    for finding, score in zip(card.findings, row.scores.tolist(), strict=True):
        point = card.operating_points.get(finding)
        yield {
            "film": row.source.name,
            "finding": finding,
            "score": score,
            "threshold": None if point is None else point.threshold,
            "outcome": STATES[state_of(card, finding, score)],
            "verdict": verdicts.get(finding),
            "relations": "; ".join(relations[finding]) or None,
            "unlike_test_films": "yes" if row.far else "no",
            "cautions": " ".join(row.cautions),
            "model": card.name,
            "use": use,
        }


def _refused(each: RefusedFile) -> Cells:
    why = f"{each.reason}. {each.detail}".strip() if each.detail else each.reason
    return {"film": each.source.name, "not_read": why, "use": USE}
