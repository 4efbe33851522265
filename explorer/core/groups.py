"""Frequency groups of a cohort's findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from explorer.core.arrays import Floats
from explorer.core.findings import (
    FINDINGS,
    FREQUENCY_SOURCES,
    TASKS,
    FrequencyGroup,
    FrequencySource,
    SourcedGroup,
    frequency_group,
)
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.metric_plan import Grouping
from explorer.core.word_lists import and_list

MAX_NAMED = 4  # findings in a sentence


def default_group_source(findings: Iterable[str]) -> Grouping:
    """Return the default source of groups: the paper, or the cohort's counts if CXR-LT 2026 lacks most findings."""
    abnormal = [finding for finding in findings if finding != "Normal"]
    foreign = sum(finding not in TASKS["seen"] and finding not in TASKS["unseen"] for finding in abnormal)
    return "cohort" if 2 * foreign > len(abnormal) else "paper"


def missing_groups_note(groups: Mapping[str, FrequencyGroup | None], source: Grouping) -> str | None:
    """Return a sentence on findings without a group, so that they are not dropped silently; None if all have one.

    In the paper the unseen findings have no group, because all of its tables list them separately.
    """
    unseen = TASKS["unseen"] if source == "paper" else ()
    missing = [finding for finding, group in groups.items() if group is None and finding not in unseen]
    if not missing:
        return None
    if source == "cohort":
        return f"In no group, because no film has a known label: {_first(missing)}."
    pronoun = "it" if len(missing) == 1 else "pronoun"
    return (
        f"In no group, because {GROUP_SOURCES[source].name} has none for {pronoun}: {_first(missing)}. "
        f"Groups by this cohort's labels include {pronoun}."
    )


def _first(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMED
    return and_list([*names[:MAX_NAMED], f"{more} more"] if more > 1 else names)


def frequency_groups(findings: Sequence[str], labels: Floats, source: Grouping) -> tuple[FrequencyGroup | None, ...]:
    """Return the group of each finding; None if the source does not have it.

    "cohort" counts the known labels (n, findings) over all centers.
    """
    if source == "cohort":
        return tuple(_group_by_labels(finding, column) for finding, column in zip(findings, labels.T, strict=True))
    return tuple(group_from_source(finding, source) for finding in findings)


def _group_by_labels(finding: str, labels: Floats) -> FrequencyGroup | None:
    return group_by_counts(finding, int(np.nansum(labels)), int((~np.isnan(labels)).sum()))


def group_by_counts(finding: str, present: int, known: int) -> FrequencyGroup | None:
    """Return the group of a finding from counts of films with a known label; None if there are none."""
    if finding == "Normal":
        return FrequencyGroup.NORMAL
    return FrequencyGroup.of(present / known) if known else None


def sourced_group(finding: str) -> SourcedGroup | None:
    """Return the finding's group according to the first source that has it; the paper comes before the datasets.

    All tabs use it for a single finding. None for findings that no source has, such as those of a user's own model.
    """
    if finding not in FINDINGS:
        return None
    return next(filter(None, (frequency_group(finding, source) for source in FREQUENCY_SOURCES)), None)


def group_from_source(finding: str, source: FrequencySource) -> FrequencyGroup | None:
    """Return the group of a finding from a source other than the cohort; None if the source does not have it."""
    sourced = frequency_group(finding, source) if finding in FINDINGS else None
    return sourced.group if sourced else None
