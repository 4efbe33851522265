"""What the text says and what the table says: statements of the papers, and how far their own tables bear them out."""

from __future__ import annotations

from explorer.core.csv_table import Cells
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.published.checks.statement import Statement
from explorer.published.checks.statements_2026 import statements_2026
from explorer.published.checks.statements_others import statements_2023, statements_chexpert, statements_reveal
from explorer.published.printed_table import in_order

TITLE = "What the text says and what the table says"


def all_statements() -> tuple[Statement, ...]:
    """Return every statement: 2026, 2023, CheXpert, REVEAL-CXR, each in the order of its paper."""
    return (*statements_2026(), *statements_2023(), *statements_chexpert(), *statements_reveal())


def statements() -> ResultTable:
    """Return every statement with its verdict and the numbers that decide, a table for each paper."""
    every = all_statements()
    header = ("section", "the text, in our words", "by the table", "numbers")
    grids = tuple(
        TextGrid(
            paper,
            header,
            tuple((each.section, each.says, each.verdict, each.numbers) for each in every if each.paper == paper),
        )
        for paper in in_order([each.paper for each in every])
    )
    notes = (
        "Verdicts are counted from the printed figures, so rounding may decide where two are equal. A statement that "
        "fails here may hold for figures that the paper does not print.",
    )
    return ResultTable(TITLE, notes, grids, tuple(map(_cells, every)))


def _cells(statement: Statement) -> Cells:
    return {
        "paper": statement.paper,
        "section": statement.section,
        "statement": statement.says,
        "holds": statement.holds,
        "of": statement.of,
        "verdict": statement.verdict,
        "numbers": statement.numbers,
        "tables": " ".join(statement.tables),
    }
