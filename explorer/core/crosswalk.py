"""A taxonomy's labels beside the findings of a cohort: which is the same, which is broader or narrower."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from explorer.core.csv_table import csv_text
from explorer.core.data_files import data_rows
from explorer.core.finding_relations import BASES, FindingRelation, KnownRelation, Relation, relation_of
from explorer.core.finding_words import plain
from explorer.core.findings import ChallengeTask, Taxonomy

REVEAL = "REVEAL-CXR"  # the taxonomy whose paper defines its labels
NONE = "none"
COLUMNS = ("taxonomy", "task", "label", "relation", "finding", "stated_by", "source")


@dataclass(frozen=True, slots=True)
class CrosswalkLine:
    """`label` is `known.relation` `finding`. One of the two is None where it is related to nothing on the other side,
    and then nothing is `known`; `task` is the label's.
    """

    label: str | None
    task: ChallengeTask | None
    finding: str | None
    known: KnownRelation | None

    @property
    def relation(self) -> Relation | None:
        return None if self.known is None else self.known.relation


@dataclass(frozen=True, slots=True)
class LabelFacts:
    """What REVEAL-CXR says of a label: its definition in short, and its codes where it prints any."""

    definition: str
    radlex: str
    snomed_ct: str
    loinc: str

    @property
    def said(self) -> str:
        """In one line; empty where the paper prints neither."""
        codes = (("RadLex", self.radlex), ("SNOMED CT", self.snomed_ct), ("LOINC", self.loinc))
        coded = ", ".join(f"{system} {code}" for system, code in codes if code)
        return "; ".join(filter(None, (self.definition, coded)))


def crosswalk(
    taxonomy: Taxonomy,
    findings: Sequence[str],
    stated: Iterable[FindingRelation] = (),
    by_model: Iterable[FindingRelation] = (),
) -> tuple[CrosswalkLine, ...]:
    """Every label with each finding that it is related to, the same one first, and last the findings that no label is
    related to. A label without any has one line without a finding. `stated` are relations of the cohort's
    own, then come those `by_model`.
    """
    own = tuple(stated), tuple(by_model)
    lines = [line for label, task in _labels(taxonomy) for line in _of_label(label, task, findings, own)]
    met = {line.finding for line in lines}
    return (*lines, *(CrosswalkLine(None, None, finding, None) for finding in findings if finding not in met))


def crosswalk_csv(taxonomy: Taxonomy, lines: Iterable[CrosswalkLine]) -> str:
    """The crosswalk as CSV: `label` is `relation` `finding`; "none" where one of the two has no partner."""
    return csv_text(
        COLUMNS,
        (
            {
                "taxonomy": taxonomy.name,
                "task": line.task,
                "label": line.label,
                "relation": line.relation or NONE,
                "finding": line.finding,
                "stated_by": BASES[line.known.basis] if line.known else None,
                "source": line.known.source if line.known else None,
            }
            for line in lines
        ),
    )


def label_facts(label: str, taxonomy: str = REVEAL) -> LabelFacts | None:
    """What REVEAL-CXR says of a label of its own; None for any other, and for another taxonomy's of that name."""
    return _FACTS.get(plain(label)) if taxonomy == REVEAL else None


def _labels(taxonomy: Taxonomy) -> Iterator[tuple[str, ChallengeTask]]:
    yield from ((label, "seen") for label in taxonomy.seen)
    yield from ((label, "unseen") for label in taxonomy.unseen)


def _of_label(
    label: str, task: ChallengeTask, findings: Sequence[str], own: tuple[Sequence[FindingRelation], ...]
) -> list[CrosswalkLine]:
    related = [(finding, relation_of(label, finding, *own)) for finding in findings]
    lines = [CrosswalkLine(label, task, finding, known) for finding, known in related if known is not None]
    lines.sort(key=lambda line: line.relation != "same as")
    return lines or [CrosswalkLine(label, task, None, None)]


def _facts() -> Mapping[str, LabelFacts]:
    return MappingProxyType(
        {
            plain(row["label"]): LabelFacts(row["definition in short"], row["radlex"], row["snomed_ct"], row["loinc"])
            for row in data_rows("reveal_labels.csv")
        }
    )


_FACTS = _facts()
