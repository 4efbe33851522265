"""Opens a cohort for a command that measures some of its films: `--cohort`, `--model` and `--where`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from explorer.cli.leaderboard import check_names
from explorer.cli.prepared import prepare_with_progress
from explorer.store.slices import Slice
from explorer.store.where_words import slice_in

if TYPE_CHECKING:
    from explorer.store.store import Store


@contextmanager
def opened_slice(cohort: str, models: Sequence[str], where: str) -> Iterator[tuple[Store, Slice, tuple[str, ...]]]:
    """Yield the store, the films of `where` scored by the first model, and the models' names as the cohort has them.

    A large cohort is prepared first, with a progress bar. Raises WrongName, WrongFilter and the store's errors.
    """
    from explorer.store.store import Store

    with closing(Store()) as store:
        names = check_names(store, cohort, models)
        prepare_with_progress(store, cohort, names)
        yield store, slice_in(store, cohort, names[0], where, {}), names
