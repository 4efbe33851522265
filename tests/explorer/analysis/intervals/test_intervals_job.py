"""Work of a panel in the background: its result, and how long it still takes."""

from __future__ import annotations

import threading
from contextlib import closing

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.core.progress import OnShare, no_progress
from explorer.store.store import Store
from tests.ui.counted_apart import until

PATIENCE = 60.0  # s: a loaded machine


def test_work_that_reports_says_how_long_it_still_takes() -> None:
    half_done, go_on = threading.Event(), threading.Event()

    def work(on_progress: OnShare = no_progress) -> str:
        on_progress(0.5)
        half_done.set()
        assert go_on.wait(PATIENCE)
        return "done"

    with closing(IntervalsJob(Store(lambda: ()))) as job:
        assert job.ask("work", lambda: work, reports=True) is None
        assert half_done.wait(PATIENCE)
        left = job.left("work")
        assert left is not None and 0 <= left < PATIENCE
        assert job.left("other") is None
        go_on.set()
        found = until(
            lambda: {"result": job.ask("work", lambda: work, reports=True)}, lambda each: bool(each["result"])
        )
        assert found["result"] == "done"


def test_work_that_does_not_report_has_no_time_left() -> None:
    with closing(IntervalsJob(Store(lambda: ()))) as job:
        found = until(lambda: {"result": job.ask("sum", lambda: lambda: 3)}, lambda each: bool(each["result"]))
        assert found["result"] == 3 and job.left("sum") is None
