"""One store of the cohorts that are there, for what opens one of its own each time: to load a cohort takes longest."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from explorer.store.store import Store


def loaded_store() -> Store:
    """A store of the cohorts that are there: tables are those that others have loaded, answers of analyses its own."""
    with lasting():
        return Store()


@contextmanager
def lasting() -> Iterator[None]:
    """Every `Store()` in here has the tables of the one store and leaves them when it is closed."""
    with patch.object(Store, "__init__", _share), patch.object(Store, "close", lambda _: None):
        yield


@functools.cache
def _store() -> Store:
    """Closed with the process; whatever it keeps is of one version of the files."""
    place = Path(tempfile.mkdtemp(prefix="tailscope-tests-prepared-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    with patch.object(Store, "__init__", _made):
        store = Store(prepared=place)
    atexit.register(_let_go, store)
    return store


_made, _closed = Store.__init__, Store.close


def _let_go(store: Store) -> None:
    """DuckDB complains of what is left when Python ends."""
    _closed(store)
    store.__dict__.clear()


def _share(store: Store) -> None:
    store.__dict__ = _store().__dict__
    for cohort in list(store._opened._generations):
        store.look(cohort)  # the files that a new store would see
