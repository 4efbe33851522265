"""What the scripts of Read and Ask are answered about a film that a visitor opened."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.reading.finding_json import FindingAnswer
from explorer.ui.shared.refusals import RefusedPayload
from explorer.ui.simulate.link import MadeAsPayload
from explorer.ui.viewer.payload import FilmPayload, OpinionPayload, VerdictPayload


class OpenedPayload(TypedDict):
    """A film is open under `token`; `request` is the number of the script's request that it answers."""

    stage: Literal["film"]
    token: str
    request: int | None


class NotOpenedPayload(RefusedPayload):
    """Why the film of a request is not open."""

    request: int | None


class ShownFilmPayload(FilmPayload):
    """The film for the viewer, and as which film of the simulator its file names it."""

    made_as: MadeAsPayload | None


class RefusedFilmPayload(TypedDict):
    """Of a film that the gate refuses no more than why."""

    stage: Literal["refused"]
    verdict: VerdictPayload
    times_ms: dict[str, float]


class ProgressPayload(TypedDict):
    """Whether the model is still being loaded; how many stand before this one in its line, null where it is in none."""

    loading: bool
    ahead: int | None


class ModelChoicePayload(TypedDict):
    """A classifier that can be chosen; `megabytes` have to be fetched first, 0: it is here."""

    name: str
    title: str
    own: bool
    simulated: bool
    megabytes: int


class BesideModelPayload(TypedDict):
    """What a second model says of the film, by finding; `says` where it may not read it, empty where it may."""

    stage: Literal["beside model"]
    model: str
    rows: list[FindingAnswer]
    says: str


class RecognizedPayload(TypedDict):
    """What is known of a model that may be added, and what may be asked: see `explorer.reading.added_model.Recognized`.

    `vocabulary` are the findings that are known here, for whoever names the outputs.
    """

    stage: Literal["recognized"]
    name: str
    file: str
    registered: str
    architecture: str
    outputs: int
    in_chans: int
    size: int
    mean: list[float]
    std: list[float]
    guessed: list[str]
    findings: list[str]
    function: str  # that its file tells; empty where it does not
    vocabulary: list[str]


class WhichArchitecturePayload(TypedDict):
    """The architecture has to be named: why, and those that fit the shapes, none where nothing fits."""

    stage: Literal["architecture"]
    title: str
    detail: str
    architectures: list[str]


class SlipPayload(TypedDict):
    """A name that is near a known one: offered, never taken."""

    word: str
    near: str


class AskedNamesPayload(TypedDict):
    """Nothing was kept yet: these names may be slips of the pen."""

    stage: Literal["names"]
    slips: list[SlipPayload]


class AddedPayload(TypedDict):
    """The model was tried and kept under `name`; `says` are sentences about it."""

    stage: Literal["added"]
    name: str
    says: list[str]


class ExportPayload(TypedDict):
    """A file to save, and its media type."""

    text: str
    type: str


class DicomPayload(TypedDict):
    """Two DICOM files in a ZIP, in base 64."""

    zip: str


Opinion = OpinionPayload | RefusedFilmPayload | RefusedPayload
