"""Reads how a model's findings relate to others: broader, narrower, related, or the same under another name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

FindingRelation = Literal["same as", "broader than", "narrower than", "related to"]

# As written in the file between a finding and the others.
RELATION_KEYS: Mapping[str, FindingRelation] = {
    "same_as": "same as",
    "broader_than": "broader than",
    "narrower_than": "narrower than",
    "related_to": "related to",
}


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A statement that `finding` is `relation` `other`, such as "Lung Opacity" "broader than" "Edema"."""

    finding: str
    relation: FindingRelation
    other: str


def stated_relations(given: object) -> Iterator[StatedRelation]:
    """Yield the relations in a table like `{"Lung Opacity": {"broader_than": ["Edema"]}}`. Raises ValueError."""
    if not isinstance(given, dict):
        raise ValueError('relations must be a table, such as "Lung Opacity" = { broader_than = "Consolidation" }')
    for word, written in given.items():
        if not isinstance(written, dict) or not written or not written.keys() <= RELATION_KEYS.keys():
            raise ValueError(
                f"the relations of {word!r} are not understood: use {', '.join(RELATION_KEYS)}, "
                f'such as "{word}" = {{ broader_than = "Consolidation" }}'
            )
        for name, others in written.items():
            for other in others if isinstance(others, list) else [others]:
                if not isinstance(other, str) or not other.strip():
                    raise ValueError(f"{word!r}: {name} must be a quoted text, or several in brackets")
                yield StatedRelation(word, RELATION_KEYS[name], other.strip())
