"""Names of the sources of frequency groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from explorer.core.metric_plan import Grouping


@dataclass(frozen=True, slots=True)
class GroupSource:
    """The names of a source: short, in a sentence, in a list of choices, under a panel, and as a rule."""

    short: str
    name: str
    choice: str
    panel: str
    rule: str


GROUP_SOURCES: Mapping[Grouping, GroupSource] = MappingProxyType(
    {
        "paper": GroupSource(
            short="CXR-LT 2026",
            name="CXR-LT 2026",
            choice="CXR-LT 2026 paper",
            panel="CXR-LT 2026",
            rule="those of CXR-LT 2026, recovered from its tables",
        ),
        "padchest": GroupSource(
            short="PadChest",
            name="PadChest",
            choice="PadChest, 110,633 films",
            panel="PadChest, 110,633 frontal films",
            rule="cut at 10 %, 1 % and 0.1 % on the frontal films of PadChest",
        ),
        "nih": GroupSource(
            short="NIH",
            name="NIH ChestX-ray14",
            choice="NIH, 112,120 films",
            panel="NIH ChestX-ray14, 112,120 films",
            rule="cut at 10 %, 1 % and 0.1 % on NIH ChestX-ray14",
        ),
        "cohort": GroupSource(
            short="this cohort",
            name="this cohort",
            choice="this cohort's labels",
            panel="this cohort's own labels",
            rule="cut at 10 %, 1 % and 0.1 % on these labels",
        ),
    }
)
