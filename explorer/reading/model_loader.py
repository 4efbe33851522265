"""Loads models in the background while the page is served."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial

from explorer.reading.model_routing import ByProvenance
from explorer.reading.named_outputs import model_name
from explorer.reading.one_thread import InOneThread
from explorer.reading.reader import ReadingModel
from explorer.runtime.memory import freeze_objects
from explorer.runtime.too_little_memory import ADVICE, too_little_memory
from models.cards.card import UnusableModel


@contextmanager
def importing_torch() -> Iterator[None]:
    """Raise UnusableModel if torch, or a library beside it, cannot be imported in the block, which takes seconds."""
    try:
        yield
    except (ImportError, OSError) as error:
        if too_little_memory(error) is not None:
            raise
        raise UnusableModel(
            "PyTorch, which runs the models, cannot be imported",
            f"Remove the folder .venv and start with make run, which installs it again. The cause: {error}",
        ) from error


def load_classifier(name: str, device: str) -> ReadingModel:
    """Load a classifier by name; it then computes in one thread. Raises UnusableModel."""
    try:
        with importing_torch():
            from models.load import classifier

        model = InOneThread(classifier(model_name(name), device))
    except (MemoryError, RuntimeError, OSError, ImportError) as error:
        if too_little_memory(error) is None:
            raise
        raise UnusableModel(f"There is not enough memory for {name}", ADVICE) from error
    freeze_objects()
    return model


class BackgroundModel:
    """A model loaded by `start`; calling this object returns the model or raises the loading error."""

    def __init__(self, name: str, load: Callable[[], ReadingModel]) -> None:
        self.name = name
        self._load = load
        self._future: Future[ReadingModel] = Future()

    def start(self) -> None:
        """Load in another thread. Call once, when the page is being served, because importing slows both down."""
        pool = ThreadPoolExecutor(1, thread_name_prefix="model")
        pool.submit(self._load).add_done_callback(self._finish)
        pool.shutdown(wait=False)

    def __call__(self) -> ReadingModel:
        """Wait for the model and return it. Raises UnusableModel if it is unavailable."""
        return self._future.result()

    def wait(self) -> None:
        """Wait until loading has ended, successfully or not."""
        wait([self._future])

    @property
    def loading(self) -> bool:
        return not self._future.done()

    @property
    def loaded(self) -> ReadingModel | None:
        """The model, or None if it is not loaded."""
        there = self._future.done() and self._future.exception() is None
        return self._future.result() if there else None

    @property
    def status(self) -> str:
        """The loading status in a few words."""
        if self.loading:
            return f"Loading {self.name} ..."
        error = self._future.exception()
        if error is None:
            model = self._future.result()
            return f"{model.card.name} on {model.device}"
        if isinstance(error, UnusableModel):
            return str(error)
        return f"{self.name} could not be loaded. Tailscope's terminal shows the reason."

    def _finish(self, loaded: Future[ReadingModel]) -> None:
        error = loaded.exception()
        if error is None:
            self._future.set_result(loaded.result())
            return
        if not isinstance(error, UnusableModel):
            logging.getLogger(__name__).error("The model could not be loaded", exc_info=error)
        self._future.set_exception(error)


class LazyModel:
    """A model that loads when it is first needed, or after another one.

    Calling this object returns the model or raises the loading error.
    """

    def __init__(self, name: str, load: Callable[[], ReadingModel]) -> None:
        self._model = BackgroundModel(name, load)
        self._begins = threading.Lock()
        self._begun = False

    def start_after(self, other: BackgroundModel) -> None:
        """Load after the other model, so that neither slows down the other; returns at once."""

        def then() -> None:
            other.wait()
            with suppress(RuntimeError):  # no thread can start once the program is ending
                self.start()

        threading.Thread(target=then, name="model", daemon=True).start()

    def start(self) -> None:
        """Load in another thread, unless already started."""
        with self._begins:
            if not self._begun:
                self._begun = True
                self._model.start()

    def __call__(self) -> ReadingModel:
        """Wait for the model and return it. Raises UnusableModel if it is unavailable."""
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
    """The models for real and for simulated films; `first` is loaded first, then the other one."""

    def __init__(self, first: str, names: ByProvenance[str], load: Callable[[str], ReadingModel]) -> None:
        self.first = chosen = BackgroundModel(first, partial(load, first))
        self.models: ByProvenance[BackgroundModel | LazyModel] = names.each(
            lambda name: chosen if name == first else LazyModel(name, partial(load, name))
        )

    def start(self) -> None:
        """Start loading. Call once, after the page is served."""
        self.first.start()
        for other in (self.models.real, self.models.simulated):
            if isinstance(other, LazyModel):
                other.start_after(self.first)
