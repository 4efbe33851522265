"""The interface of Evaluate's panels: data for the script, and a table to save."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from explorer.analysis.leaderboard.means import Board, leaderboard
from explorer.analysis.leaderboard.report import BoardReport, board_report
from explorer.core.metric_plan import IntervalKind
from explorer.core.result_table import ResultTable
from explorer.ui.evaluate.subject import Subject
from explorer.ui.shared.links import LinkState
from explorer.ui.shared.services import Services


@dataclass(frozen=True, slots=True)
class PanelRequest:
    """A request to a panel: the compared models, films and metric, and the address words."""

    services: Services
    subject: Subject
    state: LinkState

    def report(self, kind: IntervalKind = "percentile") -> BoardReport:
        """Return the leaderboard, with intervals if they are ready; otherwise start computing them.

        Point estimates come first, so that `leaderboard` refuses incomparable models at once.
        """
        points = self._points()
        known = self.services.intervals.board(self.subject.board_question(kind))
        return self._report(known or points)

    def points(self) -> BoardReport:
        """Return the leaderboard without intervals, for a panel that computes its own. Raises like `report`."""
        return self._report(self._points())

    def _points(self) -> Board:
        subject, store = self.subject, self.services.store
        return leaderboard(store, subject.chosen, subject.models, natural=subject.natural, minimum=subject.minimum)

    def _report(self, board: Board) -> BoardReport:
        subject = self.subject
        return board_report(self.services.store, board, subject.chosen, subject.reference, natural=subject.natural)


@dataclass(frozen=True, slots=True)
class PanelContent:
    """Data for a panel's script, as JSON values.

    `title` describes the films; `notes` explain the figures; `computing`: intervals are being computed, `done` of them
    are ready, `left` seconds remain, if known. `words` are the panel's address words; `complaints` are about ignored
    ones. `of_films` is false if the title is not about the films, as over a paper's table.
    """

    title: str
    notes: tuple[str, ...]
    payload: Mapping[str, object]
    computing: bool
    words: Mapping[str, str] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()
    done: int = 0
    of_films: bool = True
    left: float | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel, with its `word` in addresses and its `title` on the page.

    `content` and `table` raise Refusal if there is nothing to show. `without_cohort` is the content for a machine that
    has no cohort with scores; None for panels that need one. `listed`: it has a button beside the leaderboard.
    """

    word: str
    title: str
    content: Callable[[PanelRequest], PanelContent]
    table: Callable[[PanelRequest], ResultTable]
    without_cohort: Callable[[LinkState], PanelContent] | None = None
    listed: bool = True
