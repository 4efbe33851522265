"""Which findings include others: a hydropneumothorax implies a pneumothorax and an effusion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from explorer.core.finding_relations import FindingRelation, relation_of
from explorer.core.findings import FINDINGS

# Components of a finding that are not broader terms for it.
_PARTS = {"Hydropneumothorax": frozenset({"Pleural Effusion"})}


@lru_cache(maxsize=16_384)  # every answer in a class involves the same pairs
def covers(finding: str, other: str, stated: tuple[FindingRelation, ...] = ()) -> bool:
    """Whether a finding is narrower than the other one or contains it; `stated` are a cohort's own relations."""
    if other in _PARTS.get(finding, ()):
        return True
    known = relation_of(finding, other, stated)
    return known is not None and known.relation == "narrower than"


def covered_by(present: Iterable[str], labels: Iterable[str]) -> dict[str, list[str]]:
    """Return, for each present finding, the known and labeled findings that it covers."""
    names = dict.fromkeys([*labels, *FINDINGS])
    found = {finding: [name for name in names if covers(finding, name)] for finding in present}
    return {finding: covered for finding, covered in found.items() if covered}


def covering_pairs(findings: Sequence[str], stated: tuple[FindingRelation, ...] = ()) -> tuple[tuple[str, str], ...]:
    """Return every (narrower, broader) pair among the findings, in their order."""
    return tuple((one, two) for one in findings for two in findings if one != two and covers(one, two, stated))
