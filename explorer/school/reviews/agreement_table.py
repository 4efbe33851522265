"""How far the readers of a review agree: by finding, with the majority, in pairs, each with themselves, and where not.

Figures: Cohen's kappa of each rating with the majority, Fleiss' kappa, Gwet's AC1, with percentile intervals of 1,000
bootstraps over films, as in REVEAL-CXR (Wei et al., arXiv 2601.15129, section 3 and Table S3).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats
from explorer.core.csv_table import Cells
from explorer.core.figures import percent_text
from explorer.core.reader_study import reader_name
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import and_list, quantity
from explorer.metrics.agreement import (
    PRESENCE,
    AgreementMeasure,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    majority_of_all,
    majority_of_others,
    percent_agreement,
)
from explorer.metrics.agreement_interval import Agreement, agreement
from explorer.school.reviews.agreement_by_finding import grids_by_finding, pair_rows, reader_rows
from explorer.school.reviews.agreement_cells import agreement_cells, agreement_text
from explorer.school.reviews.ratings import VERDICT_CODES, Ratings, repeated_ratings
from explorer.school.reviews.review import PLACES, SIDES

Numbers = NDArray[np.intp]  # of films, one for each row of ratings

RESAMPLES = 1000
MAX_OPEN = 20  # films listed that need another reader
_HEADER = ("films", "agreement", "kappa with the majority", "Fleiss' kappa", "Gwet's AC1")


def agreement_table(ratings: Ratings, *, resamples: int = RESAMPLES) -> ResultTable:
    """Return the agreement of a review's readers so far; readers appear as R1, R2, ..., never by code or name."""
    by_finding = [_finding_row(ratings, place, resamples) for place in range(len(ratings.review.findings))]
    every = _row("all findings", *_pooled(ratings), resamples)
    rows = [row for row in by_finding if row["films"]]
    rows.append(every)
    if not np.isnan(ratings.verdicts).all():
        rows.append(_row("verdict", ratings.verdicts, np.arange(len(ratings.verdicts)), resamples, VERDICT_CODES))
    rows += [row for row in _site_rows(ratings, resamples) if row["films"]]
    readers = [_reader_row(ratings, reader, resamples) for reader in range(ratings.readers)]
    pairs = [_pair_row(ratings, one, other, resamples) for one, other in combinations(range(ratings.readers), 2)]
    by_finding_grid = TextGrid(
        "Agreement by finding", ("finding", "present", *_HEADER), tuple(map(_words, rows)), counts=2
    )
    grids = [
        *([by_finding_grid] if every["films"] else []),
        TextGrid(
            "Each reader",
            (
                "reader",
                "films",
                "kappa with the others",
                "kappa with the majority",
                "repeats",
                "agrees with own repeat",
            ),
            tuple(map(_reader_words, readers)),
            counts=1,
        ),
    ]
    shared = [pair for pair in pairs if pair["films"]]
    if shared:
        header = ("readers", "films", "kappa", "differ on", "most on")
        grids.append(TextGrid("Pairs of readers", header, tuple(map(_pair_words, shared)), counts=1))
    readers_by_finding, pairs_by_finding = reader_rows(ratings, resamples), pair_rows(ratings, resamples)
    grids += grids_by_finding(ratings, readers_by_finding, pairs_by_finding)
    if grid := _open_grid(ratings):
        grids.append(grid)
    title = f"Agreement in the review {ratings.review.public_name}"
    every_row = [*rows, *readers, *pairs, *readers_by_finding, *pairs_by_finding]
    return ResultTable(title, tuple(_notes(ratings, resamples)), tuple(grids), uniform(every_row))


def uniform(rows: Sequence[Cells]) -> tuple[Cells, ...]:
    """Return rows of several kinds with the columns of all, None where a row has none, as CSV needs them."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return tuple({name: row.get(name) for name in columns} for row in rows)


def _pooled(ratings: Ratings, columns: Sequence[int] | None = None) -> tuple[Floats, Numbers]:
    """Return the ratings of all findings as rows (films * findings, readers), and the film of each."""
    some = ratings.present if columns is None else ratings.present[:, columns]
    films, readers, findings = some.shape
    flat = some.transpose(0, 2, 1).reshape(films * findings, readers)
    return flat, np.repeat(np.arange(films), findings)


def _site_rows(ratings: Ratings, resamples: int) -> list[Cells]:
    """Return how far readers agree on where a finding is, over findings for which two of them say it."""
    rows = []
    for name, given, words in (("side", ratings.sides, SIDES), ("place", ratings.places, PLACES)):
        films, readers, findings = given.shape
        flat = given.transpose(0, 2, 1).reshape(films * findings, readers)
        codes = tuple(float(code) for code in range(len(words)))
        rows.append(_row(f"{name} of findings", flat, np.repeat(np.arange(films), findings), resamples, codes))
    return rows


def _finding_row(ratings: Ratings, place: int, resamples: int) -> Cells:
    name = ratings.review.findings[place]
    return _row(name, ratings.present[:, :, place], np.arange(len(ratings.present)), resamples)


def _row(name: str, given: Floats, films: Numbers, resamples: int, categories: Sequence[float] = PRESENCE) -> Cells:
    """Return one row: n films rated twice or more, and each measure with its interval."""
    twice = (~np.isnan(given)).sum(1) >= 2
    given, films = given[twice], films[twice]
    row: Cells = {"part": "finding", "name": name, "films": len(np.unique(films))}
    majority = majority_of_all(given, categories)[:, 0] if len(given) else np.empty(0)
    known = ~np.isnan(majority)
    row["present"] = float((majority[known] == 1).mean()) if known.any() and categories is PRESENCE else None
    row["ties"] = int((~known).sum())
    pairs, of_film = _with_majority(given, majority, films)
    measures: list[tuple[str, AgreementMeasure, Floats, Numbers]] = [
        ("agreement", percent_agreement, given, films),
        ("kappa_majority", cohen_kappa, pairs, of_film),
        ("fleiss", fleiss_kappa, given, films),
        ("ac1", gwet_ac1, given, films),
    ]
    for key, measure, rated, unit in measures:
        row |= agreement_cells(key, _measured(measure, rated, unit, resamples, categories))
    return row


def _with_majority(given: Floats, majority: Floats, films: Numbers) -> tuple[Floats, Numbers]:
    """Return each rating beside the majority of its row (n, 2), and its film; rows on which the readers tie are out."""
    pairs = np.stack([given, np.broadcast_to(majority[:, None], given.shape)], axis=-1).reshape(-1, 2)
    both = ~np.isnan(pairs).any(1)
    return pairs[both], np.repeat(films, given.shape[1])[both]


def _measured(
    measure: AgreementMeasure, given: Floats, films: Numbers, resamples: int, categories: Sequence[float] = PRESENCE
) -> Agreement | None:
    if not len(given):
        return None
    return agreement(measure, given, categories, resamples=resamples, unit=films)


def _reader_row(ratings: Ratings, reader: int, resamples: int) -> Cells:
    flat, films = _pooled(ratings)
    rated = ~np.isnan(flat[:, reader])
    several = ratings.readers > 1
    others = majority_of_others(flat)[:, reader] if several else np.full(len(flat), np.nan)
    every = majority_of_all(flat)[:, reader] if several else np.full(len(flat), np.nan)
    row: Cells = {
        "part": "reader",
        "name": reader_name(reader),
        "films": len(np.unique(films[rated])),
    }
    for key, majority in (("kappa_others", others), ("kappa_majority", every)):
        pair = np.stack([flat[:, reader], majority], axis=1)
        both = ~np.isnan(pair).any(1)
        row |= agreement_cells(key, _measured(cohen_kappa, pair[both], films[both], resamples))
    again, of_film = repeated_ratings(ratings, reader)
    row["repeats"] = len(np.unique(of_film))
    row |= agreement_cells("own_agreement", _measured(percent_agreement, again, of_film, resamples))
    row |= agreement_cells("own_ac1", _measured(gwet_ac1, again, of_film, resamples))
    same = [first.verdict == second.verdict for who, _, first, second in ratings.repeats if who == reader]
    row["own_verdict_agreement"] = float(np.mean(same)) if same else None
    return row


def _pair_row(ratings: Ratings, one: int, other: int, resamples: int) -> Cells:
    flat, films = _pooled(ratings, [one, other])
    both = ~np.isnan(flat).any(1)
    differ = both & (flat[:, 0] != flat[:, 1])
    findings = len(ratings.review.findings)
    counts = differ.reshape(-1, findings).sum(0)
    most = [int(place) for place in np.argsort(-counts, kind="stable")[:3] if counts[place]]
    row: Cells = {
        "part": "pair",
        "name": f"{reader_name(one)} and {reader_name(other)}",
        "films": len(np.unique(films[both])),
        "differ": int(differ.sum()),
        "labels": int(both.sum()),
        "most": ", ".join(f"{ratings.review.findings[place]} {int(counts[place])}" for place in most),
    }
    return row | agreement_cells("kappa", _measured(cohen_kappa, flat[both], films[both], resamples))


def _open_grid(ratings: Ratings) -> TextGrid | None:
    found = ratings.open_labels()
    if not found:
        return None
    rows = tuple((ratings.review.films[film].case, and_list(tied)) for film, tied in found[:MAX_OPEN])
    more = f"and {len(found) - MAX_OPEN:,} more" if len(found) > MAX_OPEN else ""
    title = f"Films that need another reader: {len(found):,}"
    return TextGrid(title, ("film", "the readers tie on"), rows, notes=(more,) if more else ())


def _notes(ratings: Ratings, resamples: int) -> list[str]:
    read = ratings.readers_of_films()
    notes = [
        f"{quantity(int((read >= 2).sum()), 'film')} of {len(read):,} with two readers or more, "
        f"{quantity(ratings.readers, 'reader')}. Square brackets: 95 % intervals of {resamples:,} bootstraps of films.",
        "Kappa with the majority compares every rating with the majority that it is part of, as REVEAL-CXR does; kappa "
        "with the others leaves the reader out. Ties are left out of both.",
    ]
    if not (read >= 2).any():
        notes.append("No film has two readers yet, so that there is no agreement to count.")
    if ratings.uncorrected:
        votes = quantity(ratings.uncorrected, "vote disagrees", "votes disagree")
        notes.append(f"{votes} without a correction: what these readers see is unknown, and counted nowhere as absent.")
    if ratings.changed:
        notes.append(
            f"{quantity(ratings.changed, 'vote was', 'votes were')} replaced by the reader: the last one counts, the "
            "earlier ones are in the exported votes."
        )
    return notes


def _words(row: Cells) -> tuple[str, ...]:
    present = "" if row["present"] is None else percent_text(float(row["present"]))
    measures = (agreement_text(row, key) for key in ("agreement", "kappa_majority", "fleiss", "ac1"))
    return (str(row["name"]), present, f"{row['films']:,}", *measures)


def _reader_words(row: Cells) -> tuple[str, ...]:
    kappas = (agreement_text(row, key) for key in ("kappa_others", "kappa_majority"))
    return (str(row["name"]), f"{row['films']:,}", *kappas, f"{row['repeats']:,}", agreement_text(row, "own_agreement"))


def _pair_words(row: Cells) -> tuple[str, ...]:
    differ = f"{row['differ']:,} of {quantity(int(row['labels'] or 0), 'label')}"
    return (str(row["name"]), f"{row['films']:,}", agreement_text(row, "kappa"), differ, str(row["most"]))
