"""A visitor's folder: its own thread reads the films one by one; other threads can ask for its progress."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from explorer.cohorts.thumbnail_picture import webp_of
from explorer.cohorts.unlisted import Unlisted
from explorer.film_folder.film_rows import FilmRow, FolderFile, RefusedFile, flagged_findings, reading_scores
from explorer.film_folder.incoming_files import IncomingFiles
from explorer.film_folder.limits import LIMITS, Limits, NoFolder
from explorer.film_folder.opened_cohort import OpenedCohort
from explorer.reading.reader import Reader, Readers, Reading
from models.cards.card import Card
from models.films.file_kind import file_kind
from models.radiograph import Radiograph, UnreadableRadiograph, read_radiograph_apart
from models.refusal import Refusal

HEAD_BYTES = 1 << 16  # enough to recognize a file that is not a film without decoding it
MIN_FILMS_FOR_PACE = 3  # before that, the remaining time cannot be estimated
OTHER_KIND = "Simulated and real films cannot be read in the same folder"
LATERAL = "Lateral film, not read by this model"
FAILED = "The other films could not be read. See the terminal that Tailscope runs in."
_DECODING = threading.Semaphore(1)  # shared by all folders, so that visitors who open one film are served in between


@dataclass(frozen=True, slots=True)
class FolderProgress:
    """The progress of a folder. `expected` counts the files known so far, including those in ZIPs."""

    expected: int
    read: int
    refused: int
    passed_over: int
    running: bool
    seconds_left: float | None
    note: str  # a sentence, if reading stopped early


class VisitorFolder:
    """A folder of films. Thread-safe. `place` is an empty folder for its files."""

    def __init__(
        self,
        place: Path,
        readers: Readers,
        expected: int = 1,
        limits: Limits = LIMITS,
        clock: Callable[[], float] = time.monotonic,
        unlisted: Unlisted | None = None,
        is_far: Callable[[Reading], bool | None] = lambda reading: False,
    ) -> None:
        self.place = place
        self.films = place / "films"
        self.films.mkdir(mode=0o700)
        self.incoming = IncomingFiles(self.films, expected, limits, self._refuse, clock)
        self.kept = ""  # name of the cohort made from it
        self.opened = None if unlisted is None else OpenedCohort(place / "cohort", self.films, unlisted)
        self._explored = self._ended = False
        self._limits = limits
        self._is_far = is_far
        self._readers = readers
        self._clock = clock
        self._begun = clock()
        self._lock = threading.Lock()
        self._rows: list[FilmRow] = []
        self._refused: list[RefusedFile] = []
        self._card: Card | None = None
        self._reader: Reader | None = None  # for the kind of the first film, real or simulated
        self._simulated = False
        self._known: dict[str, str] = {}  # sha256 of a film -> its name
        self._note = ""
        self._closed = False
        self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="folder", daemon=True)
        self._thread.start()

    @property
    def simulated(self) -> bool:
        """Whether its films are simulated: all films of a folder are of the same kind."""
        return self._simulated

    def progress(self) -> FolderProgress:
        """Return the current progress."""
        running, passed_over = not self._ended, self.incoming.passed_over
        with self._lock:
            done = len(self._rows) + len(self._refused) + passed_over
            expected = max(self.incoming.expected, done) if running else done
            pace = (self._clock() - self._begun) / done if done >= MIN_FILMS_FOR_PACE and running else None
            return FolderProgress(
                expected=expected,
                read=len(self._rows),
                refused=len(self._refused),
                passed_over=passed_over,
                running=running,
                seconds_left=None if pace is None else pace * (expected - done),
                note=self._note or self.incoming.note,
            )

    def results(self) -> tuple[list[FilmRow], list[RefusedFile], Card | None]:
        """Return the films read so far, the files refused, and the card of the model."""
        with self._lock:
            return list(self._rows), list(self._refused), self._card

    def film(self, number: int) -> FolderFile | None:
        """Return the film with this number; None if there is none, or it is not stored."""
        rows, refused, _ = self.results()
        sources = [row.source for row in rows] + [each.source for each in refused if each.openable]
        return next((source for source in sources if source.number == number), None)

    def explore(self) -> str:
        """Open the films in Explore, now and once all are read; returns the cohort. Raises NoFolder, NoCohort."""
        if self.opened is None or not self.results()[0]:
            raise NoFolder("There is nothing to explore yet", "Wait until the first film is read.")
        self._explored = True
        self._show()
        return self.opened.name

    def _show(self) -> None:
        rows, refused, card = self.results()
        if self.opened is None or card is None or not rows:
            return
        progress = self.progress()
        coming = progress.expected - len(rows) - len(refused) - progress.passed_over if progress.running else 0
        try:
            self.opened.show(rows, refused, card, simulated=self.simulated, coming=max(0, coming))
        except OSError as error:
            raise NoFolder("Explore cannot be opened", f"Its files could not be written: {error.strerror}.") from error

    def _show_all(self) -> None:
        try:
            self._show()
        except Refusal as refusal:  # the previous version stays visible
            logging.getLogger(__name__).warning("%s", refusal)

    def read_again(self, readers: Readers) -> None:
        """Read the films again with other models, including films that the gate refused; other refusals stay.

        Raises NoFolder while it is being read, and if there are no films.
        """
        with self._lock:
            films = [row.source for row in self._rows] + [each.source for each in self._refused if each.openable]
            if self._closed or not self._ended:
                raise NoFolder("The folder is still being read", "Wait until it is read, or stop it, then ask again.")
            if not films:
                raise NoFolder("There is nothing to read again", "None of the files is a film.")
            self._rows, self._refused = [], [each for each in self._refused if not each.openable]
            self._readers, self._reader, self._card = readers, None, None
            self._note = self.kept = ""
            self._ended, self._begun = False, self._clock()
            others = len(self._refused) + self.incoming.passed_over
            self.incoming.again(sorted(films, key=lambda each: each.number), others)
            self._start()

    def wait(self, seconds: float) -> bool:
        """Wait for reading to end; returns whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def close(self) -> None:
        """Stop reading and delete the films; a cohort made from them stays."""
        self._closed = True
        self.incoming.stop()
        if self.opened is not None:
            self.opened.close()
        shutil.rmtree(self.place, ignore_errors=True)

    def _work(self) -> None:
        try:
            self._read_all()
        except Refusal as refusal:  # the model is unavailable
            self._note = str(refusal)
        except Exception:  # any error: nothing else reports it to the visitor
            if not self._closed:  # closing deletes the files and so causes errors
                logging.getLogger(__name__).exception("A folder of films could not be read")
            self._note = FAILED
        finally:
            self.incoming.stop()
            self._ended = True
            if self._explored and not self._closed:
                self._show_all()
            if self._closed:  # a file may have been written during deletion
                shutil.rmtree(self.place, ignore_errors=True)

    def _read_all(self) -> None:
        """Read all films; the next one is decoded while one is read."""
        ahead: deque[tuple[FolderFile, Future[Radiograph]]] = deque()
        with ThreadPoolExecutor(1, thread_name_prefix="folder-film") as pool:
            for source in self.incoming.each(lambda: not ahead, self._is_full):
                if source is not None:
                    ahead.append((source, pool.submit(_decoded, self.films / source.file)))
                if ahead and (source is None or len(ahead) > 1):
                    self._finish(*ahead.popleft())
            while ahead and not self.incoming.stopped:
                self._finish(*ahead.popleft())

    def _is_full(self) -> bool:
        return len(self._rows) >= self._limits.films

    def _finish(self, source: FolderFile, decoding: Future[Radiograph]) -> None:
        if self._is_full():
            return self._refuse(source, self._limits.surplus, "")
        try:
            return self._read(source, decoding.result())
        except UnreadableRadiograph as reason:
            return self._refuse(source, reason.title, reason.detail)

    def _read(self, source: FolderFile, film: Radiograph) -> None:
        """Let the model read a film, after visitors who opened a single one."""
        first = self._known.setdefault(film.sha256, source.name)
        if first != source.name:
            return self._refuse(source, "The same bytes as another film", f"As {first}.")
        if self._reader is None:
            self._simulated, self._reader = film.simulated, self._readers.of(film.simulated)
        if film.simulated != self._simulated:
            return self._refuse(source, OTHER_KIND, "Drop them as a folder of their own.")
        reading = self._reader.read(film, low_priority=True)
        if not reading.verdict.readable:
            check = reading.verdict.details.check
            why = LATERAL if check == "lateral" else f"Refused by the gate: {check}"
            return self._refuse(source, why, reading.verdict.reason, openable=True)
        far = bool(self._is_far(reading))
        row = FilmRow(
            source=source,
            scores=reading_scores(reading),
            features=reading.features,
            flagged=flagged_findings(reading.rows, far=far),
            far=far,
            cautions=reading.verdict.cautions,
            view=film.view,
            size=film.original_size,
            picture=webp_of(film.pixels),
        )
        with self._lock:
            self._card = reading.card
            self._rows.append(row)
        return None

    def _refuse(self, source: FolderFile, reason: str, detail: str, *, openable: bool = False) -> None:
        if not openable:
            (self.films / source.file).unlink(missing_ok=True)
        with self._lock:
            self._refused.append(RefusedFile(source, reason, detail, openable))


def _decoded(path: Path) -> Radiograph:
    """Decode a film; files that are not films never wait for the decoder. Raises UnreadableRadiograph."""
    with path.open("rb") as file:
        file_kind(file.read(HEAD_BYTES))
    with _DECODING:
        return read_radiograph_apart(path)
