"""Which findings another one includes: who names a hydropneumothorax has named the pneumothorax and the fluid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from explorer.core.finding_relations import FindingRelation, relation_of
from explorer.core.findings import FINDINGS

# Parts of a finding that are no broader words for it.
_PARTS = {"Hydropneumothorax": frozenset({"Pleural Effusion"})}


@lru_cache(maxsize=16_384)  # every answer of a class asks for the same ones
def covers(finding: str, other: str, stated: tuple[FindingRelation, ...] = ()) -> bool:
    """Whether a finding is narrower than the other, or has it as a part; `stated` are a cohort's own relations."""
    if other in _PARTS.get(finding, ()):
        return True
    known = relation_of(finding, other, stated)
    return known is not None and known.relation == "narrower than"


def covered_by(present: Iterable[str], labels: Iterable[str]) -> dict[str, list[str]]:
    """For each finding that is present those that it covers, among the known and the labeled ones."""
    names = dict.fromkeys([*labels, *FINDINGS])
    found = {finding: [name for name in names if covers(finding, name)] for finding in present}
    return {finding: covered for finding, covered in found.items() if covered}


def covering_pairs(findings: Sequence[str], stated: tuple[FindingRelation, ...] = ()) -> tuple[tuple[str, str], ...]:
    """Every (narrower, broader) pair among the findings, in their order."""
    return tuple((one, two) for one in findings for two in findings if one != two and covers(one, two, stated))
