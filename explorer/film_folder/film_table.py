"""Writes the scores of a folder's films as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explorer.analysis.exports.film_report import STATE_WORDS
from explorer.core.csv_table import Cells, csv_text
from explorer.film_folder.film_rows import FilmRow, RefusedFile, score_state
from explorer.reading.finding_list import relations_of
from models.cards.card import Card

FILM_TABLE_COLUMNS = (
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
NOT_FOR_MEDICAL_USE = "not for medical use"
SIMULATED_WORD = "SIMULATED"


def table_text(
    rows: Sequence[FilmRow], refused: Sequence[RefusedFile], card: Card | None, *, simulated: bool = False
) -> str:
    """Return one line per film and finding, in order of arrival; a file that was not read has one line.

    Films have the visitor's names; nothing from a header is included.
    """
    use = f"{SIMULATED_WORD}, {NOT_FOR_MEDICAL_USE}" if simulated else NOT_FOR_MEDICAL_USE
    read = [(row.source.number, line) for row in rows if card for line in _lines(row, card, use)]
    others = [(each.source.number, _refused(each)) for each in refused]
    return csv_text(FILM_TABLE_COLUMNS, (line for _, line in sorted([*read, *others], key=lambda pair: pair[0])))


def _lines(row: FilmRow, card: Card, use: str) -> Iterator[Cells]:
    relations, verdicts = relations_of(card), {each.finding: each.verdict for each in row.flagged}
    for finding, score in zip(card.findings, row.scores.tolist(), strict=True):
        point = card.operating_points.get(finding)
        yield {
            "film": row.source.name,
            "finding": finding,
            "score": score,
            "threshold": None if point is None else point.threshold,
            "outcome": STATE_WORDS[score_state(card, finding, score)],
            "verdict": verdicts.get(finding),
            "relations": "; ".join(relations[finding]) or None,
            "unlike_test_films": "yes" if row.far else "no",
            "cautions": " ".join(row.cautions),
            "model": card.name,
            "use": use,
        }


def _refused(each: RefusedFile) -> Cells:
    why = f"{each.reason}. {each.detail}".strip() if each.detail else each.reason
    return {"film": each.source.name, "not_read": why, "use": NOT_FOR_MEDICAL_USE}
