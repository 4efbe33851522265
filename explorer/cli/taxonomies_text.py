"""The text and CSV that `taxonomies` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from explorer.cohorts import layout
from explorer.cohorts.listing import check_cohort
from explorer.cohorts.manifest import read_manifest, read_model_manifest
from explorer.cohorts.own_findings import cohort_findings
from explorer.core.crosswalk import NO_PARTNER, CrosswalkLine, crosswalk, crosswalk_csv, label_facts
from explorer.core.finding_relations import BASIS_WORDS, FindingRelation
from explorer.core.finding_words import plain
from explorer.core.findings import TASKS, TAXONOMIES, Taxonomy
from explorer.core.text_grid import TextGrid, aligned
from explorer.core.visible_text import visible_name
from explorer.core.word_lists import suggestion
from models.refusal import Refusal


class WrongTaxonomy(Refusal):
    """An unknown taxonomy: `title` says which, `detail` suggests others."""


_Relations = tuple[FindingRelation, ...]


def listed_taxonomies() -> str:
    """Return one line per taxonomy: its name and number of labels."""
    rows = tuple((each.name, str(len(each.seen)), str(len(each.unseen) or "")) for each in TAXONOMIES.values())
    return "\n".join(aligned(TextGrid("", ("taxonomy", "labels", "unseen in training"), rows))) + "\n"


def crosswalk_in(output: Literal["text", "csv"], name: str, cohort: str | None) -> str:
    """Return the crosswalk of a taxonomy and a cohort's findings, labeled or scored.

    Raises WrongTaxonomy, NoCohort, DamagedCohort.
    """
    taxonomy = _named(name)
    findings, *stated = _findings(cohort)
    lines = crosswalk(taxonomy, findings, *stated)
    if output == "csv":
        return crosswalk_csv(taxonomy, lines)
    grid = TextGrid("", ("label", "is", "finding", "stated by", "where"), tuple(_cells(line) for line in lines))
    heading = f"{taxonomy.name} and the findings of {cohort or 'CXR-LT 2026'}"
    return "\n".join([heading, "", *map(visible_name, aligned(grid)), *_facts(taxonomy)]) + "\n"


def _named(name: str) -> Taxonomy:
    found = next((each for each in TAXONOMIES.values() if plain(each.name) == plain(name)), None)
    if found is None:
        raise WrongTaxonomy(f"Unknown taxonomy {name!r}", suggestion(name, TAXONOMIES))
    return found


def _findings(cohort: str | None) -> tuple[tuple[str, ...], _Relations, _Relations]:
    """Return a cohort's findings, and the relations that its map.toml and its models' cards state."""
    if cohort is None:
        return (*TASKS["seen"], *TASKS["unseen"]), (), ()
    folder = layout.cohort_folder(cohort)
    check_cohort(folder)
    by_model = [each for name in folder.models() for each in read_model_manifest(folder.model(name)).relations]
    return cohort_findings(folder), read_manifest(folder.manifest).relations, tuple(dict.fromkeys(by_model))


def _cells(line: CrosswalkLine) -> tuple[str, ...]:
    known = line.known
    stated, where = (BASIS_WORDS[known.basis], known.source) if known else ("", "")
    return line.label or "-", line.relation or NO_PARTNER, line.finding or "-", stated, where


def _facts(taxonomy: Taxonomy) -> Iterator[str]:
    """Yield definitions and codes of the labels, if a paper prints them."""
    facts_by_label = {label: label_facts(label, taxonomy.name) for label in taxonomy.seen}
    sentences = [(label, facts.sentence) for label, facts in facts_by_label.items() if facts and facts.sentence]
    if sentences:
        yield ""
        yield from (f"{label}: {words}" for label, words in sentences)
