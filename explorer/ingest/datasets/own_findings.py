"""Words of a dataset that become findings of their own because no taxonomy here has them."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.ingest.label_words import own_words


def own_findings(names: Iterable[str]) -> dict[str, str]:
    """Return the names that are allowed as findings, in the form of `ColumnMap.words` and `finding_named`."""
    own: dict[str, str] = {}
    for name in names:
        try:
            own |= own_words({name: name})
        except ValueError:  # not allowed as a finding, so it is counted as an unused word
            continue
    return own
