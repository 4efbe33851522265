"""Where a model's scores of perturbed films lie, apart from its scores of the films themselves.

Below `perturbed/MODEL` of a cohort is a folder of the same layout as a cohort's. Each level of a perturbation takes a
model's place there, so that its shards, journal and manifest work alike. They are in no menu, and never pooled.
"""

from __future__ import annotations

from pathlib import Path

from explorer.cohorts.layout import Folder


def perturbed_folder(place: Folder, model: str) -> Folder:
    """Return the folder of the perturbed scores of a model, below the cohort or this machine's additions to it."""
    return Folder(_below(place.path, model))


def known_levels(cohort: Folder, model: str) -> dict[str, Folder]:
    """Return the levels that have scores, with their folders, sorted by name."""
    folders = (Folder(_below(place, model)) for place in cohort.places())
    return dict(sorted((level, folder) for folder in folders for level in folder.models()))


def _below(place: Path, model: str) -> Path:
    return place / "perturbed" / model
