from __future__ import annotations

import logging
import threading
import time

import pytest

from explorer.runtime.background_jobs import BackgroundJob, FailedWork


def settled(job: BackgroundJob, key: str, work: object = None) -> object:
    """Ask until there is an answer."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        answer = job.ask(key, work if callable(work) else lambda: work)
        if answer is not None:
            return answer
        time.sleep(0.005)
    raise AssertionError(f"{key} was never answered")


class HeldWork:
    """Work that goes on until it is let go, and remembers what was done after it."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.let_go = threading.Event()
        self.done: list[str] = []

    def work(self) -> str:
        self.begun.set()
        assert self.let_go.wait(10)
        return "held"

    def note(self, name: str) -> str:
        self.done.append(name)
        return name


@pytest.fixture
def held() -> HeldWork:
    return HeldWork()


def busy(held: HeldWork, **options: float) -> BackgroundJob:
    """A job that works on something until it is let go."""
    job = BackgroundJob(**options)  # type: ignore[arg-type]
    assert job.ask("held", held.work) is None
    assert held.begun.wait(10)
    return job


def test_an_answer_is_computed_once_and_nobody_waits(held: HeldWork) -> None:
    job = busy(held)
    start = time.perf_counter()
    assert [job.ask("held", held.work) for _ in range(100)] == [None] * 100
    assert job.ask("other", lambda: held.note("other")) is None
    assert time.perf_counter() - start < 1
    held.let_go.set()
    assert settled(job, "held") == "held"
    assert settled(job, "other", lambda: held.note("again")) == "other"
    assert held.done == ["other"]


def test_the_question_asked_last_comes_first(held: HeldWork) -> None:
    job = busy(held)
    for name in ("first", "second", "first"):
        job.ask(name, lambda name=name: held.note(name))  # type: ignore[misc]
    held.let_go.set()
    settled(job, "first", lambda: held.note("first"))
    settled(job, "second", lambda: held.note("second"))
    assert held.done == ["first", "second"]


def test_what_nobody_asks_any_more_is_dropped(held: HeldWork) -> None:
    now = [0.0]
    job = busy(held, patience=30, clock=lambda: now[0])  # type: ignore[arg-type]
    job.ask("left", lambda: held.note("left"))
    now[0] = 20
    job.ask("stayed", lambda: held.note("stayed"))
    now[0] = 45
    held.let_go.set()
    settled(job, "stayed", lambda: held.note("stayed"))
    settled(job, "last", lambda: held.note("last"))
    assert held.done == ["stayed", "last"]


def test_long_work_gives_way_to_others_once_nobody_asks_for_it(
    held: HeldWork, caplog: pytest.LogCaptureFixture
) -> None:
    now, steps = [0.0], list[str]()
    job = BackgroundJob(patience=30, clock=lambda: now[0])

    def long() -> str:
        job.check_wanted()
        held.work()
        job.check_wanted()
        steps.append("finished")
        return "long"

    job.ask("long", long)
    assert held.begun.wait(10)
    now[0] = 40  # nobody has asked since, but nobody waits for anything else
    job.check_wanted()
    job.ask("long", long)
    job.ask("other", lambda: held.note("other"))
    now[0] = 60
    job.check_wanted()
    job.ask("other", lambda: held.note("other"))
    now[0] = 71
    held.let_go.set()
    assert settled(job, "other", lambda: held.note("other")) == "other"
    assert not steps and not caplog.records
    assert settled(job, "long", long) == "long"


def test_a_failure_is_told_once_and_the_next_who_asks_has_it_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    job, tries = BackgroundJob(), []

    def work() -> str:
        tries.append("try")
        if len(tries) == 1:
            raise ZeroDivisionError("by nothing")
        return "done"

    with caplog.at_level(logging.ERROR), pytest.raises(FailedWork) as failure:
        settled(job, "fails", work)
    assert "ZeroDivisionError: by nothing" in failure.value.detail
    assert "could not be computed" in caplog.text and "ZeroDivisionError" in caplog.text
    assert settled(job, "fails", work) == "done"


def test_answers_are_bounded_and_those_in_use_stay() -> None:
    job = BackgroundJob(kept=2)
    for name in ("a", "b"):
        settled(job, name, name)
    assert job.ask("a", lambda: "new") == "a"
    settled(job, "c", "c")
    assert job.ask("a", lambda: "new") == "a"
    assert settled(job, "b", "anew") == "anew"


def test_a_closed_job_takes_up_nothing(held: HeldWork) -> None:
    job = busy(held)
    job.ask("waits", lambda: held.note("waits"))
    job.close()
    held.let_go.set()
    (thread,) = [each for each in threading.enumerate() if each is job._thread]
    thread.join(10)
    assert not thread.is_alive() and held.done == []
    assert job.ask("later", lambda: held.note("later")) is None
    assert job.ask("held", held.work) == "held"
