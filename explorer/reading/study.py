"""Two films of one examination read as one study: which films count, and a finding's score from theirs.

The score of a study is the maximum over its films (CheXpert: Irvin et al., AAAI 2019, section Model) unless the model's
card says that it is their mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from explorer.reading.finding_list import FindingRow, finding_rows
from explorer.reading.headline import NORMAL
from explorer.reading.reader import Reading
from models.cards.card import StudyRule
from models.radiograph import Radiograph

FilmPart = Literal["read", "lateral", "refused", "read anyway"]


@dataclass(frozen=True, slots=True, eq=False)
class StudyFilm:
    """A film that was read or refused; `anyway`: the visitor overruled the refusal."""

    film: Radiograph
    reading: Reading
    anyway: bool = False

    @property
    def part(self) -> FilmPart:
        """What the film contributes. Only "read" counts: a film that the model may not read never does."""
        verdict = self.reading.verdict
        if verdict.readable:
            return "read"
        if self.anyway:
            return "read anyway"
        return "lateral" if verdict.details.check == "lateral" else "refused"


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A finding's score of the study, as a row; `scores` by film, None for one that does not count.

    `decided` is the place of the film with the highest score, the first of several; None for a mean.
    """

    row: FindingRow
    scores: tuple[float | None, ...]
    decided: int | None


@dataclass(frozen=True, slots=True)
class StudyReading:
    """One model's reading of a study: what each film contributes, and the findings, ordered as on a film.

    Normal has no row: a study is not normal because one of its films is. There are no rows if no film counts.
    """

    rule: StudyRule
    parts: tuple[FilmPart, ...]
    rows: tuple[StudyRow, ...]

    @property
    def films_read(self) -> int:
        """The number of films whose scores count."""
        return self.parts.count("read")


def headers_agree(first: Radiograph, second: Radiograph) -> bool | None:
    """Return whether both films are of one study by their headers; None if a header does not say."""
    if first.study is None or second.study is None:
        return None
    return first.study == second.study


def is_one_study(first: StudyFilm, second: StudyFilm, *, together: bool, chosen: bool | None = None) -> bool:
    """Return whether two films are taken as one study; `together`: the visitor opened them in one step.

    If one model read both, what the visitor has `chosen` holds, else what the headers say. If one does not say, films
    opened together are one study, and so are a frontal and a lateral.
    """
    if first.reading.card.name != second.reading.card.name:
        return False
    stated = headers_agree(first.film, second.film) if chosen is None else chosen
    if stated is not None:
        return stated
    return together or (first.film.view == "lateral") != (second.film.view == "lateral")


def read_study(films: Sequence[StudyFilm]) -> StudyReading:
    """Return the study's scores from readings of its films by one model.

    Raises UnusableModel if the cohort of the model's card cannot be read.
    """
    card, parts = films[0].reading.card, tuple(each.part for each in films)
    counted = [place for place, part in enumerate(parts) if part == "read"]
    if not counted:
        return StudyReading(card.study, parts, ())
    by_film = [{row.finding: row.score for row in each.reading.rows} for each in films]
    # (films, findings)
    scores = np.array([[by_film[place][finding] for finding in card.findings] for place in counted], np.float32)
    combined = scores.max(axis=0) if card.study == "maximum" else scores.mean(axis=0)
    rows = []
    for row in finding_rows(card, combined):
        if row.finding == NORMAL:
            continue
        own = [by_film[place][row.finding] if place in counted else None for place in range(len(films))]
        highest = counted[int(scores[:, card.findings.index(row.finding)].argmax())]
        rows.append(StudyRow(row, tuple(own), highest if card.study == "maximum" else None))
    return StudyReading(card.study, parts, tuple(rows))
