"""The tables of CheXpert and REVEAL-CXR, transcribed from the papers' text. The README of this folder says how."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from explorer.published import FOLDER
from explorer.published.printed_table import OwnColumn, PrintedCell, PrintedTable, Unit, in_order

CHEXPERT, REVEAL = "CheXpert", "REVEAL-CXR"
FILES: Mapping[str, str] = MappingProxyType({CHEXPERT: "chexpert_tables.csv", REVEAL: "reveal_cxr_tables.csv"})


@dataclass(frozen=True, slots=True)
class _About:
    """What a file's table is: its title, its films, what a row is, its unit, and what another model could show."""

    title: str
    films: str
    corner: str
    unit: Unit
    own: OwnColumn | None = None
    notes: tuple[str, ...] = ()


_TABLES: Mapping[tuple[str, str], _About] = MappingProxyType(
    {
        (CHEXPERT, "labeler"): _About(
            "F1 of the report labelers",
            "1,000 reports of 1,000 patients",
            "finding",
            "share",
            notes=("N/A in the paper: the NIH labeler has no such finding, or the reports have no such label.",),
        ),
        (CHEXPERT, "policies"): _About(
            "AUROC by treatment of uncertain labels",
            "200 validation studies read by 3 radiologists",
            "finding",
            "share",
            own="AUROC",
            notes=("95 % intervals are DeLong's. Each column is an ensemble of 30 checkpoints.",),
        ),
        (CHEXPERT, "prevalence"): _About(
            "Labels of the training set", "187,641 studies", "finding", "percent", own="positive labels"
        ),
        (REVEAL, "agreement"): _About(
            "Agreement of radiologists by finding",
            "681 of 1,000 sampled studies, 17 radiologists",
            "finding",
            "share",
            notes=("Each radiologist is compared with the majority. Intervals are from 1,000 bootstrap resamples.",),
        ),
        (REVEAL, "demographics"): _About("Patients of the two halves", "100 and 100 studies", "patients", "count"),
        (REVEAL, "balance"): _About(
            "Balance of the two halves, printed p values", "100 and 100 studies", "characteristic", "share"
        ),
        (REVEAL, "acquisition"): _About(
            "Acquisition of the two halves",
            "the films of 100 and 100 studies",
            "characteristic",
            "count",
            notes=("A row of manufacturers (5 holdout, 11 released) is missing: the rows of models imply it.",),
        ),
    }
)


def transcribed_tables() -> Iterator[PrintedTable]:
    """Yield the tables of CheXpert, then those of REVEAL-CXR."""
    for paper, table in _TABLES:
        yield transcribed_table(paper, table)


def transcribed_table(paper: str, table: str) -> PrintedTable:
    """Return one table of a paper. Raises KeyError for others."""
    about = _TABLES[paper, table]
    lines = [each for each in _lines(paper) if each["table"] == table]
    prefix = "chexpert" if paper == CHEXPERT else "reveal"
    return PrintedTable(
        name=f"{prefix}-{table}",
        title=about.title,
        paper=paper,
        source=lines[0]["source"].partition(", ")[2],
        films=about.films,
        corner=about.corner,
        unit=about.unit,
        rows=in_order([each["row"] for each in lines]),
        columns=in_order([each["column"] for each in lines]),
        cells={(each["row"], each["column"]): _cell(each) for each in lines},
        own=about.own,
        notes=about.notes,
    )


def _cell(line: dict[str, str]) -> PrintedCell:
    low, high = (float(line[name]) if line[name] else None for name in ("ci_low", "ci_high"))
    return PrintedCell(float(line["value"]), low, high, int(line["n"]) if line["n"] else None)


@cache
def _lines(paper: str) -> tuple[dict[str, str], ...]:
    with (FOLDER / FILES[paper]).open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))
