"""The other process that computes intervals: a question is a function of these rooms and what it takes, its answer what
that returns.

Both are pickled: only Tailscope itself asks and answers.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from explorer.analysis.board_parts import Groups
from explorer.analysis.cell_intervals import FindingIntervals, intervals_of
from explorer.analysis.joint_scores import JointScores
from explorer.analysis.leaderboard import Board, board_of
from explorer.runtime.helper_process import PATIENT, HelperEnded, HelperProcess, serve

if TYPE_CHECKING:
    from explorer.store.results import Column

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


class IntervalsApart:
    """Computes intervals at a lower priority: they take seconds, and the page is there without them.

    Where no process can be started they are computed here. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._process = HelperProcess("explorer.analysis.intervals_process", PATIENT)

    def of(
        self, column: Column, centers: tuple[str, ...], between: tuple[str, str] | None, resamples: int, seed: int
    ) -> FindingIntervals:
        """What `intervals_of` returns."""
        return self._ask(intervals_of, column, centers, between, resamples, seed)

    def board(self, joint: JointScores, groups: Groups, resamples: int, seed: int, natural: bool) -> Board:
        """What `board_of` returns."""
        return self._ask(board_of, joint, groups, resamples, seed, natural)

    def _ask(self, work: Callable[Asked, Answer], *arguments: Asked.args, **keywords: Asked.kwargs) -> Answer:
        try:
            answer: Answer = pickle.loads(self._process.ask(pickle.dumps((work, arguments, keywords))))
        except HelperEnded:
            return work(*arguments, **keywords)
        return answer


def _answer(question: bytes) -> bytes:
    work, arguments, keywords = pickle.loads(question)
    return pickle.dumps(work(*arguments, **keywords))


if __name__ == "__main__":
    serve(_answer)
