"""The folder of a cohort's films, named in the page where a case has no film. Its path is in no answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypedDict

from explorer.cohorts.chosen_folder import NoFilmFolder, choose_folder
from explorer.cohorts.layout import NoCohort, folder
from explorer.ui.explore.case_calls import NO_CASE, REFUSALS, asked_of
from explorer.ui.shared.refusals import RefusedPayload, refused
from explorer.ui.shared.services import Services


class FolderPayload(TypedDict):
    """The folder is known now; `says` counts its films."""

    stage: Literal["folder"]
    says: str


def calls(services: Services) -> list[Callable[[object], object]]:
    """What the script may ask."""

    def films_folder(sent: object) -> FolderPayload | RefusedPayload:
        return _answer(services, sent)

    return [films_folder]


def _answer(services: Services, sent: object) -> FolderPayload | RefusedPayload:
    """Take {state, case, folder}: the folder that holds the films of the case's cohort."""
    try:
        asked = asked_of(services, sent)
        if asked is None:
            return NO_CASE
        root, typed = asked.case.root, sent.get("folder") if isinstance(sent, Mapping) else None
        if root is None or services.images.has(root):  # asked once: nobody else's folder is exchanged for another
            raise NoFilmFolder("The folder of these films is known already", "Load the page again to see them.")
        if not isinstance(typed, str):
            raise NoFilmFolder("No folder was named", "Type the path of the folder that holds the films.")
        there = choose_folder(folder(asked.cohort.name), root, typed)
    except (*REFUSALS, NoFilmFolder, NoCohort) as refusal:
        return refused(refusal)
    return {"stage": "folder", "says": f"{there.found:,} of {there.films:,} films found."}
