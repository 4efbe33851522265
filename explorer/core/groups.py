"""The frequency groups of a cohort's findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from explorer.core.arrays import Floats
from explorer.core.findings import FINDINGS, SOURCES, TASKS, FrequencyGroup, Source, SourcedGroup, frequency_group
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.metric_plan import Grouping
from explorer.core.word_lists import and_list

NAMED = 4  # findings in a sentence


def usual_source(findings: Iterable[str]) -> Grouping:
    """Whose groups are taken where nobody chose: the paper's, or the cohort's own counts where CXR-LT 2026 lacks
    most of the findings and so has no group for them.
    """
    abnormal = [finding for finding in findings if finding != "Normal"]
    foreign = sum(finding not in TASKS["seen"] and finding not in TASKS["unseen"] for finding in abnormal)
    return "cohort" if 2 * foreign > len(abnormal) else "paper"


def no_group_words(groups: Mapping[str, FrequencyGroup | None], source: Grouping) -> str | None:
    """Which findings a source has no group for, so that a group of it does not lose them without a word; None where it
    has one for each. The unseen findings have none by the paper, as they stand apart in all of its tables.
    """
    apart = TASKS["unseen"] if source == "paper" else ()
    none = [finding for finding, group in groups.items() if group is None and finding not in apart]
    if not none:
        return None
    if source == "cohort":
        return f"No film has a known label of {_first(none)}: in none of the groups."
    them = "it" if len(none) == 1 else "them"
    return (
        f"{GROUP_SOURCES[source].name} has no group for {_first(none)}: in none of the groups. "
        f"Groups by this cohort's labels have {them}."
    )


def _first(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return and_list([*names[:NAMED], f"{more} more"] if more > 1 else names)


def groups_of(findings: Sequence[str], labels: Floats, source: Grouping) -> tuple[FrequencyGroup | None, ...]:
    """The group of each finding; None where the source says nothing about it.

    "cohort" counts the known labels (n, findings) themselves, of all centers together.
    """
    if source == "cohort":
        return tuple(_of_labels(finding, column) for finding, column in zip(findings, labels.T, strict=True))
    return tuple(group_by(finding, source) for finding in findings)


def _of_labels(finding: str, labels: Floats) -> FrequencyGroup | None:
    return group_among(finding, int(np.nansum(labels)), int((~np.isnan(labels)).sum()))


def group_among(finding: str, present: int, known: int) -> FrequencyGroup | None:
    """The group of a finding that is present in so many of the cohort's films with a known label; None of no film."""
    if finding == "Normal":
        return FrequencyGroup.NORMAL
    return FrequencyGroup.of(present / known) if known else None


def sourced_group(finding: str) -> SourcedGroup | None:
    """The finding's group by the first source that has one; the paper's stands beside published figures.

    What every tab says of a finding by itself. None: no source knows it, as of a user's own model.
    """
    if finding not in FINDINGS:
        return None
    return next(filter(None, (frequency_group(finding, source) for source in SOURCES)), None)


def group_by(finding: str, source: Source) -> FrequencyGroup | None:
    """The group of a finding by a source other than the cohort; None where the source says nothing about it."""
    sourced = frequency_group(finding, source) if finding in FINDINGS else None
    return sourced.group if sourced else None
