"""A playlist: films in order, a question about each, and the teacher's words before and after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from models.refusal import Refusal

# findings: which ones, on which side? point: where? normal: normal or not? present: is it present? pair: one
# patient with and without the finding; which film has it?
QuestionKind = Literal["findings", "point", "normal", "present", "pair"]
QUESTION_KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)
ABOUT_ONE_FINDING: tuple[QuestionKind, ...] = ("point", "present", "pair")
MAX_FILMS = 200  # in one playlist
MAX_MODELS = 4  # models that one film can name


class WrongPlaylist(Refusal):
    """An invalid playlist: `title` says what is wrong, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class FilmQuestion:
    """A question about a film; `finding` is None if the kind does not ask about one.

    `words`, if any, replace the standard sentence.
    """

    kind: QuestionKind
    finding: str | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class PlaylistFilm:
    """A film of a playlist.

    `cohort` and `case` identify the film; if `cohort` is empty, `case` is the address of a simulated film, which a
    `pair` question shows together with the same patient's film without findings. `before` is shown with the film,
    `note` after the reveal; `link` is the page address of the number in `note`, such as `#explore?...`, and `mark` a
    CSS selector of what to highlight there, both for the teacher's page only. `models` are those whose stored scores
    the reveal shows, in this order, or the default ones if none is named. `target` is the finding that the film was
    chosen for, `picked_by` the model whose results chose it, which is then not compared with the class on this film.
    """

    cohort: str
    case: str
    question: FilmQuestion
    before: str = ""
    note: str = ""
    link: str = ""
    mark: str = ""
    models: tuple[str, ...] = ()
    target: str = ""
    picked_by: str = ""


@dataclass(frozen=True, slots=True)
class Playlist:
    """Films in order; `about` precedes the first, `closing` follows the last.

    `seed` decides random choices: for a pair, which film is shown first.
    """

    title: str
    films: tuple[PlaylistFilm, ...] = field(default_factory=tuple)
    about: str = ""
    closing: str = ""
    seed: int = 0
