"""Writes a visitor's folder as a cohort: films, scores, and files that were not read."""

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
from explorer.scoring.card_facts import model_manifest, operating_points, scoring_classifier
from explorer.scoring.score_files import ScoreShards
from models.cards.card import Card

DROPPED_FILMS_TITLE = "films dropped on Read"


def import_source(rows: Sequence[FilmRow], refused: Sequence[RefusedFile], *, simulated: bool) -> ImportSource:
    """Return the films as unlabeled entries, sorted by the visitor's names."""
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
        DROPPED_FILMS_TITLE, "a folder of films", "", "no labels", entries=entries, rejects=rejects, simulated=simulated
    )


def write_folder_scores(made: Folder, rows: Sequence[FilmRow], card: Card) -> None:
    """Write the model's scores of the films in the cohort, as `score` does.

    Raises NoCohort if the model's name cannot be a file name.
    """
    model = scoring_classifier(card)
    checked_name(model.name)
    cases = set(read_table(made.cases, ["case"])["case"].to_pylist())
    kept = {row.source.name: row for row in sorted(rows, key=lambda row: row.source.name) if row.source.name in cases}
    parts = ScoreShards(made, model.name, model.maker)
    with parts.exclusive():
        scores = np.stack([row.scores for row in kept.values()])
        features = np.stack([row.features for row in kept.values()])
        parts.write(model.findings, ScoredBatch(list(kept), scores, features, {}))
        parts.close(model_manifest(model, [NO_CENTER], len(kept), 0), operating_points(model))
