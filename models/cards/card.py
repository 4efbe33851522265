"""A model's card: what its registry TOML says, checked, without loading a tensor."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_args

from models.cards.heat_method import HeatMethod
from models.cards.known_file import sha256_of
from models.cards.map_card import MapCard, map_card
from models.cards.reader import CardReader
from models.cards.toml_table import WrongTable, quoted, record
from models.films.film import Provenance, View
from models.refusal import Refusal

Row = TypeVar("Row")

PROJECT = Path(__file__).resolve().parents[2]
REGISTRY = PROJECT / "models" / "registry"


class UnusableModel(Refusal):
    """An unavailable model: `title` says what is wrong, `detail` the cause and what to do."""


@dataclass(frozen=True, slots=True)
class CardPoint:
    """A threshold on the raw score and what it gave on the films it was chosen on."""

    threshold: float
    rule: str
    sensitivity: float
    specificity: float
    positives: int
    negatives: int


@dataclass(frozen=True, slots=True)
class Band:
    """Raw scores, threshold among them, at which a model is unsure; shipped ones end at 90 % specificity."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class FindingFree:
    """What a model makes of `films` films without any finding: how many findings of one it calls, or is unsure of.

    Means a film with 95 % intervals over resamples of patients, of the findings it can judge; `measured` says on what.
    """

    films: int
    above: float
    above_low: float
    above_high: float
    unsure: float
    unsure_low: float
    unsure_high: float
    measured: str


@dataclass(frozen=True, slots=True)
class Platt:
    """Calibration of a raw logit: sigmoid(slope * logit + intercept), right at `prevalence` only (Platt, 1999)."""

    slope: float
    intercept: float
    prevalence: float


@dataclass(frozen=True, slots=True)
class TrainingSource:
    """Films a model has seen: numbers reported on this center are in-sample."""

    center: str
    films: int
    patients: int
    source: str


@dataclass(frozen=True, slots=True)
class Card:
    """One model as its registry file describes it; `findings` is the order of the model's outputs."""

    name: str
    title: str
    architecture: str
    in_chans: int
    size: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    weights: str
    sha256: str
    findings: tuple[str, ...]
    views: tuple[View, ...]
    films: Provenance  # those the model is for
    heat_maximum: float | None
    operating_points: Mapping[str, CardPoint]
    bands: Mapping[str, Band]
    platt: Mapping[str, Platt]
    training: tuple[TrainingSource, ...]
    licence: str
    citation: str
    warnings: Mapping[str, str]  # findings whose scores may mean something else, and what
    cannot_judge: Mapping[str, str]  # findings that it may rank no better than chance, and the figures
    finding_free: FindingFree | None
    gate: str | None  # file of feature statistics for models.gate.judgment
    cohort: str | None  # file of this model's out-of-fold numbers
    maps: MapCard | None  # how its heat maps are made and what they are worth; None: not measured
    files: Mapping[str, str]  # sha256 by name, of files beside the weights
    folder: Path

    @property
    def cautions(self) -> Mapping[str, str]:
        """What the card has against its scores, by finding."""
        return MappingProxyType({**self.warnings, **self.cannot_judge})

    def local_file(self, name: str) -> Path:
        """A file the card names, looked for beside the card, then from the project's folder.

        Raises UnusableModel where it is not there, or not the file whose hash the card lists.
        """
        return listed_path(self.name, self.folder, name, self.files)

    @property
    def heat_method(self) -> HeatMethod:
        """How its heat maps are made."""
        return self.maps.method if self.maps else HeatMethod()


def local_path(model: str, beside: Path, name: str) -> Path:
    """A file or folder that a card names: beside the card, else in the project's folder. Raises UnusableModel."""
    for folder in (beside, PROJECT):
        if (folder / name).exists():
            return folder / name
    raise UnusableModel(f"A file of {model} is missing", f"There is no {name}. Put it there or correct the card.")


def listed_path(model: str, beside: Path, name: str, files: Mapping[str, str]) -> Path:
    """The same, where `files` has a hash for it: of the file with that hash alone."""
    path = local_path(model, beside, name)
    try:
        found = sha256_of(path) if name in files else None
    except OSError as error:
        raise UnusableModel(f"{path.name} of {model} cannot be read", f"{error.strerror}. Restore the file.") from error
    if found is not None and found != files[name]:
        raise UnusableModel(
            f"{path.name} is not the file that the card of {model} names",
            f"It has sha256 {found[:12]}..., the card says {files[name][:12]}.... "
            "Restore the file, or write the new hash into `files` of the card if the change is yours.",
        )
    return path


def maps_of(reader: CardReader) -> MapCard | None:
    """What the file says that a card names as its `maps`. Raises UnusableModel, WrongTable."""
    name = reader.table.get("maps")
    if name is None:
        return None
    return map_card(listed_path(reader.table["name"], reader.path.resolve().parent, name, reader.files()))


def names(kind: str | None = "classifier") -> tuple[str, ...]:
    """Names of the registered models of a kind; None: of every kind."""
    return tuple(sorted(path.stem for path in REGISTRY.glob("*.toml") if kind in (None, _kind(path))))


def card(name: str) -> Card:
    """The card of a registered model, or of the TOML file that `name` is the path of.

    Raises UnusableModel where there is no such file or it says something that cannot be right.
    """
    path, table = registry_table(name, "classifier")
    try:
        return _Reader(path, table).card()
    except WrongTable as wrong:
        raise UnusableModel(f"{path.name}: {wrong.what}", wrong.remedy) from wrong


def registry_table(name: str, kind: str | None = None) -> tuple[Path, dict[str, Any]]:
    """The registry file of a name, or the TOML file that `name` is the path of, and its table. Raises UnusableModel."""
    path = Path(name) if name.endswith(".toml") else REGISTRY / f"{name}.toml"
    if not path.is_file():
        raise UnusableModel(
            f"There is no model {name!r}",
            f"Registered are: {', '.join(names(kind))}. A path to your own .toml file works too.",
        )
    try:
        return path, tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnusableModel(f"{path.name} is not a TOML file", f"{error}. Correct the file.") from error


def _kind(path: Path) -> object:
    return tomllib.loads(path.read_text(encoding="utf-8")).get("kind")


class _Reader(CardReader):
    """Turns one TOML table into a Card."""

    kind = "classifier"
    required = {
        "kind": str,
        "name": str,
        "title": str,
        "architecture": str,
        "in_chans": int,
        "size": int,
        "resize": str,
        "mean": list,
        "std": list,
        "weights": str,
        "sha256": str,
        "findings": list,
        "views": list,
        "licence": str,
        "citation": str,
        "training": list,
    }
    optional = {
        "films": str,
        "heat_maximum": float,
        "operating_points": dict,
        "band": dict,
        "platt": dict,
        "warnings": dict,
        "cannot_judge": dict,
        "finding_free": dict,
        "gate": str,
        "cohort": str,
        "maps": str,
        "files": dict,
    }

    def card(self) -> Card:
        self.check()
        self.one_of("resize", ("letterbox",))
        table, findings = self.table, self._findings()
        maps = maps_of(self)
        points = self._points(findings)
        in_chans: int = self.one_of("in_chans", (1, 3))
        return Card(
            name=table["name"],
            title=table["title"],
            architecture=table["architecture"],
            in_chans=in_chans,
            size=self.size(),
            mean=self.channels("mean", (in_chans,)),
            std=self.channels("std", (in_chans,)),
            weights=table["weights"],
            sha256=self.sha256(),
            findings=findings,
            views=self._views(),
            films=self.films(),
            heat_maximum=maps.maximum if maps else self.positive("heat_maximum", "a logit contribution"),
            operating_points=points,
            bands=self._bands(findings, points),
            platt=self._per_finding("platt", Platt, findings),
            training=self.rows("training", TrainingSource),
            licence=table["licence"],
            citation=table["citation"],
            warnings=self._said_of("warnings", findings),
            cannot_judge=self._said_of("cannot_judge", findings),
            finding_free=self._finding_free(),
            gate=table.get("gate"),
            cohort=table.get("cohort"),
            maps=maps,
            files=self.files(),
            folder=self.path.resolve().parent,
        )

    def _per_finding(self, key: str, kind: type[Row], findings: tuple[str, ...]) -> Mapping[str, Row]:
        self._known(self.table.get(key, {}), findings, key)
        return self.named(key, kind)

    def _points(self, findings: tuple[str, ...]) -> Mapping[str, CardPoint]:
        points = self._per_finding("operating_points", CardPoint, findings)
        check_points(points)
        return points

    def _bands(self, findings: tuple[str, ...], points: Mapping[str, CardPoint]) -> Mapping[str, Band]:
        bands = self._per_finding("band", Band, findings)
        for name, band in bands.items():
            if name not in points or not band.low <= points[name].threshold <= band.high:
                raise WrongTable(f"band.{name} holds no threshold", "Give low and high on both sides of it.")
        return bands

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

    def _findings(self) -> tuple[str, ...]:
        findings = tuple(str(name) for name in self.table["findings"])
        if not findings or len(set(findings)) != len(findings):
            raise WrongTable("findings is empty or names one twice", "List every output of the model once, in order.")
        return findings

    def _views(self) -> tuple[View, ...]:
        allowed = get_args(View)
        views = tuple(self.table["views"])
        if not views or set(views) - set(allowed):
            raise WrongTable("views is not right", f"List those the model may read, of {', '.join(allowed)}.")
        return views


def check_points(points: Mapping[str, CardPoint]) -> None:
    """Raise WrongTable for a rate or a count that cannot be."""
    for name, point in points.items():
        rates, counts = (point.sensitivity, point.specificity), (point.positives, point.negatives)
        if not all(0 <= rate <= 1 for rate in rates) or min(counts) < 0:
            raise WrongTable(f"operating_points.{name} is not right", "Rates are from 0 to 1, counts are positive.")
