"""A model while the page is already there: loaded by one thread, waited for by those who need it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial

from explorer.reading.model_routing import ByProvenance
from explorer.reading.named_outputs import model_name
from explorer.reading.one_thread import InOneThread
from explorer.reading.reader import ReadingModel
from explorer.runtime.memory import freeze_objects
from explorer.runtime.too_little_memory import ADVICE, too_little_memory
from models.cards.card import UnusableModel


def load_classifier(name: str, device: str) -> ReadingModel:
    """The classifier of a name, which computes in one thread. Raises UnusableModel."""
    try:
        from models.load import classifier  # brings torch, for which no page waits

        model = InOneThread(classifier(model_name(name), device))
    except (MemoryError, RuntimeError, OSError, ImportError) as error:
        if too_little_memory(error) is None:
            raise
        raise UnusableModel(f"There is not enough memory for {name}", ADVICE) from error
    freeze_objects()
    return model


class BackgroundModel:
    """Called, it gives the model or raises what loading raised. Loading begins with `start`."""

    def __init__(self, name: str, load: Callable[[], ReadingModel]) -> None:
        self.name = name
        self._load = load
        self._future: Future[ReadingModel] = Future()

    def start(self) -> None:
        """Load in another thread. To be called once, when the page is served: both would import at half the speed."""
        pool = ThreadPoolExecutor(1, thread_name_prefix="model")
        pool.submit(self._load).add_done_callback(self._settle)
        pool.shutdown(wait=False)

    def __call__(self) -> ReadingModel:
        """The model; waits until it is there. Raises UnusableModel where it is unavailable."""
        return self._future.result()

    def wait(self) -> None:
        """Return once loading has ended, well or badly."""
        wait([self._future])

    @property
    def loading(self) -> bool:
        return not self._future.done()

    @property
    def loaded(self) -> ReadingModel | None:
        """The model where it is there; waits for nothing."""
        there = self._future.done() and self._future.exception() is None
        return self._future.result() if there else None

    @property
    def status(self) -> str:
        """Where loading stands, in a few words."""
        if self.loading:
            return f"Loading {self.name} ..."
        error = self._future.exception()
        if error is None:
            model = self._future.result()
            return f"{model.card.name} on {model.device}"
        if isinstance(error, UnusableModel):
            return str(error)
        return f"{self.name} could not be loaded. The terminal Tailscope runs in says why."

    def _settle(self, loaded: Future[ReadingModel]) -> None:
        error = loaded.exception()
        if error is None:
            self._future.set_result(loaded.result())
            return
        if not isinstance(error, UnusableModel):
            logging.getLogger(__name__).error("The model could not be loaded", exc_info=error)
        self._future.set_exception(error)


class LazyModel:
    """A model that begins to load when it is first wanted, or after another one.

    Called, it gives the model or raises what loading raised.
    """

    def __init__(self, name: str, load: Callable[[], ReadingModel]) -> None:
        self._model = BackgroundModel(name, load)
        self._begins = threading.Lock()
        self._begun = False

    def start_after(self, other: BackgroundModel) -> None:
        """Load once the other one is there, so that neither slows the other; waits for nothing."""

        def then() -> None:
            other.wait()
            with suppress(RuntimeError):  # the program has ended meanwhile: no thread begins then
                self.start()

        threading.Thread(target=then, name="model", daemon=True).start()

    def start(self) -> None:
        """Load in another thread, if that has not begun."""
        with self._begins:
            if not self._begun:
                self._begun = True
                self._model.start()

    def __call__(self) -> ReadingModel:
        """The model; waits until it is there. Raises UnusableModel where it is unavailable."""
        self.start()
        return self._model()

    @property
    def loading(self) -> bool:
        return self._begun and self._model.loading

    @property
    def failed(self) -> bool:
        """Whether loading ended without a model."""
        return self._begun and not self._model.loading and self._model.loaded is None


class Classifiers:
    """The models that read films, by their provenance: `first` is loaded first, another one once that is there."""

    def __init__(self, first: str, names: ByProvenance[str], load: Callable[[str], ReadingModel]) -> None:
        self.first = chosen = BackgroundModel(first, partial(load, first))
        self.models: ByProvenance[BackgroundModel | LazyModel] = names.each(
            lambda name: chosen if name == first else LazyModel(name, partial(load, name))
        )

    def start(self) -> None:
        """Begin to load them. To be called once, when the page is served."""
        self.first.start()
        for other in (self.models.real, self.models.simulated):
            if isinstance(other, LazyModel):
                other.start_after(self.first)
