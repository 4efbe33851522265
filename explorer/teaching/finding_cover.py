"""Which findings another one says too: who names a hydropneumothorax has named the pneumothorax and the fluid."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from explorer.core.finding_relations import relation_of
from explorer.core.findings import FINDINGS

# Parts of a finding that are no broader words for it.
_PARTS = {"Hydropneumothorax": frozenset({"Pleural Effusion"})}


@lru_cache(maxsize=16_384)  # every answer of a class asks for the same ones
def covers(finding: str, other: str) -> bool:
    """Whether a finding is a narrower one than the other, or has it as a part."""
    if other in _PARTS.get(finding, ()):
        return True
    known = relation_of(finding, other)
    return known is not None and known.relation == "narrower than"


def covered_by(present: Iterable[str], labels: Iterable[str]) -> dict[str, list[str]]:
    """For each finding that is present those that it covers, among the known and the labeled ones."""
    names = dict.fromkeys([*labels, *FINDINGS])
    found = {finding: [name for name in names if covers(finding, name)] for finding in present}
    return {finding: covered for finding, covered in found.items() if covered}
