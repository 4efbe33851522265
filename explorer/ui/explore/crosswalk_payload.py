"""A taxonomy mapped to a model's findings, for the script and as a file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from explorer.cohorts.unlisted import public_name
from explorer.core.crosswalk import CrosswalkLine, crosswalk, crosswalk_csv, label_facts
from explorer.core.finding_relations import BASIS_WORDS, INVERSE, FindingRelation, stated_words
from explorer.core.findings import TAXONOMIES, ChallengeTask, Taxonomy
from explorer.core.word_lists import comma_list
from explorer.store.filter_kinds import as_word
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.slices import Slice
    from explorer.store.store import Store


class NoTaxonomy(Refusal):
    """An unknown taxonomy: `title` says that it is unknown, `detail` lists the known ones."""


class TaxonomyPayload(TypedDict):
    """A taxonomy to choose; `word` is its address word."""

    word: str
    name: str


class CrosswalkLinePayload(TypedDict):
    """A line that reads `label` `relation` `finding`; without a counterpart, one side and the relation are null.

    `facts`: definition and codes of the label; empty if the paper prints none.
    """

    label: str | None
    task: ChallengeTask | None
    facts: str
    relation: str | None
    finding: str | None
    stated_by: str
    source: str


class UnderTaxonomyPayload(TypedDict):
    """A finding: the equivalent `label`, or its relations to others, such as `narrower than Mass`.

    `facts`: definitions and codes of that label or of the related ones.
    """

    word: str
    label: str | None
    facts: str
    related: list[str]


class CrosswalkPayload(TypedDict):
    """The crosswalk, and the findings in the order of the taxonomy's labels."""

    stage: Literal["crosswalk"]
    taxonomy: str
    lines: list[CrosswalkLinePayload]
    findings: list[UnderTaxonomyPayload]


class CrosswalkFilePayload(TypedDict):
    """A file to save: its name, its media type, and its bytes in base 64."""

    stage: Literal["export"]
    name: str
    type: str
    data: str


def taxonomies_payload() -> list[TaxonomyPayload]:
    """The taxonomies to choose from."""
    return [{"word": as_word(name), "name": name} for name in TAXONOMIES]


def relations_words(store: Store, chosen: Slice) -> list[str]:
    """The relations between findings stated by the cohort and the model card, as sentences."""
    by_cohort, by_model = _stated_relations(store, chosen)
    return [
        *(f"{words}, as this cohort states." for words in stated_words(by_cohort)),
        *(f"{words}, as the card of {chosen.model} states." for words in stated_words(by_model)),
    ]


def crosswalk_payload(store: Store, chosen: Slice, word: object) -> CrosswalkPayload:
    """The taxonomy of this word mapped to the findings of the slice's model. Raises NoTaxonomy."""
    taxonomy, lines = _crosswalk(store, chosen, word)
    return {
        "stage": "crosswalk",
        "taxonomy": taxonomy.name,
        "lines": [_line(taxonomy, line) for line in lines],
        "findings": list(_findings(taxonomy, lines)),
    }


def crosswalk_file(store: Store, chosen: Slice, word: object) -> CrosswalkFilePayload:
    """The same crosswalk as CSV. Raises NoTaxonomy."""
    taxonomy, lines = _crosswalk(store, chosen, word)
    name = f"tailscope_crosswalk_{as_word(taxonomy.name)}_{public_name(chosen.cohort)}_{chosen.model}.csv"
    data = b64encode(crosswalk_csv(taxonomy, lines).encode()).decode()
    return {"stage": "export", "name": name, "type": "text/csv", "data": data}


def _crosswalk(store: Store, chosen: Slice, word: object) -> tuple[Taxonomy, tuple[CrosswalkLine, ...]]:
    known = {as_word(name): taxonomy for name, taxonomy in TAXONOMIES.items()}
    taxonomy = known.get(word) if isinstance(word, str) else None
    if taxonomy is None:
        raise NoTaxonomy("The link names an unknown taxonomy", f"Known taxonomies: {comma_list(TAXONOMIES)}.")
    findings = list(store.facets(chosen.cohort, chosen.model).findings)
    return taxonomy, crosswalk(taxonomy, findings, *_stated_relations(store, chosen))


def _stated_relations(store: Store, chosen: Slice) -> tuple[tuple[FindingRelation, ...], tuple[FindingRelation, ...]]:
    """The relations stated by the cohort, and those stated by the model."""
    return store.cohort(chosen.cohort).relations, store.model(chosen.cohort, chosen.model).relations


def _line(taxonomy: Taxonomy, line: CrosswalkLine) -> CrosswalkLinePayload:
    return {
        "label": line.label,
        "task": line.task,
        "facts": _facts(taxonomy, line.label),
        "relation": line.relation,
        "finding": line.finding,
        "stated_by": BASIS_WORDS[line.known.basis] if line.known else "",
        "source": line.known.source if line.known else "",
    }


def _findings(taxonomy: Taxonomy, lines: Sequence[CrosswalkLine]) -> Iterator[UnderTaxonomyPayload]:
    """Each finding once: equivalents in the labels' order, then related ones, then the others."""
    lines_by_finding: dict[str, list[CrosswalkLine]] = {}
    for line in lines:
        if line.finding is not None:
            lines_by_finding.setdefault(line.finding, []).append(line)
    same = {line.finding: line.label for line in lines if line.finding and line.relation == "same as"}
    others = sorted(
        (finding for finding in lines_by_finding if finding not in same),
        key=lambda each: lines_by_finding[each][0].label is None,
    )
    for finding in (*same, *others):
        related = [
            f"{INVERSE[line.relation]} {line.label}"
            for line in lines_by_finding[finding]
            if line.relation and line.label
        ]
        label = same.get(finding)
        yield {
            "word": as_word(finding),
            "label": label,
            "facts": _facts(taxonomy, label)
            if label
            else ". ".join(_related_facts(taxonomy, lines_by_finding[finding])),
            "related": [] if label else related,
        }


def _related_facts(taxonomy: Taxonomy, lines: Iterable[CrosswalkLine]) -> Iterator[str]:
    """The facts of each label related to a finding, after the label's name."""
    return (f"{line.label}: {facts}" for line in lines if (facts := _facts(taxonomy, line.label)))


def _facts(taxonomy: Taxonomy, label: str | None) -> str:
    facts = label_facts(label, taxonomy.name) if label else None
    return facts.sentence if facts else ""
