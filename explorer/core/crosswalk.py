"""Relates a taxonomy's labels to the findings of a cohort: equal, broader or narrower."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from explorer.core.csv_table import csv_text
from explorer.core.data_files import data_rows
from explorer.core.finding_relations import BASIS_WORDS, FindingRelation, KnownRelation, Relation, relation_of
from explorer.core.finding_words import plain
from explorer.core.findings import ChallengeTask, Taxonomy

REVEAL = "REVEAL-CXR"  # the taxonomy whose paper defines its labels
NO_PARTNER = "none"
CROSSWALK_COLUMNS = ("taxonomy", "task", "label", "relation", "finding", "stated_by", "source")


@dataclass(frozen=True, slots=True)
class CrosswalkLine:
    """`label` is `known.relation` `finding`. Without a partner, the other side and `known` are None.

    `task` is the label's task.
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
    """REVEAL-CXR's short definition of a label, and its codes, if printed."""

    definition: str
    radlex: str
    snomed_ct: str
    loinc: str

    @property
    def sentence(self) -> str:
        """Definition and codes in one line; empty if the paper prints neither."""
        codes = (("RadLex", self.radlex), ("SNOMED CT", self.snomed_ct), ("LOINC", self.loinc))
        coded = ", ".join(f"{system} {code}" for system, code in codes if code)
        return "; ".join(filter(None, (self.definition, coded)))


def crosswalk(
    taxonomy: Taxonomy,
    findings: Sequence[str],
    stated: Iterable[FindingRelation] = (),
    by_model: Iterable[FindingRelation] = (),
) -> tuple[CrosswalkLine, ...]:
    """Return each label with every finding related to it, equal ones first, followed by the findings without a partner.

    A label without a partner gets one line without a finding. Relations `stated` by the cohort come before those
    `by_model`.
    """
    own = tuple(stated), tuple(by_model)
    lines = [line for label, task in _labels(taxonomy) for line in _label_lines(label, task, findings, own)]
    related = {line.finding for line in lines}
    return (*lines, *(CrosswalkLine(None, None, finding, None) for finding in findings if finding not in related))


def crosswalk_csv(taxonomy: Taxonomy, lines: Iterable[CrosswalkLine]) -> str:
    """Return the crosswalk as CSV: `label` is `relation` `finding`; "none" for a missing partner."""
    return csv_text(
        CROSSWALK_COLUMNS,
        (
            {
                "taxonomy": taxonomy.name,
                "task": line.task,
                "label": line.label,
                "relation": line.relation or NO_PARTNER,
                "finding": line.finding,
                "stated_by": BASIS_WORDS[line.known.basis] if line.known else None,
                "source": line.known.source if line.known else None,
            }
            for line in lines
        ),
    )


def label_facts(label: str, taxonomy: str = REVEAL) -> LabelFacts | None:
    """Return REVEAL-CXR's facts about one of its labels; None for other labels and other taxonomies."""
    return _FACTS.get(plain(label)) if taxonomy == REVEAL else None


def _labels(taxonomy: Taxonomy) -> Iterator[tuple[str, ChallengeTask]]:
    yield from ((label, "seen") for label in taxonomy.seen)
    yield from ((label, "unseen") for label in taxonomy.unseen)


def _label_lines(
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
