"""The models whose maps are measured: classifiers, and image-text models that are asked for each finding by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from models.cards.heat_method import HeatMethod
from models.classifier.classifier import HeatMaps
from models.classifier.ensemble import AnyClassifier
from models.prompts.standard import standard_prompts
from models.radiograph import Radiograph
from models.vlm.model import VLM


class MappedModel(Protocol):
    """The interface that a model needs for its maps to be measured."""

    @property
    def name(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def findings(self) -> tuple[str, ...]: ...
    def flags(self, radiograph: Radiograph) -> dict[str, bool]:
        """Return whether each finding's score reaches its threshold; findings without a threshold are left out."""

    def heat(self, radiograph: Radiograph, findings: Sequence[str], method: HeatMethod) -> HeatMaps: ...


class ClassifierMaps:
    """A classifier; `thresholds`, if given, replace its card's thresholds."""

    def __init__(self, model: AnyClassifier, thresholds: Mapping[str, float] | None = None) -> None:
        self._model = model
        self._thresholds = thresholds or {name: each.threshold for name, each in model.card.operating_points.items()}
        self.name, self.sha256, self.findings = model.card.name, model.card.sha256, model.findings
        if thresholds:  # distinguishes measurements at other thresholds
            self.sha256 += f" {sorted(thresholds.items())}"
        self.heat = model.heat

    def flags(self, radiograph: Radiograph) -> dict[str, bool]:
        scores = self._model.score([radiograph])[0]
        by_name = zip(self.findings, scores, strict=True)
        return {name: bool(score >= self._thresholds[name]) for name, score in by_name if name in self._thresholds}


class TextMaps:
    """An image-text model that is asked for the findings with a threshold in its card."""

    def __init__(self, model: VLM) -> None:
        self._model = model
        self.name, self.sha256 = model.card.name, model.card.sha256 or ""
        self.findings = tuple(model.card.operating_points)
        asked = standard_prompts(model.card.templates)
        self._prompts = {finding: asked[finding] for finding in self.findings}

    def flags(self, radiograph: Radiograph) -> dict[str, bool]:
        embedding = self._model.embed_images([radiograph])
        margins = self._model.score(embedding, list(self._prompts.values())).margin[0]
        points = self._model.card.operating_points
        return {name: bool(at >= points[name].threshold) for name, at in zip(self.findings, margins, strict=True)}

    def heat(self, radiograph: Radiograph, findings: Sequence[str], method: HeatMethod) -> HeatMaps:
        made = [self._model.explain(radiograph, self._prompts[finding], method) for finding in findings]
        return HeatMaps(np.stack([each.map for each in made]), made[0].box)
