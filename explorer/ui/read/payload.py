"""The payloads of Read and Ask about an open film."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.reading.anatomy_json import HeartSizeAnswer
from explorer.reading.finding_json import FindingAnswer
from explorer.reading.stability_json import StabilityAnswer
from explorer.ui.shared.refusals import RefusedPayload
from explorer.ui.simulate.link import MadeAsPayload
from explorer.ui.viewer.payload import FilmPayload, OpinionPayload, VerdictPayload


class OpenedPayload(TypedDict):
    """A film is open under `token`; `request` is the number of the script's request."""

    stage: Literal["film"]
    token: str
    request: int | None


class NotOpenedPayload(RefusedPayload):
    """A film could not be opened: why, and which request it answers."""

    request: int | None


class ShownFilmPayload(FilmPayload):
    """The film for the viewer, and the simulator's recipe if its file names one."""

    made_as: MadeAsPayload | None


class RefusedFilmPayload(TypedDict):
    """The gate refused the film: only its verdict, and the `model` that does not read it."""

    stage: Literal["refused"]
    model: str
    verdict: VerdictPayload
    times_ms: dict[str, float]


class ProgressPayload(TypedDict):
    """Whether the model is still loading; how many requests are ahead of this one, null if it is not queued."""

    loading: bool
    ahead: int | None


class ModelOptionPayload(TypedDict):
    """A classifier on offer; `megabytes` must be downloaded first, 0 if it is here."""

    name: str
    title: str
    own: bool
    simulated: bool
    megabytes: int


class BesideModelPayload(TypedDict):
    """A second model's findings; `says` warns if that model may not read the film, else empty."""

    stage: Literal["beside model"]
    model: str
    rows: list[FindingAnswer]
    says: str


class StabilityPayload(StabilityAnswer):
    """How stable the open film's scores are."""

    stage: Literal["stability"]


class HeartSizePayload(HeartSizeAnswer):
    """The open film's cardiothoracic ratio."""

    stage: Literal["heart size"]


class RecognizedPayload(TypedDict):
    """A model to add, with everything recognized about it: see `explorer.reading.added_model.InspectedModel`.

    `vocabulary` lists the known findings, as suggestions for output names.
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
    function: str  # read from the file; empty if unknown
    vocabulary: list[str]


class WhichArchitecturePayload(TypedDict):
    """The architecture must be named: why, and those that fit the weights' shapes, possibly none."""

    stage: Literal["architecture"]
    title: str
    detail: str
    architectures: list[str]


class DoubtfulNamePayload(TypedDict):
    """A name that resembles a known one; it is suggested, never substituted."""

    word: str
    near: str


class DoubtfulNamesPayload(TypedDict):
    """Nothing was added yet, because these names may be typing errors."""

    stage: Literal["names"]
    slips: list[DoubtfulNamePayload]


class AddedPayload(TypedDict):
    """The model was tried and added under `name`; `says` are sentences about it."""

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
