"""What a panel of Evaluate is: what its script draws, and a table of it to take along."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from explorer.analysis.board_report import BoardReport, report_of
from explorer.analysis.leaderboard import leaderboard
from explorer.analysis.result_table import ResultTable
from explorer.ui.evaluate.subject import Subject
from explorer.ui.explore.links import State
from explorer.ui.explore.services import Services


@dataclass(frozen=True, slots=True)
class Asked:
    """What a panel answers to: the models, films and metric that are compared, and the words of the address."""

    services: Services
    subject: Subject
    state: State

    def report(self) -> BoardReport:
        """The leaderboard, with its intervals where these are there; they are begun otherwise.

        Points come first: what cannot be compared is refused at once, as `leaderboard` refuses it.
        """
        store, subject = self.services.store, self.subject
        compared = (subject.chosen, subject.models)
        points = leaderboard(store, *compared, natural=subject.natural)
        board = self.services.intervals.board(*compared, natural=subject.natural) or points
        return report_of(store, board, subject.chosen, subject.reference, natural=subject.natural)


@dataclass(frozen=True, slots=True)
class Content:
    """What the script of a panel gets, JSON and nothing else.

    `title` says whose films; `notes` what is counted, in sentences; `computing`: intervals are still to come. `words`
    are the panel's own of the address; `complaints` tell those that had to be left out.
    """

    title: str
    notes: tuple[str, ...]
    payload: Mapping[str, object]
    computing: bool
    words: Mapping[str, str] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel by its `word` in addresses and its `title` on the page.

    `content` and `table` raise Refusal where there is nothing to show.
    """

    word: str
    title: str
    content: Callable[[Asked], Content]
    table: Callable[[Asked], ResultTable]
