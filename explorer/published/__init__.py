"""Results printed in the CXR-LT papers, for comparison with one's own. See the README of this folder."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, cast

from explorer.core.findings import FrequencyGroup

PublishedTask = Literal["task1", "task2"]  # CXR-LT 2026: seen findings, unseen findings
TestImages = Literal["test", "gold", "original", "perturbed"]  # CXR-LT 2023: test, gold; 2026: original, perturbed

ECE_AS_PRINTED = "ECE as printed"
ECE_CAVEAT = "The ECE printed by CXR-LT 2026 looks like 1 - ECE. It is shown as printed: do not compare it with an ECE."

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A file of results: the challenge, where the paper prints the figures, and the task if all figures share one."""

    file: str
    challenge: Literal["CXR-LT 2023", "CXR-LT 2026"]
    source: str
    task: PublishedTask | None = None


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A printed number and what it describes."""

    task: PublishedTask | None  # None: CXR-LT 2023, which had one task
    images: TestImages
    center: str | None  # None: all centers
    team: str
    finding: str | None  # in the paper's spelling; None: the mean over findings
    group: FrequencyGroup | None  # group of findings that `value` averages; None: all findings
    metric: str  # as printed
    value: float
    low: float | None  # 95 % interval, if printed
    high: float | None

    @property
    def caveat(self) -> str | None:
        """A caution before comparing this figure with others."""
        return ECE_CAVEAT if self.metric == ECE_AS_PRINTED else None


TABLES = MappingProxyType(
    {
        "2023": PublishedTable("cxrlt2023_results.csv", "CXR-LT 2023", "Tables 2-3, Supplementary Tables 1-2"),
        "task1": PublishedTable("cxrlt2026_task1_ap.csv", "CXR-LT 2026", "Extended Data Table 6", "task1"),
        "task2": PublishedTable("cxrlt2026_task2_ap.csv", "CXR-LT 2026", "Extended Data Table 7", "task2"),
        "groups": PublishedTable("cxrlt2026_task1_head_to_tail.csv", "CXR-LT 2026", "Extended Data Table 4", "task1"),
        "centers": PublishedTable("cxrlt2026_task2_by_center.csv", "CXR-LT 2026", "Extended Data Table 5", "task2"),
        "main": PublishedTable("cxrlt2026_main_results.csv", "CXR-LT 2026", "Extended Data Tables 1-2"),
        "heldout": PublishedTable("cxrlt2026_heldout_results.csv", "CXR-LT 2026", "Extended Data Table 3"),
    }
)


@cache
def published(table: str) -> tuple[PublishedFigure, ...]:
    """Return the figures of one of TABLES, in file order. Raises KeyError for another name."""
    about = TABLES[table]
    with (FOLDER / about.file).open(encoding="utf-8", newline="") as file:
        return tuple(_figure(row, about) for row in csv.DictReader(file))


def _figure(row: dict[str, str], about: PublishedTable) -> PublishedFigure:
    """Parse a row. Files with a single metric name their value column after it."""
    metric = row.get("metric") or next(name for name in ("AP", "mAP") if name in row)
    group = row.get("frequency_group")
    finding = row.get("finding")
    return PublishedFigure(
        task=cast(PublishedTask, row["task"]) if "task" in row else about.task,
        images=cast(TestImages, row.get("test_condition") or row.get("split") or "original"),
        center=row.get("center"),
        team=row["team"],
        finding=None if finding == "Mean" else finding,
        group=FrequencyGroup(group) if group else None,
        metric=metric,
        value=float(row["value"] if "value" in row else row[metric]),
        low=float(row["ci_low"]) if "ci_low" in row else None,
        high=float(row["ci_high"]) if "ci_high" in row else None,
    )
