"""A prepared playlist: pictures, truth and the content of each reveal, so that a class needs neither store nor model.

A class server cannot reach any other films.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, NotRequired, TypedDict

from explorer.core.findings import Outcome
from explorer.school.playlists.playlist import Playlist, PlaylistFilm
from explorer.school.playlists.truth import Truth
from models.anatomy.places import PlaceGrid


class LabeledPayload(TypedDict):
    """A finding that is present; `side` is empty if there is none or it is unknown."""

    finding: str
    side: str


class AreaPayload(TypedDict):
    """The area of a finding: closed outlines of [x, y] in fractions of the film's sides, and who drew them."""

    finding: str
    outlines: list[list[tuple[float, float]]]
    source: str


class ScorePayload(TypedDict):
    """A model's score of a finding; `outcome` is null without a known label or a threshold.

    `cannot_judge`: according to its card, the model may rank the finding no better than chance, so the outcome means
    nothing. `flag_words`: for a flagged finding, the verdict and how often such a flag was right.
    """

    finding: str
    score: float
    threshold: float | None
    outcome: Outcome | None
    cannot_judge: bool
    flag_words: NotRequired[str]


class NamedScorePayload(ScorePayload):
    """A score by a model that a film names; `origin` is a word from `explorer.core.in_sample`, empty if unknown."""

    model: str
    title: str
    origin: str


class OverlayPayload(TypedDict):
    """A heat map of a finding as a transparent picture that covers the film: a data URL of a PNG or WebP.

    `peak` is its maximum as a share of the model's common scale, null without one; `strength` puts it in a sentence,
    `worth` says how often such a map points to the finding.
    """

    finding: str
    picture: str
    peak: float | None
    strength: str
    worth: str


class ModelSaysPayload(TypedDict):
    """A model's scores of the findings that matter here (present, flagged or asked about), and its maps of them.

    `title` is set for a model that the playlist names; its first row is then the finding asked about.
    """

    model: str
    title: NotRequired[str]
    origin: str
    rows: list[ScorePayload]
    overlays: list[OverlayPayload]


class NearFilmPayload(TypedDict):
    """A near case of the cohort: a thumbnail as a data URL, empty if there is none; `words` name its findings."""

    picture: str
    words: str


class RevealPayload(TypedDict):
    """The content of a reveal, the same for everyone.

    `source` names the origin of the labels; `absent` are findings asked about and labeled absent; `normal` is null if
    unknown; `pair` is the index of the film with the finding.
    """

    present: list[LabeledPayload]
    absent: list[str]
    normal: bool | None
    pair: int | None
    source: str
    areas: list[AreaPayload]
    models: list[ModelSaysPayload]
    near: list[NearFilmPayload]
    note: str
    simulated: bool


class ModelCall(NamedTuple):
    """A model's score of a finding, and whether it reaches the threshold; None without a threshold."""

    score: float
    called: bool | None


@dataclass(frozen=True, slots=True, eq=False)
class PreparedFilm:
    """A playlist's film with its pictures as WebP without metadata, one, or two for a pair, in the order shown.

    `width` and `height` are the pictures' size in pixels; `simulated` is stated from the beginning. `outcomes`, by
    model name, cover every finding with a known label and a threshold; `calls` every finding that a model scored.
    `places` puts points into words, for questions that ask for one; None if the film's anatomy was not found.
    """

    entry: PlaylistFilm
    pictures: tuple[bytes, ...]
    width: int
    height: int
    simulated: bool
    truth: Truth
    reveal: RevealPayload
    outcomes: Mapping[str, Mapping[str, Outcome]] = field(default_factory=dict)
    places: PlaceGrid | None = None
    calls: Mapping[str, Mapping[str, ModelCall]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPlaylist:
    """The films of a playlist that could be prepared, in order.

    `left_out` has a sentence for each film that could not be prepared; `missing` has one for each gap in the reveals,
    such as maps by a model that is not loaded. Both are for the teacher. `findings` lists every name that an answer may
    use, with its synonyms.
    """

    playlist: Playlist
    films: tuple[PreparedFilm, ...]
    findings: dict[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
