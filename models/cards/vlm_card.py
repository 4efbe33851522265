"""The card of an image-text model: what its registry TOML says, checked, without loading a tensor."""

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
from models.cards.toml_table import WrongTable, record
from models.films.film import Provenance
from models.prompts.templates import TEMPLATES, Template, WrongPrompt, checked_templates

KIND = "vlm"
SOURCES = ("local-dir:", "hf-hub:", "open_clip:")

# letterbox: the longest side to `size`, bilinear, as classifiers are fed; longest: the same, bicubic, as CLIP models
# are; longest-320: bicubic to 320 px first, then to `size`, as CheXzero's films were. Nothing is ever cropped.
Resize = Literal["letterbox", "longest", "longest-320"]


@dataclass(frozen=True, slots=True)
class VlmCard:
    """One image-text model as its registry file describes it; thresholds are margins."""

    name: str
    title: str
    architecture: str
    source: str  # local-dir:FOLDER, hf-hub:OWNER/REPOSITORY, open_clip:ARCHITECTURE (its file is `weights`) or .../TAG
    weights: str | None  # the file that `sha256` is of
    sha256: str | None
    tower: str | None  # the classifier whose pooled features it projects; None: it has an image tower of its own
    size: int
    mean: tuple[float, ...]  # empty: as the model's own files say; the card of a loaded model has them
    std: tuple[float, ...]
    resize: Resize
    scale: float | None  # of the pair softmax; None: the model's own logit scale
    templates: tuple[Template, ...]
    films: Provenance  # those the model is for
    captions: tuple[str, ...]  # findings in its training captions; empty: not known
    operating_points: Mapping[str, CardPoint]
    training: tuple[TrainingSource, ...]
    heat_maximum: float | None
    maps: MapCard | None  # how its heat maps are made and what they are worth; None: not measured
    validation: str | None  # file of out-of-fold embeddings
    licence: str
    citation: str
    warnings: Mapping[str, str]
    download: Download | None
    files: Mapping[str, str]  # sha256 by name, of files beside the weights
    folder: Path

    def local_file(self, name: str) -> Path:
        """A file the card names, looked for beside the card, then from the project's folder.

        Raises UnusableModel where it is not there, or not the file whose hash the card lists.
        """
        return listed_path(self.name, self.folder, name, self.files)

    @property
    def heat_method(self) -> HeatMethod:
        """How its heat maps are made."""
        return self.maps.method if self.maps else HeatMethod()

    @property
    def directions(self) -> str | None:
        """The file of the standard prompts' directions, there or not, which lies beside the validation films."""
        return None if self.validation is None else directions_beside(self.validation, self.name)

    def check_folder(self) -> None:
        """Raises UnusableModel where a file in the folder of its source is not the one whose hash the card lists."""
        folder = self.source.partition(":")[2]
        for name in self.files:
            if name.startswith(f"{folder}/"):
                self.local_file(name)


def directions_beside(validation: str, name: str) -> str:
    """What the file of a model's directions is called, by the name of that of its validation films."""
    return str(PurePosixPath(validation).with_name(f"{name}.directions.safetensors"))


def vlm_card(name: str) -> VlmCard:
    """The card of a registered image-text model, or of the TOML file that `name` is the path of.

    Raises UnusableModel where there is no such file or it says something that cannot be right.
    """
    path, table = registry_table(name, KIND)
    try:
        return _Reader(path, table).card()
    except WrongTable as wrong:
        raise UnusableModel(f"{path.name}: {wrong.what}", wrong.remedy) from wrong


class _Reader(CardReader):
    """Turns one TOML table into a VlmCard."""

    kind = KIND
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
            download=record(table["download"], Download, "download") if "download" in table else None,
            files=self.files(),
            folder=self.path.resolve().parent,
        )

    def _source(self) -> str:
        source: str = self.table["source"]
        if not source.startswith(SOURCES):
            raise WrongTable(f"source is {source!r}", f"It begins with one of {', '.join(SOURCES)}.")
        if source.startswith("open_clip:") and "/" not in source and "weights" not in self.table:
            raise WrongTable("weights is missing", "An open_clip architecture needs the file of its weights, or /TAG.")
        return source

    def _channels(self, key: str) -> tuple[float, ...]:
        if key not in self.table and self.table["source"].startswith("open_clip:"):
            raise WrongTable(f"{key!r} is missing", "An open_clip architecture alone does not say it.")
        return self.channels(key, (1, 3)) if key in self.table else ()

    def _hash(self) -> str | None:
        if "download" not in self.table and ("sha256" not in self.table or "weights" not in self.table):
            raise WrongTable("'sha256' or 'weights' is missing", "Only weights that are downloaded go without.")
        return self.sha256() if "sha256" in self.table else None

    def _templates(self) -> tuple[Template, ...]:
        if "templates" not in self.table:
            return TEMPLATES
        try:
            return checked_templates(self.rows("templates", Template))
        except WrongPrompt as wrong:
            raise WrongTable(wrong.title, wrong.detail) from wrong
