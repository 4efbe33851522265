"""What a panel of Evaluate is: what its script draws, and a table of it to take along."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from explorer.analysis.leaderboard.means import Board, leaderboard
from explorer.analysis.leaderboard.report import BoardReport, report_of
from explorer.core.result_table import ResultTable
from explorer.ui.evaluate.subject import Subject
from explorer.ui.shared.links import LinkState
from explorer.ui.shared.services import Services


@dataclass(frozen=True, slots=True)
class Asked:
    """What a panel answers to: the models, films and metric that are compared, and the words of the address."""

    services: Services
    subject: Subject
    state: LinkState

    def report(self) -> BoardReport:
        """The leaderboard, with its intervals where these are there; they are begun otherwise.

        Points come first: what cannot be compared is refused at once, as `leaderboard` refuses it.
        """
        subject = self.subject
        points = self._points()
        board = self.services.intervals.board(subject.chosen, subject.models, natural=subject.natural) or points
        return self._report(board)

    def points(self) -> BoardReport:
        """The leaderboard without intervals, for a panel that has its own; refused as `report` is."""
        return self._report(self._points())

    def _points(self) -> Board:
        return leaderboard(self.services.store, self.subject.chosen, self.subject.models, natural=self.subject.natural)

    def _report(self, board: Board) -> BoardReport:
        subject = self.subject
        return report_of(self.services.store, board, subject.chosen, subject.reference, natural=subject.natural)


@dataclass(frozen=True, slots=True)
class Content:
    """What the script of a panel gets, JSON and nothing else.

    `title` says whose films; `notes` what is counted, in sentences; `computing`: intervals are still to come, `done` of
    them are there. `words` are the panel's own of the address; `complaints` tell those that had to be left out.
    """

    title: str
    notes: tuple[str, ...]
    payload: Mapping[str, object]
    computing: bool
    words: Mapping[str, str] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()
    done: int = 0


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel by its `word` in addresses and its `title` on the page.

    `content` and `table` raise Refusal where there is nothing to show.
    """

    word: str
    title: str
    content: Callable[[Asked], Content]
    table: Callable[[Asked], ResultTable]
