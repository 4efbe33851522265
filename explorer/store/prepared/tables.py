"""The tables of a query, and the condition that selects a slice's rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.core.findings import FrequencyGroup
from explorer.core.groups import group_by_counts, group_from_source
from explorer.core.metric_plan import Grouping
from explorer.store.conditions import PairTable, Where, where
from explorer.store.cursor import Cursor
from explorer.store.prepared.film_tables import WORDS, film_facets
from explorer.store.prepared.pair_tables import PairFacts, pair_facts
from explorer.store.results import Facets
from explorer.store.slices import Slice, conditions

IN_CELLS = {"finding", "label", "source", "whole", "outcome", *WORDS}  # columns of pairs that `cells` has, too
ALONE = {*IN_CELLS, "score"}  # columns of pairs that conditions ask for without another table


@dataclass(frozen=True, slots=True)
class Tables:
    """Schemas of one version of a cohort and of a model's scores; `pairs` is the table that holds a slice's rows.

    `weighted`: films were not sampled at natural prevalence and have weights.
    """

    cohort: str
    model: str
    pairs: str
    facts: PairFacts
    facets: Facets
    weighted: bool
    places: str = ""  # the table of positions on the model's map, if a slice needs it
    other: Tables | None = None  # those of the model that a slice compares with

    @property
    def scored(self) -> tuple[str, ...]:
        """The scored findings, in the order of their numbers."""
        return self.facts.findings

    @property
    def looks(self) -> bool:
        """Whether the cohort records the appearance of any finding."""
        return any(self.facets.appearances.values())

    def where(self, chosen: Slice, source: PairTable | None = None) -> Where:
        """Return the slice's condition on `pairs`, or on other tables if given."""
        return where(conditions(chosen, self.of_group(chosen)), source or self.source)

    def where_alone(self, chosen: Slice) -> Where:
        """Return those of the slice's conditions that the model's table of pairs answers without any other."""
        return where((each for each in conditions(chosen, self.of_group(chosen)) if each.column in ALONE), self.source)

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

    def related(self, pairs: str, other: Tables) -> Tables:
        """Return a copy whose pairs are related to another model's."""
        return replace(self, pairs=pairs, other=other)

    def _group(self, finding: str, source: Grouping) -> FrequencyGroup | None:
        if source != "cohort":
            return group_from_source(finding, source)
        return group_by_counts(finding, self.facts.present[finding], self.facts.known[finding])


def described(cursor: Cursor, cohort: str, model: str, version: str) -> Tables:
    """Return the tables of these schemas together with a description of their content."""
    films, facts = film_facets(cursor, cohort), pair_facts(cursor, model)
    facets = Facets(
        version=version,
        films=films.films,
        findings=facts.films,
        of_films=films.of_films,
        appearances=films.appearances,
        label_sources=facts.label_sources,
        score=facts.score,
        several=films.several,
        uncertain=facts.uncertain,
    )
    return Tables(cohort, model, f"{model}.pairs", facts, facets, films.weighted)
