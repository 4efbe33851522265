"""The tables of a query, and the condition that selects a slice's rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from explorer.core.findings import FrequencyGroup
from explorer.core.groups import group_by_counts, group_from_source
from explorer.core.metric_plan import Grouping
from explorer.store.conditions import PairTable, Where, where
from explorer.store.filter_registry import APPEARANCE_FILTERS, FILM_FILTERS
from explorer.store.queries.cursor import Cursor
from explorer.store.results import Facets
from explorer.store.slices import Slice, conditions


@dataclass(frozen=True, slots=True)
class Cut:
    """A threshold, and whether it was chosen for its finding, rather than one number for all findings."""

    threshold: float
    chosen: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """Schemas of one version of a cohort and of a model's scores; `pairs` is the table that holds a slice's rows.

    `present` and `known` count the films labeled present, and present or absent, by scored finding. `weighted`: films
    were not sampled at natural prevalence and have weights.
    """

    cohort: str
    model: str
    pairs: str
    scored: tuple[str, ...]  # findings, in the order of the bits of `masks`
    cuts: tuple[Cut, ...]  # by number
    facets: Facets
    present: Mapping[str, int]
    known: Mapping[str, int]
    weighted: bool
    places: str = ""  # the table of positions on the model's map, if a slice needs it

    @property
    def looks(self) -> bool:
        """Whether the cohort records the appearance of any finding."""
        return any(self.facets.appearances.values())

    def where(self, chosen: Slice, source: PairTable | None = None) -> Where:
        """Return the slice's condition on `pairs`, or on other tables if given."""
        return where(conditions(chosen, self.of_group(chosen)), source or self.source)

    @property
    def source(self) -> PairTable:
        """The tables and columns that the conditions of a slice use."""
        cohort = self.cohort
        return PairTable(f"{self.model}.pairs", "film", f"{cohort}.appearances", f"{cohort}.cases", self.places)

    def of_group(self, chosen: Slice) -> list[str]:
        """Return the scored findings of the slice's frequency group."""
        return [finding for finding, group in self.groups(chosen.source).items() if group == chosen.group]

    def groups(self, source: Grouping) -> dict[str, FrequencyGroup | None]:
        """Return the frequency group of each scored finding; None if the source does not have it."""
        return {finding: self._group(finding, source) for finding in self.facets.findings}

    def mapped(self, places: str) -> Tables:
        """Return a copy with the films' positions on the model's map."""
        return replace(self, places=places)

    def related(self, pairs: str) -> Tables:
        """Return a copy whose pairs are related to another model's."""
        return replace(self, pairs=pairs)

    def _group(self, finding: str, source: Grouping) -> FrequencyGroup | None:
        if source != "cohort":
            return group_from_source(finding, source)
        return group_by_counts(finding, self.present[finding], self.known[finding])


def described(cursor: Cursor, cohort: str, model: str, scored: tuple[str, ...], version: str) -> Tables:
    """Return the tables together with a description of their content."""

    def films(statement: str) -> dict[str, int]:
        return {str(value): films for value, films in cursor.rows(statement)}

    def facet(column: str) -> dict[str, int]:
        return films(f"SELECT {column}, count(*) FROM {cohort}.cases GROUP BY 1 ORDER BY 1")

    def looks(column: str) -> dict[str, int]:
        return films(
            f"""SELECT {column}, count(DISTINCT film) FROM {cohort}.appearances WHERE {column} IS NOT NULL
            GROUP BY 1 ORDER BY 1"""
        )

    pairs = f"{model}.pairs"
    found = cursor.rows(
        f"""SELECT finding::VARCHAR, count(*), count(*) FILTER (label = 'present'),
            count(*) FILTER (label IN ('present', 'absent')) FROM {pairs} WHERE whole GROUP BY 1 ORDER BY 1"""
    )
    low, high = cursor.row(f"SELECT min(score), max(score) FROM {pairs}")
    facets = Facets(
        version=version,
        films=cursor.row(f"SELECT count(*) FROM {cohort}.cases")[0],
        findings={finding: films for finding, films, _, _ in found},
        of_films={each.column: facet(each.column) for each in FILM_FILTERS},
        appearances={each.column: looks(each.column) for each in APPEARANCE_FILTERS},
        label_sources=films(
            f"SELECT source, count(DISTINCT film) FROM {pairs} WHERE source IS NOT NULL GROUP BY 1 ORDER BY 1"
        ),
        score=None if low is None else (low, high),
    )
    return Tables(
        cohort,
        model,
        pairs,
        scored,
        tuple(Cut(*row) for row in cursor.rows(f"SELECT threshold, chosen FROM {model}.cuts ORDER BY cut")),
        facets,
        present={finding: present for finding, _, present, _ in found},
        known={finding: known for finding, _, _, known in found},
        weighted=cursor.row(f"SELECT count(weight) > 0 FROM {cohort}.cases")[0],
    )
