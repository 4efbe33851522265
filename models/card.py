"""A model's card: what its registry TOML says, checked, without loading a tensor."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_args

from models.card_table import WrongTable, check_keys, is_a, listed, record
from models.films.film import View

Row = TypeVar("Row")

PROJECT = Path(__file__).resolve().parent.parent
REGISTRY = Path(__file__).resolve().parent / "registry"


class UnusableModel(Exception):
    """A model that cannot be had: `title` says what is wrong, `detail` the cause and what to do."""

    def __init__(self, title: str, detail: str) -> None:
        super().__init__(f"{title}. {detail}")
        self.title = title
        self.detail = detail


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold on the raw score and what it gave on the films it was chosen on."""

    threshold: float
    rule: str
    sensitivity: float
    specificity: float
    positives: int
    negatives: int


@dataclass(frozen=True, slots=True)
class Band:
    """Raw scores, threshold among them, at which a model is unsure: `low` finds 90 %, `high` rejects 90 %."""

    low: float
    high: float


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
    heat_maximum: float | None
    operating_points: Mapping[str, OperatingPoint]
    bands: Mapping[str, Band]
    platt: Mapping[str, Platt]
    training: tuple[TrainingSource, ...]
    licence: str
    citation: str
    warnings: Mapping[str, str]
    gate: str | None  # file of feature statistics for models.gate
    cohort: str | None  # file of this model's out-of-fold numbers
    folder: Path

    def local_file(self, name: str) -> Path:
        """A file the card names, looked for beside the card, then from the project's folder; raises UnusableModel."""
        for folder in (self.folder, PROJECT):
            if (folder / name).is_file():
                return folder / name
        raise UnusableModel(
            f"A file of {self.name} is missing", f"There is no file {name}. Put it there or correct the card."
        )


_REQUIRED: dict[str, type] = {
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
_OPTIONAL: dict[str, type] = {
    "heat_maximum": float,
    "operating_points": dict,
    "band": dict,
    "platt": dict,
    "warnings": dict,
    "gate": str,
    "cohort": str,
}


def names() -> tuple[str, ...]:
    """Names of the registered models."""
    return tuple(sorted(path.stem for path in REGISTRY.glob("*.toml")))


def card(name: str) -> Card:
    """The card of a registered model, or of the TOML file that `name` is the path of.

    Raises UnusableModel where there is no such file or it says something that cannot be right.
    """
    path = Path(name) if name.endswith(".toml") else REGISTRY / f"{name}.toml"
    if not path.is_file():
        raise UnusableModel(
            f"There is no model {name!r}",
            f"Registered are: {', '.join(names())}. A path to your own .toml file works too.",
        )
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnusableModel(f"{path.name} is not a TOML file", f"{error}. Correct the file.") from error
    try:
        return _Reader(path, table).card()
    except WrongTable as wrong:
        raise UnusableModel(f"{path.name}: {wrong.what}", wrong.remedy) from wrong


class _Reader:
    """Turns one TOML table into a Card; raises WrongTable."""

    def __init__(self, path: Path, table: dict[str, Any]) -> None:
        self.path = path
        self.table = table

    def card(self) -> Card:
        check_keys(self.table, _REQUIRED, _OPTIONAL, "the file")
        table = self.table
        if table["kind"] != "classifier":
            raise WrongTable(f"kind is {table['kind']!r}", 'The only kind known here is "classifier".')
        if table["resize"] != "letterbox":
            raise WrongTable(f"resize is {table['resize']!r}", 'The only policy is "letterbox": it cuts nothing off.')
        findings = self._findings()
        points = self._points(findings)
        return Card(
            name=table["name"],
            title=table["title"],
            architecture=table["architecture"],
            in_chans=self._one_of("in_chans", (1, 3)),
            size=self._size(),
            mean=self._channels("mean"),
            std=self._channels("std"),
            weights=table["weights"],
            sha256=self._sha256(),
            findings=findings,
            views=self._views(),
            heat_maximum=self._heat_maximum(),
            operating_points=points,
            bands=self._bands(findings, points),
            platt=self._per_finding("platt", Platt, findings),
            training=tuple(record(row, TrainingSource, "training") for row in table["training"]),
            licence=table["licence"],
            citation=table["citation"],
            warnings=self._warnings(findings),
            gate=table.get("gate"),
            cohort=table.get("cohort"),
            folder=self.path.resolve().parent,
        )

    def _per_finding(self, key: str, kind: type[Row], findings: tuple[str, ...]) -> Mapping[str, Row]:
        rows = self.table.get(key, {})
        self._known(rows, findings, key)
        return MappingProxyType({name: record(row, kind, f"{key}.{name}") for name, row in rows.items()})

    def _points(self, findings: tuple[str, ...]) -> Mapping[str, OperatingPoint]:
        points = self._per_finding("operating_points", OperatingPoint, findings)
        for name, point in points.items():
            rates, counts = (point.sensitivity, point.specificity), (point.positives, point.negatives)
            if not all(0 <= rate <= 1 for rate in rates) or min(counts) < 0:
                raise WrongTable(f"operating_points.{name} is not right", "Rates lie in 0 to 1, counts above.")
        return points

    def _bands(self, findings: tuple[str, ...], points: Mapping[str, OperatingPoint]) -> Mapping[str, Band]:
        bands = self._per_finding("band", Band, findings)
        for name, band in bands.items():
            if name not in points or not band.low <= points[name].threshold <= band.high:
                raise WrongTable(f"band.{name} holds no threshold", "Give low and high on both sides of it.")
        return bands

    def _warnings(self, findings: tuple[str, ...]) -> Mapping[str, str]:
        rows = self.table.get("warnings", {})
        self._known(rows, findings, "warnings")
        return MappingProxyType({name: str(text) for name, text in rows.items()})

    def _known(self, names: Iterable[str], findings: tuple[str, ...], where: str) -> None:
        strangers = set(names) - set(findings)
        if strangers:
            raise WrongTable(f"{where} names {listed(strangers)}", "It is not one of the file's findings.")

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

    def _one_of(self, key: str, allowed: tuple[int, ...]) -> int:
        value: int = self.table[key]
        if value not in allowed:
            raise WrongTable(f"{key} is {value}", f"It is one of {', '.join(map(str, allowed))}.")
        return value

    def _size(self) -> int:
        size: int = self.table["size"]
        if not 32 <= size <= 2048:
            raise WrongTable(f"size is {size}", "It is the side of the square input, 32 to 2048 pixels.")
        return size

    def _channels(self, key: str) -> tuple[float, ...]:
        values = tuple(float(value) for value in self.table[key] if is_a(value, float))
        if len(values) != len(self.table[key]) or len(values) != self.table["in_chans"]:
            raise WrongTable(f"{key} is not right", "It has one number for each of in_chans.")
        if key == "std" and min(values) <= 0:
            raise WrongTable("std is not positive", "Give the standard deviation of each channel.")
        return values

    def _heat_maximum(self) -> float | None:
        value = self.table.get("heat_maximum")
        if value is not None and value <= 0:
            raise WrongTable(f"heat_maximum is {value}", "It is a logit contribution above zero.")
        return None if value is None else float(value)

    def _sha256(self) -> str:
        value: str = self.table["sha256"]
        if not re.fullmatch("[0-9a-f]{64}", value):
            raise WrongTable("sha256 is not right", "It has 64 hexadecimal digits; `sha256sum FILE` prints it.")
        return value
