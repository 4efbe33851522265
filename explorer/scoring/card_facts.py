"""Translates a model's card into the facts stored with its scores: operating points, and training centers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from explorer.asking.answer_threshold import UNTESTED_RULE
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.schema import NO_CENTER, OPERATING_POINTS, Unit
from explorer.core.finding_relations import FindingRelation
from explorer.core.in_sample import Origin, Origins, optimistic_centers, origin_words
from explorer.scoring.score_files import ScoreOrigin
from explorer.scoring.training_copies import CopyCount
from models.cards.card import Card, TrainingSource
from models.cards.vlm_card import VlmCard
from models.prompts.standard import prompts_digest, standard_prompts
from models.radiograph import PREPROCESSING


@dataclass(frozen=True, slots=True)
class ScoringModel:
    """A model, as its scores of a cohort describe it; `points` are thresholds and rules by finding."""

    name: str
    title: str
    sha256: str | None
    maker: ScoreOrigin
    findings: tuple[str, ...]
    points: Mapping[str, tuple[float, str]]
    training: tuple[TrainingSource, ...]
    unit: Unit = "score"
    scale: float | None = None
    relations: tuple[FindingRelation, ...] = ()


def scoring_classifier(card: Card) -> ScoringModel:
    """Describe a classifier."""
    points = {finding: (point.threshold, point.rule) for finding, point in card.operating_points.items()}
    maker = ScoreOrigin(card.sha256, preprocessing(card))
    relations = tuple(FindingRelation(each.finding, each.relation, each.other) for each in card.relations)
    return ScoringModel(
        card.name, card.title, card.sha256, maker, card.findings, points, card.training, relations=relations
    )


def scoring_vlm(card: VlmCard, scale: float) -> ScoringModel:
    """Describe an image-text model with prompts for every finding; an unfitted threshold is the margin 0."""
    prompts = standard_prompts(card.templates)
    points = {
        finding: (card.operating_points[finding].threshold, card.operating_points[finding].rule)
        if finding in card.operating_points
        else (0.0, UNTESTED_RULE)
        for finding in prompts
    }
    return ScoringModel(
        name=card.name.lower(),
        title=card.title,
        sha256=card.sha256,
        maker=ScoreOrigin(card.sha256 or card.source, f"{preprocessing(card)}, prompts {prompts_digest(prompts)}"),
        findings=tuple(prompts),
        points=points,
        training=card.training,
        unit="margin",
        scale=scale,
    )


def preprocessing(card: Card | VlmCard) -> str:
    """Describe the steps from bytes to model input; the words change whenever the steps do."""
    resize = card.resize if isinstance(card, VlmCard) else "letterbox"
    return f"film pipeline {PREPROCESSING}, {resize} {card.size} px"


def operating_points(model: ScoringModel) -> pa.Table:
    """Return the model's thresholds as a table, for every film."""
    rows = [(finding, None, threshold, rule) for finding, (threshold, rule) in model.points.items()]
    columns = zip(*rows, strict=True) if rows else ([] for _ in OPERATING_POINTS)
    return pa.table(dict(zip(OPERATING_POINTS.names, map(list, columns), strict=True)), schema=OPERATING_POINTS)


def model_manifest(
    model: ScoringModel, centers: Sequence[str], scored: int, failed: int, copies: Mapping[str, CopyCount] | None = None
) -> ModelManifest:
    """Return the manifest of scores on films from `centers`; `copies` counts training films among them, if checked."""
    copies = copies or {}
    origins = {center: _origin(model, center, copies.get(center)) for center in centers if center != NO_CENTER}
    origins = origins if model.training else {}
    return ModelManifest(
        model=model.name,
        title=model.title,
        sha256=model.sha256,
        preprocessing=model.maker.preprocessing,
        split=_split(model, centers, origins, copies),
        findings=model.findings,
        origins=origins,
        scored=scored,
        failed=failed,
        thresholds=_thresholds(model),
        unit=model.unit,
        scale=model.scale,
        relations=model.relations,
    )


def _origin(model: ScoringModel, center: str, copies: CopyCount | None) -> Origin:
    """Classify a center by its name, which proves neither that these films were used nor that they are external."""
    if copies and copies.found:
        return "in-sample" if copies.found == copies.films else "possibly in-sample"
    trained = {source.center.casefold() for source in model.training}
    return "possibly in-sample" if center.casefold() in trained else "external by name"


def _split(model: ScoringModel, centers: Sequence[str], origins: Origins, copies: Mapping[str, CopyCount]) -> str:
    if not model.training:
        return "not known: the model's card names no training films"
    sources = ", ".join(f"{each.films:,} films of {each.source}" for each in model.training)
    clauses = []
    if optimistic := optimistic_centers(origins):
        words = origin_words(origins, optimistic)
        clauses.append(f"{words}: the model was trained on {sources}")
    for center, found in copies.items():
        if found.found:
            clauses.append(f"{center}: {found.found:,} of {found.films:,} films are copies of its training films")
    if named := [center for center, origin in origins.items() if origin == "external by name"]:
        copy = "; no copy of a training film was found" if all(center in copies for center in named) else ""
        clauses.append(f"{', '.join(named)}: not among the model's training centers ({sources}){copy}")
    if NO_CENTER in centers:
        clauses.append(f"{NO_CENTER}: these may be films that the model was trained on ({sources})")
    return "; ".join(clauses)


def _thresholds(model: ScoringModel) -> str:
    rules = dict.fromkeys(rule for _, rule in model.points.values())
    return f"the model's card: {'; '.join(rules)}" if rules else "none: the model's card has no operating point"
