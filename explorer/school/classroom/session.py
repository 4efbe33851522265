"""A running class: the current film, what has been revealed, who answered what. Thread-safe."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence, Set
from concurrent.futures import Future
from functools import partial
from typing import Literal

from explorer.school.classroom.answers import AnswerDatabase
from explorer.school.classroom.join_code import is_code, new_code
from explorer.school.classroom.kept import answer_row, deleted_rows, learner_row, renamed_row
from explorer.school.classroom.learners import (
    PLACE_CLEARED,
    PLACE_GIVEN_AWAY,
    REMOVED_FOR_GOOD,
    REMOVED_MAY_REJOIN,
    DeviceRefusal,
    JudgedAnswer,
    Learner,
    Learners,
)
from explorer.school.classroom.nickname import read_nickname
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.teacher_screen import SessionStage
from explorer.school.judging.answer import WrongAnswer, read_answer
from explorer.school.judging.judged import grade_answer
from explorer.school.judging.model_answer import ModelAnswer
from explorer.school.judging.tally import RightPayload, TallyPayload, rights_payload, tally_answers
from explorer.school.preparing.prepared import PreparedFilm, PreparedPlaylist

# Who must refresh: everyone now ("step"), everyone soon ("joined"), or the learner of this number.
SessionChange = Literal["step", "joined"] | int
_PER_STEP = 1_000  # a version is steps * 1,000 + a learner's number of answers, at most two for each of 200 films


class Session:
    """A class from beginning to end. Learners' calls raise ClassRefusal or WrongAnswer.

    Where a film has an answer in `model_answers`, a learner who has answered sees it and answers a second time.
    """

    def __init__(
        self,
        prepared: PreparedPlaylist,
        own_pace: bool,
        answers: AnswerDatabase,
        changed: Callable[[SessionChange], None],
        model_answers: Sequence[ModelAnswer | None] = (),
    ) -> None:
        self.model_answers = model_answers or (None,) * len(prepared.films)  # by film; None: one answer, and no model's
        self.prepared = prepared
        self.own_pace = own_pace
        self.code = new_code()
        self.learners = Learners()
        self.removed: list[Learner] = []  # removed learners whose answers are kept without the nickname
        self.lets_in = True
        self.lock = threading.RLock()
        self.film = 0
        self.stage: SessionStage = "open" if own_pace else "waiting"
        self._answers = answers
        self._changed = changed
        self._furthest = len(self.films) - 1 if own_pace else -1
        self._revealed: set[int] = set()
        self._steps = 1
        self._tallies: dict[int, TallyPayload] = {}

    @property
    def films(self) -> tuple[PreparedFilm, ...]:
        return self.prepared.films

    # The teacher's steps.

    def go(self, film: int) -> None:
        """Show a film; a revealed film stays revealed."""
        if not 0 <= film < len(self.films):
            raise ClassRefusal(
                "There is no such film", f"Choose one of the {len(self.films)} films of the playlist.", 404
            )
        with self.lock:
            self.film = film
            self._furthest = max(self._furthest, film)
            self._step()

    def reveal(self) -> None:
        """Reveal the current film to everyone; from now on, it takes no answers."""
        with self.lock:
            if self._furthest < 0:
                raise ClassRefusal("No film is shown yet", "Show the first film, then reveal it.")
            self._revealed.add(self.film)
            self._step()

    def end(self) -> None:
        """End the class: no more answers, but learners may still review what they saw."""
        with self.lock:
            self.stage = "ended"
            self._step()

    def let_in(self, on: bool) -> None:
        """Open the class to more learners, or close it."""
        with self.lock:
            self.lets_in = on

    def remove(self, nickname: str, *, keep: bool, again: bool) -> Future[None]:
        """Remove a learner; the future is done once the removal is on disk.

        `keep`: the answers stay and count, without the nickname; `again`: the device may join again.
        """
        with self.lock:
            learner = self.learners.named(nickname)
            stays = keep and not learner.never_answered
            if stays:
                self.removed.append(learner)
            done = self._remove(
                learner, REMOVED_MAY_REJOIN if again else REMOVED_FOR_GOOD, len(self.removed) if stays else 0
            )
            self._announce_count()
            return done

    def clear(self) -> Future[None]:
        """Remove all learners who have answered nothing."""
        done = _done()
        with self.lock:
            for learner in self.learners:
                if learner.never_answered:
                    done = self._remove(learner, PLACE_CLEARED)
            self._announce_count()
        return done

    def _remove(self, learner: Learner, why: DeviceRefusal, as_removed: int = 0) -> Future[None]:
        """Remove a learner; `as_removed` numbers removed learners whose answers are kept; 0 deletes the answers."""
        self.learners.remove(learner, why)
        if as_removed:
            learner.nickname = removed_name(as_removed)
        self._tallies.clear()
        self._changed(learner.number)  # wakes the device, which then learns why
        if as_removed:
            return self._answers.add(renamed_row(learner.number, learner.nickname))
        return self._answers.add(*deleted_rows(learner.number))

    def _announce_count(self) -> None:
        """Announce a new number of learners soon."""
        self._steps += 1
        self._changed("joined")

    def _step(self) -> None:
        if self.stage != "ended":
            self.stage = "revealed" if self.film in self._revealed else "open"
        self._steps += 1
        self._changed("step")

    # Learners' calls.

    def check_code(self, code: object) -> None:
        """Raise WrongCode if this code does not admit a learner."""
        if not is_code(code, self.code) or self.stage == "ended":
            raise WrongCode

    def join(self, code: object, nickname: object) -> tuple[Learner, str, Future[None]]:
        """Return a new learner, the token of their device, and a future that is done once the nickname is saved.

        Raises WrongCode, or another ClassRefusal.
        """
        with self.lock:
            self.check_code(code)
            if not self.lets_in:
                raise ClassRefusal(
                    "The class is closed to new learners", "Ask the teacher to let learners in, then join.", 403
                )
            called = read_nickname(nickname)
            self.learners.refuse_taken(called)  # before anyone loses a place for it
            if (longest_silent := self.learners.longest_silent()) is not None:
                self._remove(longest_silent, PLACE_GIVEN_AWAY)
            learner, token = self.learners.add(called)
            kept = self._answers.add(learner_row(learner.number, learner.nickname))
        kept.add_done_callback(partial(self._joined, learner))
        return learner, token, kept

    def _joined(self, learner: Learner, kept: Future[None]) -> None:
        with self.lock:
            if kept.exception() is not None:
                self.learners.remove(learner)
            self._announce_count()

    def answer(self, learner: Learner, film: int, sent: object, *, second: bool = False) -> Future[None]:
        """Save a learner's answer; the future is done once it is durable. Sending the same answer again is harmless.

        `second`: after having seen the model's answer.
        """
        opened = self.open_film(learner, film)
        given = read_answer(opened.entry.question, sent)
        if not set(given.findings or ()) <= self.prepared.findings.keys():
            raise WrongAnswer("A finding is not in the list", "Choose findings from the list.")
        result = grade_answer(opened.entry.question, given, opened.truth, opened.entry.target)
        with self.lock:
            if learner not in self.learners:
                raise ClassRefusal("You are not in the class", "Type the code that the teacher's screen shows.", 401)
            if second:
                self.model_answer(learner, film)
            pending = learner.pending_again if second else learner.pending
            if (known := learner.given(film, second=second)) is not None:
                if known != given:
                    which = "second" if second else "first"
                    raise ClassRefusal("You have answered this film", f"The {which} answer stands.")
                return pending[film][1] if film in pending else _done()
            self._refuse_late(film)
            kept = self._answers.add(answer_row(learner.number, film, given, result, opened.places, second=second))
            pending[film] = given, kept
        kept.add_done_callback(partial(self._kept, learner, film, JudgedAnswer(given, result), second=second))
        return kept

    def model_answer(self, learner: Learner, film: int) -> ModelAnswer:
        """Return the model's answer to a film that the learner has answered. Raises ClassRefusal."""
        self.open_film(learner, film)
        found = self.model_answers[film]
        if found is None:
            raise ClassRefusal("No model answers here", "Your answer stands.", 404)
        if film not in learner.answers:
            raise ClassRefusal("The model's answer comes after yours", "Answer the film first.", 403)
        return found

    def _refuse_late(self, film: int) -> None:
        if self.stage == "ended":
            raise ClassRefusal("The class has ended", "No more answers are taken.")
        if film in self._revealed:
            raise ClassRefusal("This film is revealed", "It takes no more answers. Continue with the next film.")

    def _kept(
        self, learner: Learner, film: int, given: JudgedAnswer, kept: Future[None], *, second: bool = False
    ) -> None:
        with self.lock:
            del (learner.pending_again if second else learner.pending)[film]
            if kept.exception() is None:
                (learner.again if second else learner.answers)[film] = given
                self._tallies.pop(film, None)
                self._changed(learner.number)

    def open_film(self, learner: Learner, film: int) -> PreparedFilm:
        """Return a film that the learner may view."""
        if film not in self.films_open_to(learner):
            what = "Answer the films before it." if self.own_pace else "Wait until the teacher shows it."
            raise ClassRefusal("This film is not open yet", what, 403)
        return self.films[film]

    def films_open_to(self, learner: Learner) -> range:
        """Return the films that a learner may view: up to the furthest one shown, or up to the next one to answer."""
        if not self.own_pace:
            return range(self._furthest + 1)
        with self.lock:
            done = self._revealed.union(self._films_done(learner))
            return range(min(self.first_undone(done) + 1, len(self.films)))

    def first_undone(self, done: Set[int]) -> int:
        """Return the first film not yet done; the number of films if all are done."""
        return next((film for film in range(len(self.films)) if film not in done), len(self.films))

    def films_revealed_to(self, learner: Learner) -> list[int]:
        """Return the films revealed to a learner: by the teacher or, at their own pace, also by answering."""
        with self.lock:
            return sorted(self._revealed.union(self._films_done(learner)) if self.own_pace else self._revealed)

    def _films_done(self, learner: Learner) -> set[int]:
        """Return the films that take no more answers of a learner: a second one is due where a model answers."""
        return {film for film in learner.answers if self.model_answers[film] is None or film in learner.again}

    def version(self, learner: Learner) -> int:
        """Return a number that changes whenever anything that the learner may see changes."""
        with self.lock:
            return self._steps * _PER_STEP + len(learner.answers) + len(learner.again)

    # Counts.

    def tally(self, film: int, *, right: bool) -> TallyPayload:
        """Return the class's answers to a film; `right` only for those who may see its reveal."""
        with self.lock:
            if film not in self._tallies:
                given = [learner.answers[film] for learner in self.all_learners if film in learner.answers]
                rights = rights_payload([each.judged.right for each in given])
                answers = [each.answer for each in given]
                self._tallies[film] = tally_answers(self.films[film].entry.question, answers, rights)
            counted = self._tallies[film]
        return counted if right else {**counted, "right": None}

    def again_right(self, film: int) -> RightPayload | None:
        """Return how many second answers to a revealed film are right; None before, or if no model answers it."""
        with self.lock:
            if not self.is_revealed(film) or self.model_answers[film] is None:
                return None
            given = [each.again[film] for each in self.all_learners if film in each.again]
            return rights_payload([each.judged.right for each in given])

    def tally_on_screen(self, film: int) -> TallyPayload:
        """Return the tally for the teacher's screen; the class sees it, so it must not invite copying.

        Until the reveal, it has only counts; once everyone has answered, it also has the choices, but no marked points.
        """
        with self.lock:
            if self.is_revealed(film):
                return self.tally(film, right=True)
            counted = self.tally(film, right=False)
            all_have = all(film in each.answers for each in self.learners)
            return {**counted, "points": [], "choices": counted["choices"] if all_have else []}

    @property
    def all_learners(self) -> list[Learner]:
        """All learners whose answers count: present ones, and removed ones whose answers were kept."""
        return [*self.learners, *self.removed]

    def is_revealed(self, film: int) -> bool:
        """Return whether the teacher has revealed the film to everyone."""
        return film in self._revealed


def removed_name(number: int) -> str:
    """Return the stand-in for a removed learner's nickname, longer than any nickname may be."""
    return f"removed by the teacher ({number})"


class WrongCode(ClassRefusal):
    """Raised for a code that no running class has."""

    def __init__(self) -> None:
        super().__init__("This code does not belong to a class", "Type the code that the teacher's screen shows.", 403)


def _done() -> Future[None]:
    kept: Future[None] = Future()
    kept.set_result(None)
    return kept
