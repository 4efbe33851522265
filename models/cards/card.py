"""A classifier's card, and how to find the files that it names."""

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
OutputFunction = Literal["sigmoid", "softmax"]
StudyRule = Literal["maximum", "mean"]
MIN_INPUT_SIDE, MAX_INPUT_SIDE = 32, 2048  # px, side of a square model input


class UnusableModel(Refusal):
    """The model is unavailable: `title` says what is wrong, `detail` gives the cause and the remedy."""


class MissingArchitecture(UnusableModel):
    """The tensor shapes fit no timm architecture, or several; `fitting` lists those."""

    fitting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardPoint:
    """A threshold on the raw score and, if known, its performance on the films used to choose it."""

    threshold: float
    rule: str
    sensitivity: float = 0.0
    specificity: float = 0.0
    positives: int = 0
    negatives: int = 0

    @property
    def counted(self) -> bool:
        """Whether the threshold's performance is known."""
        return self.positives + self.negatives > 0


@dataclass(frozen=True, slots=True)
class UnsureBand:
    """The raw scores, threshold included, for which a model is unsure; shipped bands end at 90 % specificity."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class FindingFree:
    """How many findings a model flags, or is unsure about, per film without any finding, over `films` films.

    Means per film with 95 % intervals (resampling patients), over the findings that the model can judge; `measured`
    describes the films.
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
    """The calibration of a raw logit: sigmoid(slope * logit + intercept), valid only at `prevalence` (Platt, 1999)."""

    slope: float
    intercept: float
    prevalence: float


@dataclass(frozen=True, slots=True)
class TrainingSource:
    """Training films from one center; results reported on that center are in-sample."""

    center: str
    films: int
    source: str
    patients: int = 0  # 0: unknown


@dataclass(frozen=True, slots=True)
class EnsembleMember:
    """A model of an ensemble, by name or card path, and the weight of its logits."""

    name: str
    weight: float


@dataclass(frozen=True, slots=True)
class Download:
    """Weights that do not ship with Tailscope: size, source, and the shell command that downloads them.

    An image-text model's command creates a folder named after the card; it is empty if the file must be fetched by
    hand.
    """

    megabytes: int
    address: str
    command: str


@dataclass(frozen=True, slots=True)
class Card:
    """A classifier as described by its registry file; `findings` is the order of its scores.

    An ensemble has `members` instead of weights, and a sha256 computed from theirs; its features and input come from
    its first member.
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
    members: tuple[EnsembleMember, ...]  # empty: a single network
    findings: tuple[str, ...]
    views: tuple[View, ...]
    films: Provenance  # kind of films the model is for
    heat_maximum: float | None
    operating_points: Mapping[str, CardPoint]
    bands: Mapping[str, UnsureBand]
    platt: Mapping[str, Platt]
    training: tuple[TrainingSource, ...]
    licence: str
    citation: str
    warnings: Mapping[str, str]  # findings with scores that may mean something else, with the explanation
    cannot_judge: Mapping[str, str]  # findings ranked no better than chance, with the figures
    finding_free: FindingFree | None
    gate: str | None  # file of feature statistics for models.gate.judgment
    cohort: str | None  # file of this model's out-of-fold numbers
    masks: str | None  # file of a head that localizes findings
    maps: MapCard | None  # method and accuracy of its heat maps; None: not measured
    files: Mapping[str, str]  # sha256 by name of the files next to the weights
    folder: Path
    outputs: tuple[str, ...] = ()  # the network's outputs if some are unnamed and dropped; else empty
    function: OutputFunction = "sigmoid"  # turns outputs into scores; softmax if they are mutually exclusive
    state: str = ""  # which of several sets of weights in the file to use; empty: the default
    # Passed to timm.create_model in addition to the arguments set by other fields.
    arguments: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    download: Download | None = None  # if given, `sha256` may be empty; a loaded model's card has it
    guessed: tuple[str, ...] = ()  # assumptions that nothing states, as sentences
    relations: tuple[StatedRelation, ...] = ()  # relations of its findings to others, without "same as"
    # How the scores of a study's films make the study's score: CheXpert takes the maximum over views (Irvin et al.,
    # AAAI 2019, section Model).
    study: StudyRule = "maximum"
    chosen_here: frozenset[str] = frozenset()  # findings with a threshold that is not the model's own

    @property
    def exclusive(self) -> bool:
        """Whether its outputs are mutually exclusive, so that their scores sum to 1."""
        return self.function == "softmax"

    @property
    def cautions(self) -> Mapping[str, str]:
        """The card's reservations about its scores, by finding."""
        return MappingProxyType({**self.warnings, **self.cannot_judge})

    def local_file(self, name: str) -> Path:
        """Return a file that the card names: next to the card, else in the project folder.

        Raises UnusableModel if it is missing or its hash differs from the card's.
        """
        return listed_path(self.name, self.folder, name, self.files)

    @property
    def tower(self) -> str:
        """The name of the network that provides its features; for an ensemble, the first member."""
        return self.members[0].name if self.members else self.name

    @property
    def heat_method(self) -> HeatMethod:
        """The method of its heat maps."""
        return self.maps.method if self.maps else HeatMethod()


def local_path(model: str, beside: Path, name: str) -> Path:
    """Return a file or folder that a card names: next to the card, else in the project folder. Raises UnusableModel."""
    for folder in (beside, PROJECT):
        if (folder / name).exists():
            return folder / name
    raise UnusableModel(f"A file of {model} is missing", f"{name} does not exist. Put it there or correct the card.")


def listed_path(model: str, beside: Path, name: str, files: Mapping[str, str]) -> Path:
    """Return a file that a card names, after checking its hash if `files` lists one. Raises UnusableModel."""
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
            f"It has sha256 {found[:12]}..., but the card says {files[name][:12]}.... "
            "Restore the file, or, if the change is yours, write the new hash into `files` in the card.",
        )
    return path
