"""Runs `where-it-fails` and returns the slices as aligned text and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from explorer.analysis.slice_discovery.discovered_slices import CandidateSource
from explorer.analysis.slice_discovery.failing_slices_csv import failing_slices_csv, marks_words
from explorer.analysis.slice_discovery.film_spectra import film_spectra
from explorer.analysis.slice_discovery.finding_films import FAILURE_KINDS, Failure
from explorer.analysis.slice_discovery.where_it_fails import FailingSlice, WhereItFails, where_it_fails
from explorer.cli.leaderboard import check_names
from explorer.cohorts.counted import CASES, Counted, cases_text
from explorer.cohorts.images import Images
from explorer.cohorts.layout import cohort_folder
from explorer.core.figures import difference_text, p_text, rate_text
from explorer.core.rates import Rate
from explorer.core.text_grid import in_columns
from explorer.core.visible_text import visible
from explorer.store.slices import sentence
from explorer.store.where_words import slice_in

SLICES_HEADER = ("slice", "films", "n+", "here", "others", "cost, points", "p adjusted")
FAILURE_TITLES: Mapping[Failure, str] = {"miss": "Misses", "false alarm": "False alarms"}
COST_METRICS: Mapping[Failure, str] = {"miss": "sensitivity", "false alarm": "specificity"}


@dataclass(frozen=True, slots=True)
class SliceSearch:
    """The options of a search for failing slices."""

    cohort: str
    model: str
    finding: str | None
    where: str
    by: CandidateSource
    images: Mapping[str, Path]


def slices_report(request: SliceSearch) -> tuple[str, str]:
    """Return text and CSV. Raises WrongName, WrongFilter, NowhereToLook, NothingToCluster, and the store's errors."""
    from explorer.store.store import Store

    with closing(Store()) as store:
        request = replace(request, model=check_names(store, request.cohort, [request.model])[0])
        chosen = slice_in(
            store, request.cohort, request.model, request.where, {"finding": request.finding}
        ).population()
        spectra = partial(film_spectra, store, Images(request.images), cohort_folder(request.cohort))
        found = where_it_fails(store, chosen, request.by, spectra=spectra)
        counted = store.counted(request.cohort)
        films_words = sentence(chosen, store.model(request.cohort, request.model).unit, counted)
        simulated = store.is_simulated(request.cohort)
        words = f"SIMULATED {CASES[counted].lower()}. {films_words}" if simulated else films_words
        return slices_as_text(found, words, counted), failing_slices_csv(chosen, found, simulated=simulated)


def slices_as_text(found: WhereItFails, films_words: str, counted: Counted = "film") -> str:
    """Return two aligned tables, headed by how the slices were found."""
    lines = [
        f"{films_words}.",
        f"Slices were chosen on half of the patients ({cases_text(found.searched, counted)}) out of {found.looks:,} "
        f"candidates; the figures are from the other half ({cases_text(found.counted, counted)}).",
    ]
    if found.made_of:
        lines.append(f"Clusters of {found.made_of}.")
    if found.left_out:
        lines.append(f"Too few {CASES[counted].lower()} or no threshold: {', '.join(found.left_out)}.")
    for failure in FAILURE_KINDS:
        rows = [each for each in found.rows if each.figures.proposal.failure == failure]
        lines += ["", f"{FAILURE_TITLES[failure]}; cost in percentage points of {COST_METRICS[failure]}"]
        lines += _table(rows, several=len(found.findings) > 1) if rows else ["No slice stood out."]
    return "\n".join(map(visible, lines)) + "\n"


def _table(rows: list[FailingSlice], *, several: bool) -> Iterator[str]:
    return in_columns([SLICES_HEADER, *(_cells(row, several=several) for row in rows)])


def _cells(row: FailingSlice, *, several: bool) -> tuple[str, ...]:
    figures = row.figures
    words = marks_words(row)
    cost = difference_text(*(100 * each for each in (figures.cost, *(figures.interval or ()))), digits=1)
    return (
        f"{row.finding}: {words}" if several else words,
        f"{row.films:,}",
        f"{row.positives:,}",
        _rate(figures.here),
        _rate(figures.rest),
        cost,
        p_text(figures.adjusted),
    )


def _rate(rate: Rate) -> str:
    return f"{rate.hits}/{rate.n} {rate_text(rate)}"
