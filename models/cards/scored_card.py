"""What the cards of a classifier and of an ensemble share: thresholds, bands and sentences for each finding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from models.cards.card import Band, Card, CardPoint, Download, FindingFree, Function, Member, Platt, TrainingSource
from models.cards.finding_relations import StatedRelation, stated_relations
from models.cards.reader import CardReader
from models.cards.toml_table import WrongTable, quoted, record
from models.films.film import Provenance, View

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Network:
    """What computes the scores: one network, or what stands for several."""

    architecture: str
    in_chans: int
    size: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    weights: str
    sha256: str
    findings: tuple[str, ...]
    views: tuple[View, ...]
    films: Provenance
    training: tuple[TrainingSource, ...]
    members: tuple[Member, ...] = ()
    outputs: tuple[str, ...] = ()
    function: Function = "sigmoid"
    arguments: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


class ScoredCardReader(CardReader, ABC):
    """Turns one TOML table into a Card, for what a subclass says of the network."""

    optional = {
        "heat_maximum": float,
        "operating_points": dict,
        "band": dict,
        "platt": dict,
        "warnings": dict,
        "cannot_judge": dict,
        "finding_free": dict,
        "gate": str,
        "cohort": str,
        "masks": str,
        "maps": str,
        "files": dict,
        "guessed": list,
        "relations": dict,
    }

    @abstractmethod
    def network(self) -> Network:
        """Raises WrongTable where the table says something of it that cannot be right."""

    def card(self) -> Card:
        """The whole card. Raises WrongTable, and UnusableModel where a file it needs is not there."""
        self.check()
        table, network = self.table, self.network()
        findings = network.findings
        maps = self.maps()
        points = self._points(findings)
        return Card(
            name=table["name"],
            title=table["title"],
            architecture=network.architecture,
            in_chans=network.in_chans,
            size=network.size,
            mean=network.mean,
            std=network.std,
            weights=network.weights,
            sha256=network.sha256,
            members=network.members,
            findings=findings,
            views=network.views,
            films=network.films,
            heat_maximum=maps.maximum if maps else self.positive("heat_maximum", "a logit contribution"),
            operating_points=points,
            bands=self._bands(findings, points),
            platt=self._calibrations(findings),
            training=network.training,
            licence=table["licence"],
            citation=table["citation"],
            warnings=self._said_of("warnings", findings),
            cannot_judge=self._said_of("cannot_judge", findings),
            finding_free=self._finding_free(),
            gate=table.get("gate"),
            cohort=table.get("cohort"),
            masks=table.get("masks"),
            maps=maps,
            files=self.files(),
            folder=self.path.resolve().parent,
            outputs=network.outputs,
            function=network.function,
            arguments=network.arguments,
            download=record(table["download"], Download, "download") if "download" in table else None,
            guessed=tuple(str(sentence) for sentence in table.get("guessed", [])),
            relations=self._relations(findings),
        )

    def stated(self) -> tuple[StatedRelation, ...]:
        """What the file says of how its findings are related to others."""
        try:
            return tuple(stated_relations(self.table.get("relations", {})))
        except ValueError as wrong:
            raise WrongTable(f"in relations {wrong}", "Correct it; docs/findings.md has examples.") from wrong

    def _relations(self, findings: tuple[str, ...]) -> tuple[StatedRelation, ...]:
        stated = [each for each in self.stated() if each.relation != "same as"]
        self._known((each.finding for each in stated), findings, "relations")
        pairs = [(each.finding, each.other) for each in stated]
        if len(set(pairs)) < len(pairs) or any(one == other for one, other in pairs):
            raise WrongTable(
                "relations names two findings twice, or one with itself",
                "State one relation of a finding to another one.",
            )
        return tuple(stated)

    def _per_finding(self, key: str, kind: type[Row], findings: tuple[str, ...]) -> Mapping[str, Row]:
        self._known(self.table.get(key, {}), findings, key)
        return self.named(key, kind)

    def _points(self, findings: tuple[str, ...]) -> Mapping[str, CardPoint]:
        self._known(self.table.get("operating_points", {}), findings, "operating_points")
        points = self.operating_points()
        for name, point in points.items():
            _within(f"operating_points.{name}.threshold", point.threshold)
        return points

    def _bands(self, findings: tuple[str, ...], points: Mapping[str, CardPoint]) -> Mapping[str, Band]:
        bands = self._per_finding("band", Band, findings)
        for name, band in bands.items():
            _within(f"band.{name}.low", band.low)
            _within(f"band.{name}.high", band.high)
            if name not in points or not band.low <= points[name].threshold <= band.high:
                raise WrongTable(f"band.{name} holds no threshold", "Give low and high on both sides of it.")
        return bands

    def _calibrations(self, findings: tuple[str, ...]) -> Mapping[str, Platt]:
        calibrations = self._per_finding("platt", Platt, findings)
        for name, each in calibrations.items():
            _within(f"platt.{name}.prevalence", each.prevalence)
        return calibrations

    def _said_of(self, key: str, findings: tuple[str, ...]) -> Mapping[str, str]:
        said = self.sentences(key)
        self._known(said, findings, key)
        return said

    def _finding_free(self) -> FindingFree | None:
        table = self.table.get("finding_free")
        return None if table is None else record(table, FindingFree, "finding_free")

    def _known(self, names: Iterable[str], findings: tuple[str, ...], where: str) -> None:
        strangers = set(names) - set(findings)
        if strangers:
            raise WrongTable(f"{where} names {quoted(strangers)}", "It is not one of the file's findings.")


def _within(where: str, value: float) -> None:
    """Raise WrongTable for a score or a share that no film can have."""
    if not 0 <= value <= 1:
        raise WrongTable(f"{where} is {value:.6g}", "It is a score as the model gives them, or a share: from 0 to 1.")
