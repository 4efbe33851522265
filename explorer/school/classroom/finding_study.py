"""The reader study of one finding: which findings have one, and what it leaves out. Of a class or a review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from explorer.core.reader_study import Incomplete, LeftOut, ReaderRating, ReaderStudy, complete_study
from explorer.core.word_lists import and_list, quantity
from explorer.school.classroom.refusal import ClassRefusal

MAX_NAMED = 20  # readers or films that one sentence names


@dataclass(frozen=True, slots=True)
class StudiedFinding:
    """A finding that readers were asked for: films with and without it that were answered, and how many answered."""

    finding: str
    present: int
    absent: int
    readers: int

    @property
    def why_not(self) -> str:
        """Why the finding has no reader study; empty if it may have one."""
        if self.readers < 2:
            return "one reader" if self.readers else "no reader"
        if not self.present:
            return "no film with the finding"
        return "" if self.absent else "no film without the finding"


@dataclass(frozen=True, slots=True, eq=False)
class FindingStudy:
    """A reader study of a finding; `title` names the class or review. `notes`: what is rated, what was left out."""

    title: str
    finding: str
    study: ReaderStudy
    left_out: LeftOut
    notes: tuple[str, ...]

    @property
    def file_stem(self) -> str:
        """The name of a file with the study, without an ending: letters, digits and hyphens."""
        words = "".join(letter if letter.isalnum() else " " for letter in f"reader study {self.finding}".lower())
        return "-".join(words.split())


def complete_finding_study(
    counted: StudiedFinding,
    ratings: Sequence[ReaderRating],
    truth: Mapping[str, int],
    models: Mapping[str, Mapping[str, float]],
    readers: str,
) -> tuple[ReaderStudy, LeftOut]:
    """Return the study of a finding from ratings, the truth by case and scores by model and case; and what it lacks.

    `readers` is the word for them in refusals. Raises ClassRefusal unless two readers rated the same films, some with
    the finding and some without.
    """
    refused = f"The answers about {counted.finding} are not a reader study"
    if why := counted.why_not:
        raise ClassRefusal(
            refused,
            f"There is {why}. Two {readers} or more have to answer films with the finding and without.",
        )
    study, left = complete_study(ratings, truth, models)
    if len(study.readers) < 2 or len(set(study.truth.tolist())) < 2:
        raise ClassRefusal(
            refused, f"No two {readers} answered the same films, some with the finding and some without."
        )
    return study, left


def left_out_words(left: LeftOut) -> Iterator[str]:
    """Yield what is left out, because every reader has to rate every film."""
    if left.readers:
        yield f"Left out: {quantity(len(left.readers), 'reader')} with too few answers: {_each(left.readers)}."
    if left.cases:
        yield f"Left out: {quantity(len(left.cases), 'film')} that not all others answered: {_each(left.cases)}."
    for each in left.models:
        yield f"Left out: the model {each.name}, which scored {each.rated:,} of {each.wanted:,} films."


def _each(left: tuple[Incomplete, ...]) -> str:
    more = [f"{len(left) - MAX_NAMED:,} more"] if len(left) > MAX_NAMED else []
    return and_list([*(f"{each.name} ({each.rated:,} of {each.wanted:,})" for each in left[:MAX_NAMED]), *more])
