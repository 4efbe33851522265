"""A slice: the (film, finding) pairs that a visitor looks at. It is data: it becomes SQL with values, and words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from explorer.evaluation.plan import Grouping
from explorer.vocabulary import FrequencyGroup, Outcome

AgeBand = Literal["0-17", "18-39", "40-59", "60-79", "80+", "unknown"]
Relation = Literal["both wrong", "disagree"]


@dataclass(frozen=True, slots=True)
class Slice:
    """Pairs of one cohort that one model scored; None: not restricted. A model's missing findings are left out.

    `outcomes` are those at the operating point. `relation` compares with the model `against`: both wrong about the
    pair, or one calling it present and the other not. Scores are raw, `low` <= score < `high`.
    """

    cohort: str
    model: str
    source: Grouping = "paper"  # of the frequency groups
    group: FrequencyGroup | None = None
    center: str | None = None
    finding: str | None = None
    outcomes: tuple[Outcome, ...] = ()
    label_source: str | None = None
    view: str | None = None
    sex: str | None = None
    age: AgeBand | None = None
    low: float | None = None
    high: float | None = None
    against: str | None = None
    relation: Relation | None = None

    def population(self) -> Slice:
        """The same films and findings whatever the model said of them: what rates are counted over."""
        return replace(self, outcomes=(), low=None, high=None, against=None, relation=None)
