"""What a model's card says about the scores of a cohort: operating points, and which centers it was trained on."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.schema import NO_CENTER, OPERATING_POINTS
from models.card import Card
from models.radiograph import PREPROCESSING


def preprocessing(card: Card) -> str:
    """From bytes to model input, in words that change when it does."""
    return f"film pipeline {PREPROCESSING}, letterbox {card.size} px"


def operating_points(card: Card) -> pa.Table:
    """The card's thresholds, for every film."""
    rows = [(finding, None, point.threshold, point.rule) for finding, point in card.operating_points.items()]
    columns = zip(*rows, strict=True) if rows else ([] for _ in OPERATING_POINTS)
    return pa.table(dict(zip(OPERATING_POINTS.names, map(list, columns), strict=True)), schema=OPERATING_POINTS)


def model_manifest(card: Card, centers: Sequence[str], scored: int, failed: int) -> ModelManifest:
    """Of a cohort whose films are from `centers`."""
    in_sample = _in_sample(card, centers)
    return ModelManifest(
        model=card.name,
        title=card.title,
        sha256=card.sha256,
        preprocessing=preprocessing(card),
        split=_split(card, in_sample, [center for center in centers if center not in in_sample]),
        findings=card.findings,
        in_sample=in_sample,
        scored=scored,
        failed=failed,
        thresholds=_thresholds(card),
    )


def _in_sample(card: Card, centers: Sequence[str]) -> tuple[str, ...]:
    trained = {source.center.casefold() for source in card.training}
    return tuple(center for center in centers if center.casefold() in trained)


def _split(card: Card, in_sample: Sequence[str], others: Sequence[str]) -> str:
    if not card.training:
        return "not known: the model's card names no films that it was trained on"
    sources = ", ".join(f"{each.films:,} films of {each.source}" for each in card.training)
    said = []
    if in_sample:
        said.append(f"in-sample at {', '.join(in_sample)}: the model was trained on {sources}")
    named = [center for center in others if center != NO_CENTER]
    if named:
        said.append(f"{', '.join(named)}: not named among what the model was trained on ({sources})")
    if NO_CENTER in others:
        said.append(f"{NO_CENTER}: these may be films that the model was trained on ({sources})")
    return "; ".join(said)


def _thresholds(card: Card) -> str:
    rules = dict.fromkeys(point.rule for point in card.operating_points.values())
    return f"the model's card: {'; '.join(rules)}" if rules else "none: the model's card has no operating point"
