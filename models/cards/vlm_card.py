"""Reads the card of an image-text model from its registry TOML and checks it, without loading a tensor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal, get_args

from models.cards.card import CardPoint, Download, TrainingSource, UnusableModel, listed_path
from models.cards.heat_method import HeatMethod
from models.cards.map_card import MapCard
from models.cards.reader import CardReader
from models.cards.registry import registry_table
from models.cards.toml_table import WrongTable, parse_record
from models.films.film import Provenance
from models.prompts.templates import TEMPLATES, Template, WrongPrompt, check_templates

VLM_KIND = "vlm"
SOURCE_PREFIXES = ("local-dir:", "hf-hub:", "open_clip:")

# letterbox: longest side to `size`, bilinear, as for classifiers; longest: the same but bicubic, as for CLIP models;
# longest-320: bicubic to 320 px first, then to `size`, as for CheXzero's films. Films are never cropped.
Resize = Literal["letterbox", "longest", "longest-320"]


@dataclass(frozen=True, slots=True)
class VlmCard:
    """An image-text model as described by its registry file; thresholds are margins."""

    name: str
    title: str
    architecture: str
    source: str  # local-dir:FOLDER, hf-hub:OWNER/REPOSITORY, open_clip:ARCHITECTURE (its file is `weights`) or .../TAG
    weights: str | None  # the file that `sha256` belongs to
    sha256: str | None
    tower: str | None  # classifier whose pooled features are projected; None: the model has its own image tower
    size: int
    mean: tuple[float, ...]  # if empty, stated in the model's own files; a loaded model's card has them
    std: tuple[float, ...]
    resize: Resize
    scale: float | None  # logit scale of the softmax over a pair; None: the model's own
    templates: tuple[Template, ...]
    films: Provenance  # kind of films the model is for
    captions: tuple[str, ...]  # findings in its training captions; empty: unknown
    operating_points: Mapping[str, CardPoint]
    training: tuple[TrainingSource, ...]
    heat_maximum: float | None
    maps: MapCard | None  # method and accuracy of its heat maps; None: not measured
    validation: str | None  # file of out-of-fold embeddings
    licence: str
    citation: str
    warnings: Mapping[str, str]
    download: Download | None
    files: Mapping[str, str]  # sha256 by name of the files next to the weights
    folder: Path

    def local_file(self, name: str) -> Path:
        """Return a file that the card names: next to the card, else in the project folder.

        Raises UnusableModel if it is missing or its hash differs from the card's.
        """
        return listed_path(self.name, self.folder, name, self.files)

    @property
    def heat_method(self) -> HeatMethod:
        """The method of its heat maps."""
        return self.maps.method if self.maps else HeatMethod()

    @property
    def directions(self) -> str | None:
        """The path of the standard prompts' directions, next to the validation films; the file may be missing."""
        return None if self.validation is None else directions_beside(self.validation, self.name)

    def check_folder(self) -> None:
        """Raise UnusableModel if a file in the source folder does not have the hash that the card lists."""
        folder = self.source.partition(":")[2]
        for name in self.files:
            if name.startswith(f"{folder}/"):
                self.local_file(name)


def directions_beside(validation: str, name: str) -> str:
    """Return the path of a model's directions file, given the path of its validation films."""
    return str(PurePosixPath(validation).with_name(f"{name}.directions.safetensors"))


def vlm_card(name: str) -> VlmCard:
    """Return the card of a registered image-text model, or of the TOML file at the path `name`.

    Raises UnusableModel if there is no such file or its content is invalid.
    """
    path, table = registry_table(name, VLM_KIND)
    try:
        return _Reader(path, table).card()
    except WrongTable as wrong:
        raise UnusableModel(f"{path.name}: {wrong.what}", wrong.remedy) from wrong


class _Reader(CardReader):
    """Turns one TOML table into a VlmCard."""

    kind = VLM_KIND
    required = {
        "kind": str,
        "name": str,
        "title": str,
        "architecture": str,
        "source": str,
        "size": int,
        "resize": str,
        "training": list,
        "licence": str,
        "citation": str,
    }
    optional = {
        "mean": list,
        "std": list,
        "weights": str,
        "sha256": str,
        "tower": str,
        "scale": float,
        "templates": list,
        "captions": list,
        "films": str,
        "operating_points": dict,
        "heat_maximum": float,
        "maps": str,
        "validation": str,
        "warnings": dict,
        "download": dict,
        "files": dict,
    }

    def card(self) -> VlmCard:
        self.check()
        table, maps, points = self.table, self.maps(), self.operating_points()
        return VlmCard(
            name=table["name"],
            title=table["title"],
            architecture=table["architecture"],
            source=self._source(),
            weights=table.get("weights"),
            sha256=self._hash(),
            tower=table.get("tower"),
            size=self.size(),
            mean=self._channels("mean"),
            std=self._channels("std"),
            resize=self.one_of("resize", get_args(Resize)),
            scale=self.positive("scale", "a factor"),
            templates=self._templates(),
            films=self.films(),
            captions=tuple(str(finding) for finding in table.get("captions", [])),
            operating_points=points,
            training=self.rows("training", TrainingSource),
            heat_maximum=maps.maximum if maps else self.positive("heat_maximum", "a share of the margin"),
            maps=maps,
            validation=table.get("validation"),
            licence=table["licence"],
            citation=table["citation"],
            warnings=self.sentences("warnings"),
            download=parse_record(table["download"], Download, "download") if "download" in table else None,
            files=self.files(),
            folder=self.path.resolve().parent,
        )

    def _source(self) -> str:
        source: str = self.table["source"]
        if not source.startswith(SOURCE_PREFIXES):
            raise WrongTable(f"source is {source!r}", f"It must begin with one of {', '.join(SOURCE_PREFIXES)}.")
        if source.startswith("open_clip:") and "/" not in source and "weights" not in self.table:
            raise WrongTable("weights is missing", "An open_clip architecture needs a weights file or /TAG.")
        return source

    def _channels(self, key: str) -> tuple[float, ...]:
        if key not in self.table and self.table["source"].startswith("open_clip:"):
            raise WrongTable(f"{key!r} is missing", "An open_clip architecture does not imply it.")
        return self.channels(key, (1, 3)) if key in self.table else ()

    def _hash(self) -> str | None:
        if "download" not in self.table and ("sha256" not in self.table or "weights" not in self.table):
            raise WrongTable("'sha256' or 'weights' is missing", "Only downloaded weights may omit them.")
        return self.sha256() if "sha256" in self.table else None

    def _templates(self) -> tuple[Template, ...]:
        if "templates" not in self.table:
            return TEMPLATES
        try:
            return check_templates(self.rows("templates", Template))
        except WrongPrompt as wrong:
            raise WrongTable(wrong.title, wrong.detail) from wrong
