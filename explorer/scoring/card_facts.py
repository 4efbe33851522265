"""What a model's card says about the scores of a cohort: operating points, and which centers it was trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from explorer.asking.answer_threshold import HALF
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.schema import NO_CENTER, OPERATING_POINTS, Unit
from explorer.core.finding_relations import FindingRelation
from explorer.core.in_sample import Origins, optimistic_centers
from explorer.scoring.score_files import Maker
from models.cards.card import Card, TrainingSource
from models.cards.vlm_card import VlmCard
from models.prompts.standard import digest, standard_prompts
from models.radiograph import PREPROCESSING


@dataclass(frozen=True, slots=True)
class About:
    """A model as its scores of a cohort know it; `points` are thresholds and their rules by finding."""

    name: str
    title: str
    sha256: str | None
    maker: Maker
    findings: tuple[str, ...]
    points: Mapping[str, tuple[float, str]]
    training: tuple[TrainingSource, ...]
    unit: Unit = "score"
    scale: float | None = None
    relations: tuple[FindingRelation, ...] = ()


def about(card: Card) -> About:
    """A classifier."""
    points = {finding: (point.threshold, point.rule) for finding, point in card.operating_points.items()}
    maker = Maker(card.sha256, preprocessing(card))
    relations = tuple(FindingRelation(each.finding, each.relation, each.other) for each in card.relations)
    return About(card.name, card.title, card.sha256, maker, card.findings, points, card.training, relations=relations)


def about_vlm(card: VlmCard, scale: float) -> About:
    """An image-text model, asked for every finding; where no films have set a threshold it is the margin 0."""
    asked = standard_prompts(card.templates)
    points = {
        finding: (card.operating_points[finding].threshold, card.operating_points[finding].rule)
        if finding in card.operating_points
        else (0.0, HALF)
        for finding in asked
    }
    return About(
        name=card.name.lower(),
        title=card.title,
        sha256=card.sha256,
        maker=Maker(card.sha256 or card.source, f"{preprocessing(card)}, prompts {digest(asked)}"),
        findings=tuple(asked),
        points=points,
        training=card.training,
        unit="margin",
        scale=scale,
    )


def preprocessing(card: Card | VlmCard) -> str:
    """From bytes to model input, in words that change when it does."""
    resize = card.resize if isinstance(card, VlmCard) else "letterbox"
    return f"film pipeline {PREPROCESSING}, {resize} {card.size} px"


def operating_points(model: About) -> pa.Table:
    """The model's thresholds, for every film."""
    rows = [(finding, None, threshold, rule) for finding, (threshold, rule) in model.points.items()]
    columns = zip(*rows, strict=True) if rows else ([] for _ in OPERATING_POINTS)
    return pa.table(dict(zip(OPERATING_POINTS.names, map(list, columns), strict=True)), schema=OPERATING_POINTS)


def model_manifest(model: About, centers: Sequence[str], scored: int, failed: int) -> ModelManifest:
    """Of a cohort whose films are from `centers`."""
    origins = _origins(model, centers)
    return ModelManifest(
        model=model.name,
        title=model.title,
        sha256=model.sha256,
        preprocessing=model.maker.preprocessing,
        split=_split(model, centers, origins),
        findings=model.findings,
        origins=origins,
        scored=scored,
        failed=failed,
        thresholds=_thresholds(model),
        unit=model.unit,
        scale=model.scale,
        relations=model.relations,
    )


def _origins(model: About, centers: Sequence[str]) -> Origins:
    """Nobody says here whether films of a center that the model was trained on are those that it was trained on."""
    if not model.training:
        return {}
    trained = {source.center.casefold() for source in model.training}
    return {
        center: "possibly in-sample" if center.casefold() in trained else "external"
        for center in centers
        if center != NO_CENTER
    }


def _split(model: About, centers: Sequence[str], origins: Origins) -> str:
    if not model.training:
        return "not known: the model's card names no films that it was trained on"
    sources = ", ".join(f"{each.films:,} films of {each.source}" for each in model.training)
    said = []
    if optimistic := optimistic_centers(origins):
        said.append(f"possibly in-sample at {', '.join(optimistic)}: the model was trained on {sources}")
    if named := [center for center, origin in origins.items() if origin == "external"]:
        said.append(f"{', '.join(named)}: not named among what the model was trained on ({sources})")
    if NO_CENTER in centers:
        said.append(f"{NO_CENTER}: these may be films that the model was trained on ({sources})")
    return "; ".join(said)


def _thresholds(model: About) -> str:
    rules = dict.fromkeys(rule for _, rule in model.points.values())
    return f"the model's card: {'; '.join(rules)}" if rules else "none: the model's card has no operating point"
