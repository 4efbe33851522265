"""The frequency groups of a cohort's findings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.evaluation.plan import Grouping
from explorer.metric_inputs import Floats
from explorer.vocabulary import FINDINGS, FrequencyGroup, Source, frequency_group


def groups_of(findings: Sequence[str], labels: Floats, source: Grouping) -> tuple[FrequencyGroup | None, ...]:
    """The group of each finding; None where the source says nothing about it.

    "cohort" counts the known labels (n, findings) themselves, of all centers together.
    """
    if source == "cohort":
        return tuple(_of_labels(finding, column) for finding, column in zip(findings, labels.T, strict=True))
    return tuple(_of_source(finding, source) for finding in findings)


def _of_labels(finding: str, labels: Floats) -> FrequencyGroup | None:
    known = labels[~np.isnan(labels)]
    if finding == "Normal":
        return FrequencyGroup.NORMAL
    return FrequencyGroup.of(float(known.mean())) if len(known) else None


def _of_source(finding: str, source: Source) -> FrequencyGroup | None:
    sourced = frequency_group(finding, source) if finding in FINDINGS else None
    return sourced.group if sourced else None
