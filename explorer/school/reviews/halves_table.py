"""The two halves of a benchmark side by side: findings, their number per film, and acquisition facts with chi-squared.

As in Figures 3 and 4 and Table S2 of REVEAL-CXR (Wei et al., arXiv 2601.15129).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.core.csv_table import Cells
from explorer.core.figures import fixed, p_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.metrics.chi_squared import chi_squared
from explorer.school.reviews.agreement_table import uniform
from explorer.school.reviews.protocols import Half, ReleasedLabels, counts_by_half
from explorer.school.reviews.review import Review

HALVES: tuple[Half, ...] = ("released", "held out")
Facts = Mapping[str, Mapping[str, str]]  # by fact, then by case


def halves_table(review: Review, released: ReleasedLabels, facts: Facts) -> ResultTable:
    """Return the halves side by side; `facts` are acquisition facts of the cohort's films, in words."""
    findings = [
        (half, name)
        for film, half in released.halves.items()
        for name, label in zip(review.findings, released.labels[film], strict=True)
        if label == 1
    ]
    numbers = [(half, str(int((released.labels[film] == 1).sum()))) for film, half in released.halves.items()]
    rows = [*_rows("finding", findings), *_rows("findings on a film", numbers)]
    balance: list[Cells] = []
    for fact, by_case in facts.items():
        values = [(half, by_case[review.films[film].case]) for film, half in released.halves.items()]
        rows += _rows(fact, values)
        balance.append(_balance(fact, values))
    grids = [
        TextGrid(
            "The two halves",
            ("fact", "value", *HALVES),
            tuple((str(row["part"]), str(row["name"]), str(row["released"]), str(row["held_out"])) for row in rows),
        ),
        TextGrid("Balance", ("fact", "chi-squared", "df", "p"), tuple(map(_balance_words, balance)), counts=3),
    ]
    title = f"Halves of the benchmark {review.public_name}"
    notes = ("Pearson's chi-squared test of the films in the two halves, without correction.",)
    return ResultTable(title, notes, tuple(grids), uniform([*rows, *balance]))


def _rows(part: str, values: Sequence[tuple[Half, str]]) -> list[Cells]:
    names, table = counts_by_half(values)
    return [
        {"part": part, "name": name, "released": int(here), "held_out": int(there)}
        for name, (here, there) in zip(names, table, strict=True)
    ]


def _balance(fact: str, values: Sequence[tuple[Half, str]]) -> Cells:
    names, table = counts_by_half(values)
    if len(names) < 2:
        return {"part": "balance", "name": fact, "chi_squared": None, "df": None, "p": None}
    found = chi_squared(table)
    return {"part": "balance", "name": fact, "chi_squared": found.statistic, "df": found.freedom, "p": found.p}


def _balance_words(row: Cells) -> tuple[str, ...]:
    if row["p"] is None:
        return (str(row["name"]), "the same on all films", "", "")
    return (str(row["name"]), fixed(float(row["chi_squared"] or 0)), str(row["df"]), p_text(float(row["p"])))
