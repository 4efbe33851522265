"""The parts that classifier and ensemble cards share: thresholds, bands and sentences per finding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar, get_args

from models.cards.card import (
    Card,
    CardPoint,
    Download,
    EnsembleMember,
    FindingFree,
    OutputFunction,
    Platt,
    StudyRule,
    TrainingSource,
    UnsureBand,
)
from models.cards.finding_relations import StatedRelation, stated_relations
from models.cards.reader import CardReader
from models.cards.toml_table import WrongTable, parse_record, quoted_list
from models.films.film import Provenance, View

RecordType = TypeVar("RecordType")


@dataclass(frozen=True, slots=True)
class NetworkFields:
    """The fields of a card that describe the network, or the ensemble's members as if they were one network."""

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
    members: tuple[EnsembleMember, ...] = ()
    outputs: tuple[str, ...] = ()
    function: OutputFunction = "sigmoid"
    arguments: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    study: StudyRule = "maximum"


class ScoredCardReader(CardReader, ABC):
    """Turns a TOML table into a Card; subclasses describe the network."""

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
        "study": str,
    }

    @abstractmethod
    def network(self) -> NetworkFields:
        """Return the network's fields. Raises WrongTable if they are invalid."""

    def card(self) -> Card:
        """Return the card. Raises WrongTable, or UnusableModel if a file it needs is missing."""
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
            warnings=self._sentences_for("warnings", findings),
            cannot_judge=self._sentences_for("cannot_judge", findings),
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
            download=parse_record(table["download"], Download, "download") if "download" in table else None,
            guessed=tuple(str(sentence) for sentence in table.get("guessed", [])),
            relations=self._relations(findings),
            study=self.one_of("study", get_args(StudyRule)) if "study" in table else network.study,
        )

    def stated(self) -> tuple[StatedRelation, ...]:
        """Return the relations between findings that the file states."""
        try:
            return tuple(stated_relations(self.table.get("relations", {})))
        except ValueError as wrong:
            raise WrongTable(f"relations: {wrong}", "Correct it; docs/findings.md has examples.") from wrong

    def _relations(self, findings: tuple[str, ...]) -> tuple[StatedRelation, ...]:
        stated = [each for each in self.stated() if each.relation != "same as"]
        self._known((each.finding for each in stated), findings, "relations")
        pairs = [(each.finding, each.other) for each in stated]
        if len(set(pairs)) < len(pairs) or any(one == other for one, other in pairs):
            raise WrongTable(
                "relations repeats a pair of findings, or relates one to itself",
                "State one relation between two different findings.",
            )
        return tuple(stated)

    def _per_finding(self, key: str, kind: type[RecordType], findings: tuple[str, ...]) -> Mapping[str, RecordType]:
        self._known(self.table.get(key, {}), findings, key)
        return self.named(key, kind)

    def _points(self, findings: tuple[str, ...]) -> Mapping[str, CardPoint]:
        self._known(self.table.get("operating_points", {}), findings, "operating_points")
        points = self.operating_points()
        for name, point in points.items():
            _within(f"operating_points.{name}.threshold", point.threshold)
        return points

    def _bands(self, findings: tuple[str, ...], points: Mapping[str, CardPoint]) -> Mapping[str, UnsureBand]:
        bands = self._per_finding("band", UnsureBand, findings)
        for name, band in bands.items():
            _within(f"band.{name}.low", band.low)
            _within(f"band.{name}.high", band.high)
            if name not in points or not band.low <= points[name].threshold <= band.high:
                raise WrongTable(
                    f"band.{name} does not include the threshold", "Give a low and a high that enclose it."
                )
        return bands

    def _calibrations(self, findings: tuple[str, ...]) -> Mapping[str, Platt]:
        calibrations = self._per_finding("platt", Platt, findings)
        for name, each in calibrations.items():
            _within(f"platt.{name}.prevalence", each.prevalence)
        return calibrations

    def _sentences_for(self, key: str, findings: tuple[str, ...]) -> Mapping[str, str]:
        sentences = self.sentences(key)
        self._known(sentences, findings, key)
        return sentences

    def _finding_free(self) -> FindingFree | None:
        table = self.table.get("finding_free")
        return None if table is None else parse_record(table, FindingFree, "finding_free")

    def _known(self, names: Iterable[str], findings: tuple[str, ...], where: str) -> None:
        unknown = set(names) - set(findings)
        if unknown:
            raise WrongTable(f"{where} names {quoted_list(unknown)}", "It is not one of the file's findings.")


def _within(where: str, value: float) -> None:
    """Raise WrongTable for a score or share outside [0, 1]."""
    if not 0 <= value <= 1:
        raise WrongTable(f"{where} is {value:.6g}", "Scores and shares must be from 0 to 1.")
