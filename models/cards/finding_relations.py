"""How a file's findings are related to others: broader, narrower, related, or the same by another name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

Relation = Literal["same as", "broader than", "narrower than", "related to"]

# As they are written, the finding before them and the others behind them.
WRITTEN: Mapping[str, Relation] = {
    "same_as": "same as",
    "broader_than": "broader than",
    "narrower_than": "narrower than",
    "related_to": "related to",
}


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """`finding` is `relation` `other`."""

    finding: str
    relation: Relation
    other: str


def stated_relations(given: object) -> Iterator[StatedRelation]:
    """Those of a table such as `{"Lung Opacity": {"broader_than": ["Consolidation", "Edema"]}}`. Raises ValueError."""
    if not isinstance(given, dict):
        raise ValueError('relations is a table, such as "Lung Opacity" = { broader_than = "Consolidation" }')
    for word, written in given.items():
        if not isinstance(written, dict) or not written or not written.keys() <= WRITTEN.keys():
            raise ValueError(
                f"what {word!r} is to other findings is not understood: say one of {', '.join(WRITTEN)}, "
                f'such as "{word}" = {{ broader_than = "Consolidation" }}'
            )
        for name, others in written.items():
            for other in others if isinstance(others, list) else [others]:
                if not isinstance(other, str) or not other.strip():
                    raise ValueError(
                        f"{word!r}: what it is {WRITTEN[name]} must be a quoted text, or several in brackets"
                    )
                yield StatedRelation(word, WRITTEN[name], other.strip())
