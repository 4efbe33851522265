"""A playlist made ready: pictures, truth, and all that the reveal shows, so that a class needs neither store nor model.

Nothing that serves a class can reach a film that is not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict

from explorer.core.findings import Outcome
from explorer.school.playlists.playlist import Playlist, PlaylistFilm
from explorer.school.playlists.truth import Truth


class LabeledPayload(TypedDict):
    """A finding that is there; `side` is empty where it has none or none is known."""

    finding: str
    side: str


class AreaPayload(TypedDict):
    """Where a finding is: closed outlines of [x, y] in fractions of the film's sides; `source` says by whom."""

    finding: str
    outlines: list[list[tuple[float, float]]]
    source: str


class ScorePayload(TypedDict):
    """What a model says of a finding; `outcome` is null where the label is unknown or no threshold was chosen.

    `cannot_judge`: by its card the model may rank the finding no better than chance, so that its outcome says nothing.
    `flag_words`: for a flagged finding, the verdict and how often such a flag was right.
    """

    finding: str
    score: float
    threshold: float | None
    outcome: Outcome | None
    cannot_judge: bool
    flag_words: NotRequired[str]


class NamedScorePayload(ScorePayload):
    """A score by a model that a film names; `origin` is a word of `explorer.core.in_sample`, empty where unknown."""

    model: str
    title: str
    origin: str


class OverlayPayload(TypedDict):
    """A heat map of a finding as a picture with transparency that covers the film: a data URL of a PNG or WebP.

    `peak` is its hottest spot as a share of the scale that all maps of the model share, null where they share none;
    `strength` says it in a sentence, `worth` how often such a map points to the finding.
    """

    finding: str
    picture: str
    peak: float | None
    strength: str
    worth: str


class ModelSaysPayload(TypedDict):
    """A model's scores of the findings that matter here (present, called, asked for), and its maps of them.

    `title` is that of a model which the playlist names: its first row is of the finding that is asked about.
    """

    model: str
    title: NotRequired[str]
    origin: str
    rows: list[ScorePayload]
    overlays: list[OverlayPayload]


class NearFilmPayload(TypedDict):
    """A near case of the cohort: a small picture as a data URL, empty where there is none; `words` say what it has."""

    picture: str
    words: str


class RevealPayload(TypedDict):
    """What is shown after the reveal, the same to everybody.

    `source` says whose labels these are; `absent` are findings labeled absent that were asked for; `normal` is null
    where it is unknown; `pair` the place of the film that has the finding.
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


@dataclass(frozen=True, slots=True, eq=False)
class PreparedFilm:
    """A film of a playlist with its pictures as WebP without metadata: one, or two for a pair, in the order shown.

    `width` and `height` are those of the pictures in pixels; `simulated` is said beside the film from the beginning.
    `outcomes` are those of each model, by name, of every finding whose label is known and for which it has a threshold.
    """

    asked: PlaylistFilm
    pictures: tuple[bytes, ...]
    width: int
    height: int
    simulated: bool
    truth: Truth
    reveal: RevealPayload
    outcomes: Mapping[str, Mapping[str, Outcome]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPlaylist:
    """The films of a playlist that could be made ready, in their order.

    `left_out` has a sentence for each film that could not, `missing` one for each thing that reveals lack, such as maps
    of a model that is not loaded; both are for the teacher. `findings` has every name that an answer may have, with the
    words by which it is found too (its synonyms).
    """

    playlist: Playlist
    films: tuple[PreparedFilm, ...]
    findings: dict[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
