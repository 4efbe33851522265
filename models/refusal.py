"""What cannot be done, in words: the base of every exception that is shown to a user."""

from __future__ import annotations


class Refusal(Exception):
    """Something that cannot be done: `title` says what is wrong, `detail` why and what to do.

    Refusal
    +-- UnreadableRadiograph, UnusableModel, WrongPrompt, WrongPrevalence     films, models, questions
    +-- NoCohort, DamagedCohort, StoreError (SlowQuestion, TooManyRows)       cohorts and what is asked of them
    +-- WrongName, WrongFilter, WrongValue, WrongIdentity                     words that name nothing
    +-- NoComparison, NoRanking, NoSample, NoMap, FailedWork, QueueFull       what is made of them
    +-- WrongPlaylist, WrongAnswer, ClassRefusal                              teaching, classes
    +-- WrongLink, NoFilm, RefusedFilm, MissingUpload, NoRoom, TooManyAtOnce  the page

    The phantom's WrongRequest has a title and a detail too, but the phantom imports nothing of this project.
    """

    def __init__(self, title: str, detail: str) -> None:
        super().__init__(title, detail)
        self.title = title
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.title}{'' if self.title.endswith('.') else '.'} {self.detail}"
