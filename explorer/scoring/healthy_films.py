"""Chooses the films of a cohort that are labeled and have no finding."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.parquet_files import read_table

_NORMAL = "Normal"
_OTHER_WAY = "lateral"  # a finding is put into frontal films


def healthy_cases(folder: Folder, count: int) -> list[str]:
    """Return up to `count` cases without any finding by any label source, evenly spaced in the order of their names.

    An uncertain or unknown label counts as a finding. Raises NoCohort if no film is labeled and without findings.
    """
    labels = read_table(folder.labels, ["case", "finding", "label"])
    normal, absent = pc.equal(labels["finding"], _NORMAL), pc.equal(labels["label"], "absent")
    unhealthy = set(labels.filter(pc.equal(normal, absent))["case"].to_pylist())
    labeled = set(labels["case"].to_pylist())
    views = read_table(folder.cases, ["case", "view"]).to_pydict()
    frontal = [case for case, view in zip(views["case"], views["view"], strict=True) if view != _OTHER_WAY]
    healthy = sorted(case for case in frontal if case in labeled and case not in unhealthy)
    if not healthy:
        raise NoCohort(
            f"{folder.name} has no frontal film that is labeled and without findings",
            "Findings are inserted into films without any. Ingest labels, or choose another cohort.",
        )
    chosen = np.linspace(0, len(healthy) - 1, min(count, len(healthy))).round().astype(int)
    return [healthy[place] for place in chosen.tolist()]
