"""The base class of every error that is shown to a user."""

from __future__ import annotations


class Refusal(Exception):
    """A request that cannot be met: `title` says what is wrong, `detail` says why and what to do.

    Refusal
    +-- UnreadableRadiograph, UnusableModel, WrongPrompt, WrongPrevalence     films, models, questions
    +-- NoCohort, DamagedCohort, StoreError (SlowQuestion, TooManyRows)       cohorts and queries
    +-- NoStudies                                                             study cohorts
    +-- WrongName, WrongFilter, WrongValue, WrongTable, WrongIdentity         unknown names and values
    +-- NoComparison, NoTracks, NoRanking, NoSample, NoMap                    analyses
    +-- FailedWork, QueueFull                                                 work
    +-- WrongPlaylist, WrongAnswer, ClassRefusal                              teaching, classes
    +-- WrongLink, NoFilm, RefusedFilm, MissingUpload, NoRoom, TooManyAtOnce  the page

    The simulator's WrongRequest also has a title and a detail, but the simulator imports nothing from this package.
    """

    def __init__(self, title: str, detail: str) -> None:
        super().__init__(title, detail)
        self.title = title
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.title}{'' if self.title.endswith('.') else '.'} {self.detail}"
