"""A model's card: what is known of a classifier, and where the files that a card names are found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from models.cards.finding_relations import StatedRelation
from models.cards.heat_method import HeatMethod
from models.cards.known_file import sha256_of
from models.cards.map_card import MapCard
from models.films.film import Provenance, View
from models.refusal import Refusal

PROJECT = Path(__file__).resolve().parents[2]
Function = Literal["sigmoid", "softmax"]
SMALLEST, LARGEST = 32, 2048  # px, sides of a square model input


class UnusableModel(Refusal):
    """An unavailable model: `title` says what is wrong, `detail` the cause and what to do."""


class MissingArchitecture(UnusableModel):
    """The shapes of the tensors fit none of timm's architectures, or several; `fitting` are those."""

    fitting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardPoint:
    """A threshold on the raw score and what it gave on the films it was chosen on, where that is known."""

    threshold: float
    rule: str
    sensitivity: float = 0.0
    specificity: float = 0.0
    positives: int = 0
    negatives: int = 0

    @property
    def counted(self) -> bool:
        """Whether it is known what the threshold gave."""
        return self.positives + self.negatives > 0


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
    source: str
    patients: int = 0  # 0: not known


@dataclass(frozen=True, slots=True)
class Member:
    """A model of an ensemble, by its name or the path of its card, and what its logits weigh."""

    name: str
    weight: float


@dataclass(frozen=True, slots=True)
class Download:
    """Weights that do not come with this project: how large, from where, and the shell command that brings them.

    That of an image-text model leaves a folder of the card's name; it is empty where the file is fetched by hand.
    """

    megabytes: int
    address: str
    command: str


@dataclass(frozen=True, slots=True)
class Card:
    """One model as its registry file describes it; `findings` is the order of its scores.

    An ensemble has `members`, no weights of its own and a sha256 over theirs; its features and what is said of the
    input are its first member's.
    """

    name: str
    title: str
    architecture: str
    in_chans: int
    size: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    weights: str
    sha256: str
    members: tuple[Member, ...]  # none: one network
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
    masks: str | None  # file of a head that says where findings lie
    maps: MapCard | None  # how its heat maps are made and what they are worth; None: not measured
    files: Mapping[str, str]  # sha256 by name, of files beside the weights
    folder: Path
    outputs: tuple[str, ...] = ()  # those of the network where some have no name and are dropped; else the findings
    function: Function = "sigmoid"  # what makes scores of the outputs; softmax where they exclude one another
    state: str = ""  # of several sets of weights in the file the one that is read; empty: the usual one
    arguments: Mapping[str, object] = field(
        default_factory=lambda: MappingProxyType({})
    )  # of timm.create_model, beside the usual ones
    download: Download | None = None  # then `sha256` may be empty: the card of a loaded model has it
    guessed: tuple[str, ...] = ()  # what nobody said of the model and was taken for granted, in sentences
    relations: tuple[StatedRelation, ...] = ()  # what its findings are to others, none of them "same as"
    chosen_here: frozenset[str] = frozenset()  # findings whose threshold is not the model's own

    @property
    def exclusive(self) -> bool:
        """Whether its outputs exclude one another: their scores add up to 1."""
        return self.function == "softmax"

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
    def tower(self) -> str:
        """The name of the network whose features it gives: an ensemble's are its first member's."""
        return self.members[0].name if self.members else self.name

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
    if not path.is_file():
        raise UnusableModel(f"{path.name} of {model} is not a file", "Name a plain file in the card.")
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
