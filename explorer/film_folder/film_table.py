"""The scores of a folder's films as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from explorer.analysis.film_report import STATES
from explorer.core.csv_safe import harmless
from explorer.film_folder.film_rows import FilmRow, RefusedFile, state_of
from models.cards.card import Card

COLUMNS = ("film", "finding", "score", "threshold", "outcome", "cautions", "not_read", "model", "use")
USE = "not for medical use"
SIMULATED = "SIMULATED"


def table_text(
    rows: Sequence[FilmRow], refused: Sequence[RefusedFile], card: Card | None, *, simulated: bool = False
) -> str:
    """A line for each film and finding, in the order in which the films came; a file that was not read has one line.

    Films are called as their visitor calls them; nothing of a header is in it. No text starts a formula.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    use = f"{SIMULATED}, {USE}" if simulated else USE
    read = [(row.source.number, line) for row in rows if card for line in _lines(row, card, use)]
    others = [(each.source.number, _refused(each)) for each in refused]
    table.writerows(line for _, line in sorted([*read, *others], key=lambda pair: pair[0]))
    return text.getvalue()


def _lines(row: FilmRow, card: Card, use: str) -> Iterator[tuple[str, ...]]:
    for finding, score in zip(card.findings, row.scores.tolist(), strict=True):
        point = card.operating_points.get(finding)
        yield (
            harmless(row.source.name),
            finding,
            f"{score:.6g}",
            "" if point is None else f"{point.threshold:.6g}",
            STATES[state_of(card, finding, score)],
            harmless(" ".join(row.cautions)),
            "",
            card.name,
            use,
        )


def _refused(each: RefusedFile) -> tuple[str, ...]:
    why = f"{each.reason}. {each.detail}".strip() if each.detail else each.reason
    return (harmless(each.source.name), "", "", "", "", "", harmless(why), "", USE)
