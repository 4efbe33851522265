"""The frequency groups of a cohort's findings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.core.arrays import Floats
from explorer.core.findings import FINDINGS, SOURCES, FrequencyGroup, Source, SourcedGroup, frequency_group
from explorer.core.metric_plan import Grouping


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
