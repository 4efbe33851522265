"""Words of a dataset that are findings of their own, and of no taxonomy here."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.ingest.label_words import own_words


def own_findings(names: Iterable[str]) -> dict[str, str]:
    """As `ColumnMap.words` and `finding_named` want them: those of the names that a finding can have."""
    own: dict[str, str] = {}
    for name in names:
        try:
            own |= own_words({name: name})
        except ValueError:  # not a finding here: it is counted as a word that is not used
            continue
    return own
