"""The payloads of Simulate's script about the models."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from explorer.core.findings import Outcome
from explorer.core.in_sample import Origin
from explorer.reading.anatomy_json import MapPlaceAnswer
from explorer.reading.finding_json import MapWorthAnswer, RateAnswer
from explorer.ui.viewer.payload import BoxPayload


class TwinScorePayload(TypedDict):
    """The same finding on the twin, which does not have it."""

    score: float
    outcome: Outcome | None


class ModelScorePayload(TypedDict):
    """A finding that the film has; `seen`: the model was trained on it; `why`: the source of threshold or verdict.

    `doubt`: why the model gives no verdict of its own.
    """

    finding: str
    score: float
    threshold: float | None
    band: list[float] | None
    outcome: Outcome | None
    doubt: Literal["", "unsure", "cannot judge"]
    seen: bool
    why: str
    twin: TwinScorePayload


class FalseAlarmPayload(TypedDict):
    """A finding that the model flags although the film does not have it; `twin`: it is flagged on the twin too."""

    finding: str
    score: float
    threshold: float | None
    twin: bool


class ShareInsidePayload(TypedDict):
    """The share of a map's heat inside the mask, null without heat; and the mask's share of the film."""

    heat: float | None
    mask: float


class HeatsPayload(TypedDict):
    """Raw maps (findings, g, g) of film and twin for the viewer, and how much heat lies inside the masks.

    `worth` says for each finding how often such a map points to it. `places` are where each map is hottest, by "film"
    and "twin", in the order of `findings`.
    """

    findings: list[str]
    maps: str
    twin: str
    grid: int
    box: BoxPayload
    heat_maximum: float | None
    unit: str
    worth: dict[str, MapWorthAnswer]
    inside: dict[str, ShareInsidePayload]
    places: dict[str, list[MapPlaceAnswer]]


class MissedPayload(TypedDict):
    """How often exactly these weights miss a finding at the film's center, on a simulated cohort."""

    cohort: str
    version: str
    thresholds: str
    split: str
    center: str
    origin: Origin | None
    findings: dict[str, RateAnswer]


class JudgeModelPayload(TypedDict):
    """The model that gave the scores."""

    name: str
    title: str
    device: NotRequired[str]


class JudgementPayload(TypedDict):
    """Scores of a film and its twin; `refused` is the reason of the gate, `unknown` lists findings without a score."""

    stage: Literal["said"]
    model: JudgeModelPayload
    refused: str
    rows: list[ModelScorePayload]
    unknown: list[str]
    false_alarms: list[FalseAlarmPayload]
    heat: HeatsPayload | None
    missed: MissedPayload | None
