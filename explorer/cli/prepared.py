"""Prepares large cohorts for the page and for what follows, with a progress bar."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import closing
from typing import TYPE_CHECKING

from explorer.cli.time_left import time_left

if TYPE_CHECKING:
    from explorer.store.store import Store

SECONDS_BETWEEN_LOOKS = 0.2


def prepare_now(cohort: str, models: Iterable[str]) -> None:
    """Prepare a large cohort for these models, so that the page opens it at once. Raises the store's errors."""
    from explorer.store.store import Store

    with closing(Store()) as store:
        prepare_with_progress(store, cohort, models)


def prepare_with_progress(store: Store, cohort: str, models: Iterable[str]) -> None:
    """Do so for a store that is asked next. A small cohort is prepared by the first question."""
    for model in models:
        with time_left(f"percent prepared for {model}") as progress:
            while (share := store.preparing(cohort, model)) is not None:
                progress(round(100 * share), 100)
                time.sleep(SECONDS_BETWEEN_LOOKS)
