"""A film in a list as scripts receive it: its id, thumbnail, file and metadata."""

from __future__ import annotations

from typing import Protocol, TypedDict

from explorer.cohorts.images import Images
from explorer.ui.thumbnail_route import thumbnail_address


class ListedFilm(Protocol):
    """A film in a store result: `explorer.store.results.CaseLine` or `Ranked`."""

    @property
    def case(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def root(self) -> str | None: ...
    @property
    def file(self) -> str | None: ...
    @property
    def center(self) -> str: ...
    @property
    def view(self) -> str: ...
    @property
    def sex(self) -> str: ...
    @property
    def age(self) -> int | None: ...
    @property
    def present(self) -> tuple[str, ...]: ...
    @property
    def none_of_these(self) -> bool: ...


class HiddenFilmPayload(TypedDict):
    """A film while labels are hidden, without its file name, which could reveal a finding. `thumb`: null if no film."""

    id: str
    thumb: str | None


class FilmLinePayload(HiddenFilmPayload):
    """A film with its metadata; `present` are the findings labeled present.

    `none_of_these`: the film is labeled, and every label is absent.
    """

    case: str
    file: str | None
    center: str
    view: str
    sex: str
    age: int | None
    present: list[str]
    none_of_these: bool


def hidden_film_payload(images: Images, cohort: str, film: ListedFilm) -> HiddenFilmPayload:
    """The film's id and thumbnail only."""
    source = images.film(film.root, film.file)
    if source is None:
        return {"id": film.id, "thumb": None}
    images.shown.note(cohort, film.id, source)
    return {"id": film.id, "thumb": thumbnail_address(cohort, film.case)}


def film_line_payload(images: Images, cohort: str, film: ListedFilm) -> FilmLinePayload:
    """A film with its metadata."""
    return {
        **hidden_film_payload(images, cohort, film),
        "case": film.case,
        "file": film.file,
        "center": film.center,
        "view": film.view,
        "sex": film.sex,
        "age": film.age,
        "present": list(film.present),
        "none_of_these": film.none_of_these,
    }
