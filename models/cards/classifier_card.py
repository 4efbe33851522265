"""The card of a classifier: what its registry TOML says, checked, without loading a tensor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar, get_args

from models.cards.card import Band, Card, CardPoint, FindingFree, Platt, TrainingSource, UnusableModel
from models.cards.reader import CardReader
from models.cards.registry import registry_table
from models.cards.toml_table import WrongTable, quoted, record
from models.films.film import View

Row = TypeVar("Row")


def card(name: str) -> Card:
    """The card of a registered model, or of the TOML file that `name` is the path of.

    Raises UnusableModel where there is no such file or it says something that cannot be right.
    """
    path, table = registry_table(name, "classifier")
    try:
        return _Reader(path, table).card()
    except WrongTable as wrong:
        raise UnusableModel(f"{path.name}: {wrong.what}", wrong.remedy) from wrong


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
        maps = self.maps()
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
        self._known(self.table.get("operating_points", {}), findings, "operating_points")
        return self.operating_points()

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
