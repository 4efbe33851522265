"""A visitor's folder as the files of a cohort: the films that were read, their scores, and what was not read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.cohorts.layout import Folder, checked_name
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.schema import NO_CENTER
from explorer.film_folder.film_rows import FilmRow, RefusedFile
from explorer.ingest.entries import Entry, ImportSource
from explorer.ingest.rejects import Reject, RejectReason
from explorer.scoring.batches import ScoredBatch
from explorer.scoring.card_facts import about, model_manifest, operating_points
from explorer.scoring.score_files import Parts
from models.cards.card import Card

TITLE = "films dropped on Read"


def source_of(rows: Sequence[FilmRow], refused: Sequence[RefusedFile], *, simulated: bool) -> ImportSource:
    """The films under the names that they came with, in the order of these, without a label."""
    entries = [
        Entry(
            case=row.source.name,
            center=NO_CENTER,
            file=row.source.file,
            view=row.view,
            height=row.size[0],
            width=row.size[1],
        )
        for row in sorted(rows, key=lambda row: row.source.name)
    ]
    rejects = [
        Reject(None, each.source.name, RejectReason.UNREADABLE, f"{each.reason}. {each.detail}") for each in refused
    ]
    return ImportSource(
        TITLE, "a folder of films", "", "no labels", entries=entries, rejects=rejects, simulated=simulated
    )


def write_scores(made: Folder, rows: Sequence[FilmRow], card: Card) -> None:
    """What the model says of those films that the cohort has, as `score` writes it.

    Raises NoCohort where the model has a name that no file can have.
    """
    model = about(card)
    checked_name(model.name)
    there = set(read_table(made.cases, ["case"])["case"].to_pylist())
    kept = {row.source.name: row for row in sorted(rows, key=lambda row: row.source.name) if row.source.name in there}
    parts = Parts(made, model.name, model.maker)
    with parts.alone():
        scores = np.stack([row.scores for row in kept.values()])
        features = np.stack([row.features for row in kept.values()])
        parts.write(model.findings, ScoredBatch(list(kept), scores, features, {}))
        parts.close(model_manifest(model, [NO_CENTER], len(kept), 0), operating_points(model))
