"""A review of simulated films whose readers vote with a known skill, made by command, for tests of reader studies."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import numpy as np

from explorer.core.arrays import Floats
from explorer.school.reviews.review import Certainty, Vote
from explorer.school.reviews.review_files import opened_review
from explorer.store.store import Store
from tests.explorer.cli.command import run
from tests.explorer.school.reviews.made_reviews import next_id

FINDING = "Pleural Effusion"
READERS, FILMS = 3, 24


def new_study(name: str, *words: str) -> None:
    slice_of = ("--cohort", "phantom", "--model", "phantom", "--where", f"called={FINDING}")
    asked = ("--finding", FINDING, "--finding", "Nodule", "--sample", str(FILMS), "--repeats", "0")
    made = run("review", "new", name, *slice_of, *asked, *words)
    assert made.exit_code == 0, made.output


def read_study(name: str, skipped: Sequence[tuple[int, int]] = ()) -> tuple[Floats, Floats]:
    """Readers of a known skill vote; returns the truth (films,) and their ratings (readers, films) of the effusion."""
    draw = np.random.default_rng(8)
    with closing(opened_review(name)) as database, closing(Store()) as store:
        review = database.review
        labels = store.labels("phantom")
        place = {case: number for number, case in enumerate(store.patients("phantom"))}
        rows = [place[film.case] for film in review.films]
        truth = labels.labels[rows, labels.findings.index(FINDING)].astype(float)
        ratings = 1 + np.digitize(
            draw.normal(np.where(truth == 1, 0.8, -0.8), 1, (READERS, len(rows))), (-1, -0.5, 0, 0.5, 1)
        )
        for reader in range(READERS):
            for each in database.readings_of(reader):
                if (reader, each.film) in skipped:
                    continue
                rating = int(ratings[reader, each.film])
                certainty: Certainty = rating - 3 if rating > 3 else 4 - rating  # type: ignore[assignment]
                seen = frozenset({FINDING} if rating > 3 else ())
                database.vote(reader, each.place, next_id(), Vote("own findings", seen, certainty=certainty))
    return truth, ratings.astype(float)
