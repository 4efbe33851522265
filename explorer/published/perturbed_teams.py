"""What perturbations cost the teams of CXR-LT 2026.

Its Figure 4 draws original against perturbed films without printing numbers. Extended Data Tables 1 and 2 print them;
which perturbations were used is said only in examples ("random flipping and intensity variations", section 2.5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.published import PublishedTask, published

PERTURBED_SOURCE = "CXR-LT 2026, Figure 4, numbers from Extended Data Tables 1 and 2"


@dataclass(frozen=True, slots=True)
class TeamChange:
    """A team's metric on original and on perturbed films of a task; the paper prints no interval of the difference."""

    task: PublishedTask
    team: str
    metric: str
    original: float
    perturbed: float

    @property
    def change(self) -> float:
        """Perturbed less original."""
        return self.perturbed - self.original


def perturbed_teams(metric: str) -> Iterator[TeamChange]:
    """Yield the teams of both tasks by a metric as the paper prints it, in the paper's order."""
    printed = {(each.task, each.team, each.images): each.value for each in published("main") if each.metric == metric}
    for (task, team, images), original in printed.items():
        if images == "original" and task is not None:
            yield TeamChange(task, team, metric, original, printed[task, team, "perturbed"])
