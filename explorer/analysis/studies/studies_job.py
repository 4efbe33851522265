"""Makes study cohorts in the background, one at a time; those of large cohorts in a process of their own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial

from explorer.analysis.studies.study_cohort import is_current, make_studies, studies_folder
from explorer.cohorts.large_cohorts import is_large
from explorer.cohorts.layout import Folder
from explorer.runtime.helper_process import HelperEnded
from explorer.runtime.in_background import InBackground
from explorer.runtime.work_process import VISITOR_WAITS, RunWork, WorkProcess, run_here
from models.refusal import Refusal

_ENDED_EARLY = (
    "The study cohort could not be made",
    "The process that makes it ended early, probably because the system ran out of memory. Close other programs, "
    "then try again.",
)


class StudiesJob:
    """Makes study cohorts, or returns how far that is. Thread-safe."""

    def __init__(self) -> None:
        self._process = WorkProcess(VISITOR_WAITS, once=True)
        self._background, self._turn = InBackground(), threading.Lock()
        self._shares: dict[str, float] = {}  # done, by cohort

    def ask(self, folder: Folder, models: Sequence[str]) -> float | None:
        """Return the share done of a cohort's study cohort, which this begins; None once it is up to date.

        `models` are those whose scores are needed; if any is missing, all of the cohort's are combined. Raises what the
        making raised. While it is made, its folder, which is renamed at the end, is not looked at.
        """
        if not self._background.has_begun(folder.name):
            there = studies_folder(folder.name)
            if there is not None and is_current(folder, there, models):
                return None
        if self._background.is_done(folder.name, partial(self._make, folder)):
            return None
        return self._shares.get(folder.name, 0)

    def close(self) -> None:
        """End the process; what it was making is resumed by the next question."""
        self._process.close()

    def _make(self, folder: Folder) -> None:
        def note(share: float) -> None:
            self._shares[folder.name] = share

        note(0)
        run: RunWork = self._process if is_large(folder) else run_here
        try:
            with self._turn:
                run(partial(make_studies, folder), note)
        except HelperEnded as ended:
            raise Refusal(*_ENDED_EARLY) from ended
        except OSError as error:
            why = f"{error.strerror}. Free disk space or make TAILSCOPE_HOME writable, then try again."
            raise Refusal("The study cohort cannot be saved", why) from error
