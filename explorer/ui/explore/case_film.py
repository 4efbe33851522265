"""A case's film and its maps, read from the film's folder or rendered anew; neither is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from explorer.analysis.cases.case_maps import map_caveat, maps_unavailable_reason
from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.film_source import FilmSource, NoFilm, SimulatedFilm
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.manifest import ModelManifest
from explorer.reading.anatomy import film_anatomy
from explorer.reading.heat_share import share_inside
from explorer.reading.reader import DecodedFilm, MappedFilm, Reader, timed_film
from explorer.simulator.packed_film import MaskByFinding
from explorer.ui.shared.uploads import MAX_UPLOAD_MB
from explorer.ui.viewer.payload import (
    FilmHeatPayload,
    FilmPayload,
    OpinionPayload,
    film_payload,
    heat_payload,
    opinion_payload,
)


class CaseFilmPayload(TypedDict):
    """A case's film for the viewer."""

    stage: Literal["film"]
    film: FilmPayload


class MissingFilmPayload(TypedDict):
    """Why the film is missing and how to supply it; `choose`: its folder can be named on the page."""

    stage: Literal["no film"]
    title: str
    detail: str
    command: NotRequired[str]
    choose: NotRequired[bool]


class MapsPayload(OpinionPayload):
    """Scores and maps of a case; `honest` is a sentence on how they relate to the cohort's scores.

    `inside` is the share of a finding's heat that lies inside its mask; null if the map has no heat.
    """

    heat: FilmHeatPayload
    honest: str
    inside: dict[str, float | None]


class NoMapsPayload(TypedDict):
    """Why there are no maps."""

    stage: Literal["no maps"]
    title: str
    detail: str


def film_answer(source: FilmSource, view: str) -> CaseFilmPayload:
    """The film for the viewer, with the cohort's view if the file does not state one.

    Raises NoFilm, UnreadableRadiograph, QueueFull.
    """
    film = film_payload(decode_film(source))
    if film["view"] == "unknown":
        film["view"] = view
    return {"stage": "film", "film": film}


def maps_answer(
    source: FilmSource,
    reader: Reader | None,
    manifest: ModelManifest,
    center: str,
    masks: MaskByFinding | None = None,
    findings: Sequence[str] | None = None,
) -> MapsPayload | NoMapsPayload:
    """Maps and scores by the page's model, if it is the one that scored the cohort; else why not.

    `findings`: those whose maps are wanted, by default all. Each map takes a backward pass, so thirty make a visitor
    wait. Raises what `film_answer` raises, and UnusableModel.
    """
    why = maps_unavailable_reason(reader, manifest)
    if why or reader is None:
        return _no_maps(why)
    card = reader.card
    mapped_findings = [finding for finding in card.findings if findings is None or finding in findings]
    if not mapped_findings:
        return _no_maps(f"{card.name} does not look for it.")
    radiograph = decode_film(source).radiograph
    reading = reader.read(radiograph)
    mapped = reader.heat(radiograph, mapped_findings)
    return {
        **opinion_payload(reading, far=False),  # a film of the cohort itself
        "heat": heat_payload(mapped, card, film_anatomy(radiograph, reading.verdict)),
        "honest": map_caveat(card, manifest, center),
        "inside": _inside(mapped, masks or {}),
    }


def missing_film(cohort: str, root: str | None, *, given: bool) -> MissingFilmPayload:
    """Why the film is missing. Its file name stays out, because it could reveal the finding."""
    if root is None:
        return _missing(f"{cohort} has no image of this case: its scores were computed elsewhere.")
    if root == PHANTOM:
        return _missing(f"{cohort} names an address that the simulator does not know: rebuild it.")
    if given:
        return _missing(f"The image folder {root} does not contain this file.")
    detail = f"{cohort} contains no images. Enter the folder of its films here, or start Tailscope with it:"
    return {**_missing(detail), "command": f'make run ARGS="--images {root}=DIR"', "choose": True}


def decode_film(source: FilmSource) -> DecodedFilm:
    """The decoded film. Raises NoFilm, UnreadableRadiograph, QueueFull."""
    if isinstance(source, SimulatedFilm):  # queues by itself, and only if the film is not cached
        return timed_film(source.radiograph)
    with DECODERS.turn(str(source)):
        _check_size(source)
        return timed_film(source.radiograph)


def _check_size(source: FilmSource) -> None:
    try:
        if source.nbytes() > MAX_UPLOAD_MB * 2**20:
            raise NoFilm("The film's file is too large", f"At most {MAX_UPLOAD_MB} MB are read.")
    except OSError as error:
        raise NoFilm("The film's file cannot be read", f"{error.strerror}. Check that the folder is there.") from error


def _inside(mapped: MappedFilm, masks: MaskByFinding) -> dict[str, float | None]:
    maps, box = dict(zip(mapped.findings, mapped.heat.maps, strict=True)), mapped.heat.box
    return {name: share_inside(maps[name], box, mask) for name, mask in masks.items() if name in maps}


def _missing(why: str) -> MissingFilmPayload:
    return {"stage": "no film", "title": "The film is not here", "detail": why}


def _no_maps(why: str) -> NoMapsPayload:
    return {"stage": "no maps", "title": "No maps", "detail": why}
