"""Says how often a model's flag was right on other films, in Read's words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.manifest import ModelManifest
from explorer.reading.flag_right import count_near
from explorer.reading.flag_verdict import flag_sentence, flag_verdict
from explorer.reading.shipped_scores import UNSEEN_ORIGINS
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.school.preparing.model_scores import reaches_threshold, shown_scores
from explorer.school.preparing.prepared import ScorePayload
from models.array_types import Float64

if TYPE_CHECKING:
    from explorer.store.results import Case
    from explorer.store.store import Store


def add_flag_words(
    store: Store, cohort: str, manifest: ModelManifest, rows: Iterable[ScorePayload], case: Case | None = None
) -> None:
    """Set the `flag_words` of every flagged row, counted on the cohort's films that the model was not fitted on.

    If the film is a `case` of the cohort, it is itself not counted. A row whose finding the model has not scored in the
    cohort stays without.
    """
    flagged = [row for row in rows if reaches_threshold(row) and not row["cannot_judge"] and row["finding"] != "Normal"]
    unseen = [center for center, origin in manifest.origins.items() if origin in UNSEEN_ORIGINS]
    if not flagged or not unseen:
        return
    grid = store.grid(cohort, manifest.model)
    counted = np.isin(_centers(store, cohort, store.version(cohort, manifest.model)), unseen)
    own = {each.finding: each.label for each in case.scores if each.model == manifest.model} if case else {}
    for row in flagged:
        if row["finding"] not in grid.findings:
            continue
        column = grid.findings.index(row["finding"])
        label, score = grid.label[:, column], grid.score[:, column].astype(np.float64)
        known = counted & ~np.isnan(label) & ~np.isnan(score)
        score = shown_scores(score, manifest)
        every, having = np.sort(score[known]), np.sort(score[known & (label == 1)])
        label_of_film = own.get(row["finding"]) if case and case.center in unseen else None
        if label_of_film in ("present", "absent"):
            every = _without(every, row["score"])
            having = _without(having, row["score"]) if label_of_film == "present" else having
        right = count_near(every, having, row["threshold"] or 0.0, row["score"])
        row["flag_words"] = flag_sentence(flag_verdict(right, unreliable=False), right)


@cached_per_owner(4)  # every film of a playlist asks for them
def _centers(store: Store, cohort: str, _version: str) -> NDArray[np.str_]:
    return store.film_facts(cohort).center.astype(str)


def _without(scores: Float64, own: float) -> Float64:
    """Return the scores without the film's own score, which is the closest one."""
    return np.delete(scores, np.abs(scores - own).argmin()) if len(scores) else scores
