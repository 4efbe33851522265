"""A playlist: films in an order, a question about each, and what the teacher says before and after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from models.refusal import Refusal

# findings: which are there, on which side. point: where is it. normal: normal or not. present: is it there. pair: the
# same patient twice, which of the two has it.
QuestionKind = Literal["findings", "point", "normal", "present", "pair"]
QUESTION_KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)
ABOUT_ONE_FINDING: tuple[QuestionKind, ...] = ("point", "present", "pair")
MOST_FILMS = 200  # of a playlist
MOST_MODELS = 4  # that a film names


class WrongPlaylist(Refusal):
    """A playlist that cannot be: `title` says what is wrong with it, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about a film; `finding` is the one asked about, None where the kind asks about none.

    `words` take the place of the usual sentence.
    """

    kind: QuestionKind
    finding: str | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class PlaylistFilm:
    """A film of a playlist.

    `cohort` and `case` name it; where `cohort` is empty, `case` is the address of a simulated film,
    and a question of the kind `pair` shows it beside the same patient without findings.
    `before` stands with the film, `note` after the reveal; `link` is the page's address of the number that `note`
    speaks of, such as `#explore?...`, `mark` a selector (CSS) of what is marked there: both are for the teacher's page
    alone.
    `models` are those whose cached scores of a cohort's film the reveal shows, in this order; where none is named, its
    classifier and its image-text model.
    `target` is the finding that the film was chosen for, `picked_by` the model whose outcomes or scores chose it: the
    class is not compared with it there.
    """

    cohort: str
    case: str
    question: Question
    before: str = ""
    note: str = ""
    link: str = ""
    mark: str = ""
    models: tuple[str, ...] = ()
    target: str = ""
    picked_by: str = ""


@dataclass(frozen=True, slots=True)
class Playlist:
    """Films in their order; `about` stands before the first, `closing` after the last.

    `seed` decides what is drawn by chance: for a pair, which of the two films is shown first.
    """

    title: str
    films: tuple[PlaylistFilm, ...] = field(default_factory=tuple)
    about: str = ""
    closing: str = ""
    seed: int = 0
