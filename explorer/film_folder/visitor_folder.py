"""The folder of one visitor: a thread of its own reads the films that come one by one; anybody asks how far it is."""

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

from explorer.cohorts.thumbnails import webp_of
from explorer.cohorts.unlisted import Unlisted
from explorer.film_folder.film_rows import FilmRow, FolderFile, RefusedFile, flagged, scores_of
from explorer.film_folder.incoming_files import IncomingFiles
from explorer.film_folder.limits import LIMITS, Limits, NoFolder
from explorer.film_folder.opened_cohort import OpenedCohort
from explorer.reading.reader import Reader, Readers, Reading
from models.cards.card import Card
from models.films.file_kind import file_kind
from models.radiograph import Radiograph, UnreadableRadiograph, read_radiograph_apart
from models.refusal import Refusal

HEAD = 1 << 16  # bytes by which a file that is no film is known without decoding it
FEW = 3  # films after which it can be said how long the others take
OTHER_KIND = "A simulated film among films of patients, or the other way round"
FAILED = "The other films could not be read. The terminal that Tailscope runs in says why."
_DECODING = threading.Semaphore(1)  # of all folders: visitors who open one film have the other turns


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a folder is. `expected` counts the files that are known to be in it, those of its ZIPs among them."""

    expected: int
    read: int
    refused: int
    passed_over: int
    running: bool
    seconds_left: float | None
    note: str  # a sentence where reading ended before everything was read


class VisitorFolder:
    """Safe to use from several threads. `place` is an empty folder of its own."""

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
        self.kept = ""  # the name of the cohort that was made of it
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
        self._reader: Reader | None = None  # of the kind of film that came first
        self._simulated = False
        self._known: dict[str, str] = {}  # sha256 of a film -> what it is called
        self._note = ""
        self._closed = False
        self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="folder", daemon=True)
        self._thread.start()

    @property
    def simulated(self) -> bool:
        """Whether its films are the simulator's: those of one kind are read."""
        return self._simulated

    def progress(self) -> Progress:
        """How far it is now."""
        running, passed_over = not self._ended, self.incoming.passed_over
        with self._lock:
            done = len(self._rows) + len(self._refused) + passed_over
            expected = max(self.incoming.expected, done) if running else done
            pace = (self._clock() - self._begun) / done if done >= FEW and running else None
            return Progress(
                expected=expected,
                read=len(self._rows),
                refused=len(self._refused),
                passed_over=passed_over,
                running=running,
                seconds_left=None if pace is None else pace * (expected - done),
                note=self._note or self.incoming.note,
            )

    def said(self) -> tuple[list[FilmRow], list[RefusedFile], Card | None]:
        """The films that were read so far, the files that were not, and the card of the model that reads them."""
        with self._lock:
            return list(self._rows), list(self._refused), self._card

    def film(self, number: int) -> FolderFile | None:
        """The film of this number; None where there is none, or it is not kept."""
        rows, refused, _ = self.said()
        sources = [row.source for row in rows] + [each.source for each in refused if each.openable]
        return next((source for source in sources if source.number == number), None)

    def explore(self) -> str:
        """The cohort of the films that were read so far, and of all when they are. Raises NoFolder, NoCohort."""
        if self.opened is None or not self.said()[0]:
            raise NoFolder("There is nothing to explore yet", "Wait until the first film is read.")
        self._explored = True
        self._show()
        return self.opened.name

    def _show(self) -> None:
        rows, refused, card = self.said()
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
        except Refusal as refusal:  # what was shown before stays
            logging.getLogger(__name__).warning("%s", refusal)

    def read_again(self, readers: Readers) -> None:
        """Have other models read the films that were read or refused by the gate; what is no film stays so.

        Raises NoFolder while it is read, and where there is no film.
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
        """Wait until its reading has ended; whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def close(self) -> None:
        """Read no more, and forget its films; what was kept as a cohort stays."""
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
        except Exception:  # any: the visitor waits for this thread alone
            if not self._closed:  # its files go from under the work then
                logging.getLogger(__name__).exception("A folder of films could not be read")
            self._note = FAILED
        finally:
            self.incoming.stop()
            self._ended = True
            if self._explored and not self._closed:
                self._show_all()
            if self._closed:  # a file may have been written while the others were removed
                shutil.rmtree(self.place, ignore_errors=True)

    def _read_all(self) -> None:
        """One film is decoded while another is read."""
        ahead: deque[tuple[FolderFile, Future[Radiograph]]] = deque()
        with ThreadPoolExecutor(1, thread_name_prefix="folder-film") as pool:
            for source in self.incoming.each(lambda: not ahead, self._is_full):
                if source is not None:
                    ahead.append((source, pool.submit(_decoded, self.films / source.file)))
                if ahead and (source is None or len(ahead) > 1):
                    self._settle(*ahead.popleft())
            while ahead and not self.incoming.stopped:
                self._settle(*ahead.popleft())

    def _is_full(self) -> bool:
        return len(self._rows) >= self._limits.films

    def _settle(self, source: FolderFile, decoding: Future[Radiograph]) -> None:
        if self._is_full():
            return self._refuse(source, self._limits.surplus, "")
        try:
            return self._read(source, decoding.result())
        except UnreadableRadiograph as reason:
            return self._refuse(source, reason.title, reason.detail)

    def _read(self, source: FolderFile, film: Radiograph) -> None:
        """Have the model read a film, when nobody waits who opened one alone."""
        first = self._known.setdefault(film.sha256, source.name)
        if first != source.name:
            return self._refuse(source, "The same bytes as another film", f"As {first}.")
        if self._reader is None:
            self._simulated, self._reader = film.simulated, self._readers.of(film.simulated)
        if film.simulated != self._simulated:
            return self._refuse(source, OTHER_KIND, "Drop them as a folder of their own.")
        reading = self._reader.read(film, gives_way=True)
        if not reading.verdict.readable:
            check = reading.verdict.details.check
            return self._refuse(source, f"Refused by the gate: {check}", reading.verdict.reason, openable=True)
        far = bool(self._is_far(reading))
        row = FilmRow(
            source=source,
            scores=scores_of(reading),
            features=reading.features,
            flagged=flagged(reading.rows, far=far),
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
    """Raises UnreadableRadiograph; what is plainly no film costs no turn of the decoders."""
    with path.open("rb") as file:
        file_kind(file.read(HEAD))
    with _DECODING:
        return read_radiograph_apart(path)
