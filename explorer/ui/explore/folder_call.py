"""The folder of a cohort's films, entered on the page if a film is missing. No answer contains its path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypedDict

from explorer.cohorts.chosen_folder import NoFilmFolder, choose_folder
from explorer.cohorts.layout import NoCohort, cohort_folder
from explorer.ui.explore.case_calls import NO_CASE, REFUSALS, case_request
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.services import Services


class FilmFolderPayload(TypedDict):
    """The folder is known now; `says` counts its films."""

    stage: Literal["folder"]
    says: str


def calls(services: Services) -> list[Callable[[object], object]]:
    """The script's call."""

    def films_folder(sent: object) -> FilmFolderPayload | RefusedPayload:
        return _answer(services, sent)

    return [films_folder]


def _answer(services: Services, sent: object) -> FilmFolderPayload | RefusedPayload:
    """Set the folder that holds the films of a case's cohort, from {state, case, folder}."""
    try:
        request = case_request(services, sent)
        if request is None:
            return NO_CASE
        root, typed = request.case.root, sent.get("folder") if isinstance(sent, Mapping) else None
        if root is None or services.images.has(root):  # set once only, so that no one can replace another's folder
            raise NoFilmFolder("The folder of these films is already known", "Load the page again to see them.")
        if not isinstance(typed, str):
            raise NoFilmFolder("No folder was named", "Type the path of the folder that holds the films.")
        counted = choose_folder(cohort_folder(request.cohort.name), root, typed)
    except (*REFUSALS, NoFilmFolder, NoCohort) as refusal:
        return refusal_payload(refusal)
    return {"stage": "folder", "says": f"{counted.found:,} of {counted.films:,} films found."}
