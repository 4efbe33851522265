"""What a model's card says about the scores of a cohort: operating points, and which centers it was trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from explorer.asking.answer_threshold import HALF
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.schema import NO_CENTER, OPERATING_POINTS, Unit
from explorer.core.finding_relations import FindingRelation
from explorer.core.in_sample import Origin, Origins, optimistic_centers, origin_words
from explorer.scoring.score_files import Maker
from explorer.scoring.training_copies import Copies
from models.cards.card import Card, TrainingSource
from models.cards.vlm_card import VlmCard
from models.prompts.standard import prompts_digest, standard_prompts
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
        maker=Maker(card.sha256 or card.source, f"{preprocessing(card)}, prompts {prompts_digest(asked)}"),
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


def model_manifest(
    model: About, centers: Sequence[str], scored: int, failed: int, copies: Mapping[str, Copies] | None = None
) -> ModelManifest:
    """Of a cohort whose films are from `centers`; `copies` of training films were found, where that was looked at."""
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


def _origin(model: About, center: str, copies: Copies | None) -> Origin:
    """A name says neither which films of a training center these are, nor that those of another one are external."""
    if copies and copies.found:
        return "in-sample" if copies.found == copies.films else "possibly in-sample"
    trained = {source.center.casefold() for source in model.training}
    return "possibly in-sample" if center.casefold() in trained else "external by name"


def _split(model: About, centers: Sequence[str], origins: Origins, copies: Mapping[str, Copies]) -> str:
    if not model.training:
        return "not known: the model's card names no films that it was trained on"
    sources = ", ".join(f"{each.films:,} films of {each.source}" for each in model.training)
    said = []
    if optimistic := optimistic_centers(origins):
        words = origin_words(origins, optimistic)
        said.append(f"{words}: the model was trained on {sources}")
    for center, found in copies.items():
        if found.found:
            said.append(
                f"{center}: {found.found:,} of {found.films:,} films are copies of films that it was trained on"
            )
    if named := [center for center, origin in origins.items() if origin == "external by name"]:
        copy = "; no copy of a training film was found" if all(center in copies for center in named) else ""
        said.append(f"{', '.join(named)}: not named among what the model was trained on ({sources}){copy}")
    if NO_CENTER in centers:
        said.append(f"{NO_CENTER}: these may be films that the model was trained on ({sources})")
    return "; ".join(said)


def _thresholds(model: About) -> str:
    rules = dict.fromkeys(rule for _, rule in model.points.values())
    return f"the model's card: {'; '.join(rules)}" if rules else "none: the model's card has no operating point"
