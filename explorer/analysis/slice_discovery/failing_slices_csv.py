"""Writes the slices where a model fails as CSV, one row per slice."""

from __future__ import annotations

from explorer.analysis.slice_discovery.where_it_fails import FailingSlice, WhereItFails
from explorer.cohorts.unlisted import public_name
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells, csv_text, rate_cells
from explorer.core.figures import percent_text
from explorer.store.slices import Slice

SLICE_COLUMNS = (
    "films",
    "cohort",
    "model",
    "finding",
    "failure",
    "slice",
    "slice_n",
    "slice_n_positive",
    *(f"{side}{part}" for side in ("rate", "rate_others") for part in ("", "_95_low", "_95_high", "_n")),
    "cost",
    "cost_95_low",
    "cost_95_high",
    "p",
    "p_adjusted",
    "looks",
)


def failing_slices_csv(chosen: Slice, found: WhereItFails, *, simulated: bool) -> str:
    """Return the slices as CSV; rates and costs are fractions. Each row says whether films are simulated."""
    films: Cells = {"films": "SIMULATED" if simulated else "real"}
    return csv_text(SLICE_COLUMNS, (films | _cells(chosen, found, each) for each in found.rows))


def marks_words(row: FailingSlice) -> str:
    """Describe a cluster with its overrepresented facets: `Cluster 3: AP films 94 % (others 41 %)`."""
    marks = "; ".join(
        f"{each.films} {percent_text(each.here.value or 0)} (others {percent_text(each.rest.value or 0)})"
        for each in row.marks
    )
    return f"{row.words}: {marks}" if marks else row.words


def _cells(chosen: Slice, found: WhereItFails, row: FailingSlice) -> Cells:
    low, high = row.figures.interval or (None, None)
    return {
        "cohort": public_name(chosen.cohort),
        "model": chosen.model,
        "finding": row.finding,
        "failure": row.figures.proposal.failure,
        "slice": marks_words(row),
        "slice_n": row.films,
        "slice_n_positive": row.positives,
        **rate_cells("rate", row.figures.here),
        **rate_cells("rate_others", row.figures.rest),
        "cost": or_none(row.figures.cost),
        "cost_95_low": low,
        "cost_95_high": high,
        "p": or_none(row.figures.p),
        "p_adjusted": or_none(row.figures.adjusted),
        "looks": found.looks,
    }
