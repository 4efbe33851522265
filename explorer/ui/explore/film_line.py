"""A film in a list as the script gets it: its id, its thumbnail or the file it would show, who and what it is."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.store.results import CaseLine
from explorer.ui.explore.panel_words import Json
from explorer.ui.explore.services import Services
from explorer.ui.routes import thumbnail_address


def film_lines(services: Services, cohort: str, names: Sequence[str]) -> dict[str, Json]:
    """By name, in their order; names that the cohort does not have are left out."""
    return {line.case: _line(services, cohort, line) for line in services.store.cases(cohort, names)}


def _line(services: Services, cohort: str, line: CaseLine) -> Json:
    there = services.images.film(line.root, line.file) is not None
    return {
        "id": line.id,
        "thumb": thumbnail_address(cohort, line.case) if there else None,
        "case": line.case,
        "file": line.file,
        "center": line.center,
        "view": line.view,
        "sex": line.sex,
        "age": line.age,
        "present": list(line.present),
    }
