"""The endpoint `/slice`: a slice of a cohort for programs, with the films of Explore's gallery."""

# No postponed annotations: Gradio reads the return type of `answer` to describe its endpoint.

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from explorer.analysis.cases.marked_sentence import marked_sentence
from explorer.cohorts.schema import Unit
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.word_lists import suggestion
from explorer.store.names import cohort_named, models_named
from explorer.store.slices import Slice
from explorer.store.where_words import slice_in
from explorer.ui.explore.film_tiles import TilePayload, tile_payload
from explorer.ui.shared.refusals import gradio_error
from explorer.ui.shared.request_values import ONE_BILLION
from explorer.ui.shared.sent_values import WrongValue, sent_text, sent_whole_number
from explorer.ui.shared.services import Services
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Ranked, Store

MAX_FILMS_PER_CALL = 100  # films per call
Sort = Literal["worst", "shuffled"]
_SHUFFLES: dict[str, int | None] = {"worst": None, "shuffled": 1}  # the page's seed


class SliceAnswer(TypedDict):
    """A slice in words, its number of (film, finding) pairs and films, and `rows`, its films from `offset` on.

    Each film appears once, with its worst pair; `unit` is the unit of scores. `simulated`: not patients' films.
    """

    use: str
    cohort: str
    model: str
    simulated: bool
    unit: Unit
    slice: str
    pairs: int
    films: int
    offset: int
    rows: list[TilePayload]


SliceCall = Callable[..., SliceAnswer]


def slice_endpoint(services: Services) -> SliceCall:
    """The handler of `/slice`."""

    def answer(
        cohort: str, model: str, where: str = "", sort: Sort = "worst", limit: int = 24, offset: int = 0
    ) -> SliceAnswer:
        """Films of a cohort by a model's outcomes: `where` as "center=B, group=very rare, outcome=miss".

        `sort`: "worst" first, or "shuffled". `limit`: 1 to 100 films from `offset` on. Not for medical use.
        """
        try:
            return _answer(
                services,
                sent_text(cohort, "The cohort"),
                sent_text(model, "The model"),
                sent_text(where, "The filters"),
                _shuffle(sort),
                sent_whole_number(limit, "The limit", 1, MAX_FILMS_PER_CALL),
                sent_whole_number(offset, "The offset", 0, ONE_BILLION),
            )
        except Refusal as refusal:
            raise gradio_error(refusal) from refusal

    return answer


def _answer(
    services: Services, cohort: str, model: str, where: str, shuffle: int | None, limit: int, offset: int
) -> SliceAnswer:
    store = services.store
    about = cohort_named(store, cohort)
    (made,) = models_named(store, cohort, (model,))
    chosen = slice_in(store, cohort, model, where, {})
    count = store.count(chosen)
    films = _films(store, chosen, shuffle, limit, offset) if offset < count.films else ()
    marks, images = store.marks(cohort), services.images
    return {
        "use": NOT_FOR_MEDICAL_USE,
        "cohort": cohort,
        "model": model,
        "simulated": about.simulated,
        "unit": made.unit,
        "slice": marked_sentence(store, chosen),
        "pairs": count.pairs,
        "films": count.films,
        "offset": offset,
        "rows": [
            tile_payload(images, cohort, film, made.unit, None, starred=marks.of(film.case).starred) for film in films
        ],
    }


def _films(store: "Store", chosen: Slice, shuffle: int | None, limit: int, offset: int) -> "tuple[Ranked, ...]":
    """The films from `offset` on, cut from the pages that contain them: the store returns whole pages."""
    number, skipped = divmod(offset, limit)
    pages = range(number, number + (2 if skipped else 1))
    films = [film for page in pages for film in store.page(chosen, page, size=limit, shuffle=shuffle)]
    return tuple(films[skipped : skipped + limit])


def _shuffle(sort: object) -> int | None:
    if not isinstance(sort, str) or sort not in _SHUFFLES:
        raise WrongValue("There is no such order", suggestion(str(sort)[:100], get_args(Sort)))
    return _SHUFFLES[sort]
